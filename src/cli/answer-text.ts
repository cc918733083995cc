import type { ClaimView, JobView } from '@lib/store/views/job.view';
import { counted } from '@lib/synthesis/report/wording';
import { plainText } from './plain-text';

/** The answer for people: its origin, the report, the claims with their supporters, the cost. */
export function answerText(job: JobView): string {
  const parts =
    job.status === 'completed'
      ? [originText(job), job.synthesisMarkdown ?? '', claimsText(job.synthesisClaimsJson ?? []), costText(job)]
      : [failureText(job)];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return `${plainText(text)}\n`;
}

/** The first line of a local document report names the number of documents. */
function originText({ steps }: JobView): string {
  const [line] = steps.flatMap(({ reportMarkdown }) => /^Answering from \d+ local documents?/.exec(reportMarkdown) ?? []);
  return line === undefined ? '' : `${line}; no provider key set.`;
}

function claimsText(claims: readonly ClaimView[]): string {
  if (claims.length === 0) return 'Claims: none.';
  const lines = claims.map(({ claim, confidence, supportingProviders, contradictingProviders }) => {
    const against = contradictingProviders.length > 0 ? `; against: ${contradictingProviders.join(', ')}` : '';
    return `- [${confidence}] ${claim} (${supportingProviders.join(', ')}${against})`;
  });
  return ['Claims:', ...lines].join('\n');
}

/** With spidering a provider may have several steps. */
function costText({ totalCustomerCostCents, budgetCapCents, durationSeconds, steps }: JobView): string {
  const providers = counted(new Set(steps.map(({ provider }) => provider)).size, 'provider');
  return `Cost: ${totalCustomerCostCents} of at most ${budgetCapCents} cents; ${providers}, ${durationSeconds} s.`;
}

const failureText = ({ status, steps }: JobView): string =>
  [`The job is ${status}.`, ...steps.map(({ provider, errorMessage }) => `- ${provider}: ${errorMessage ?? 'completed'}`)].join('\n');
