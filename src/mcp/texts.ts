import type { ClaimDetailView, ClaimListItemView } from '@lib/store/views/claim.view';
import type { JobDetailView, JobStepView } from '@lib/store/views/job-detail.view';
import { counted } from '@lib/synthesis/report/wording';

const MAX_PART_LENGTH = 8_000;

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** A piece of a text from an offset on, and where the next one begins; null at the end. */
export function partOf(text: string, offset: number): { part: string; nextOffset: number | null } {
  const end = lineEnd(text, offset, offset + MAX_PART_LENGTH);
  return { part: text.slice(offset, end), nextOffset: end < text.length ? end : null };
}

/** Between two lines if there is one in the second half of the piece. */
function lineEnd(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length;
  const found = text.lastIndexOf('\n', end) + 1;
  if (found > start + MAX_PART_LENGTH / 2) return found;
  const isInPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isInPair ? end - 1 : end;
}

/** Where a job stands, in a line, and each of its providers. */
export function jobText(job: JobDetailView): string {
  const { id, threadId, status, totalCustomerCostCents: cents, budgetCapCents: cap } = job;
  const cost = job.completedAt === null ? `at most ${dollars(cap)}` : `${dollars(cents)} of at most ${dollars(cap)}`;
  return [`Job ${id} of thread ${threadId} is ${status}; cost ${cost}.`, ...(job.steps ?? []).map(stepText)].join('\n');
}

const stepText = ({ provider, status, errorMessage, durationSeconds }: JobStepView): string => {
  const time = durationSeconds === null ? '' : ` after ${durationSeconds} s`;
  return `- ${provider}: ${status}${time}${errorMessage === null ? '' : `: ${errorMessage}`}`;
};

/** A claim on two lines: what it says, and on whose word. */
export function claimText({
  id,
  content,
  confidenceLevel,
  supportingProviders,
  contradictingProviders,
  sources,
}: ClaimListItemView): string {
  const against = contradictingProviders.length > 0 ? `; against: ${contradictingProviders.join(', ')}` : '';
  return `- ${id} [${confidenceLevel}] ${content}\n  by ${supportingProviders.join(', ')}${against}; ${counted(sources.length, 'source')}`;
}

export function evidenceText(claim: ClaimDetailView): string {
  const evidence = claim.evidence.map(({ relation, provider, quote, citations, cue }) => {
    const why = cue === null ? '' : ` (${cue})`;
    const sources = citations.map(({ url, title }) => `\n  source: ${title === null ? '' : `${title}, `}${url}`).join('');
    return `- ${provider} ${relation}${why}: “${quote}”${sources}`;
  });
  return [`${claim.id} of ${claim.jobId} [${claim.confidenceLevel}]: ${claim.content}`, ...evidence].join('\n');
}
