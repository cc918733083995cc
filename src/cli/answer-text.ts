import type { ClaimView, JobView } from '@lib/store/views/job.view';
import { counted } from '@lib/synthesis/report/wording';
import { plainText } from './plain-text';
import { terminalReport, type AddressOf } from './terminal-report';
import { bold, dim } from './terminal-text';

/** The answer for people: its origin, the report, the claims with their supporters, the cost. Without a report why there is none, and the cost. */
export function answerText(job: JobView): string {
  const parts =
    job.status === 'completed'
      ? [originText(job), job.synthesisMarkdown ?? '', claimsText(job.synthesisClaimsJson ?? []), costText(job)]
      : [failureText(job), costText(job)];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return `${plainText(text)}\n`;
}

/** The same for a person at a terminal: the report laid out, and of the claims only those that it does not hold. */
export function terminalAnswer(job: JobView, columns: number, addressOf: AddressOf): string {
  if (job.status !== 'completed') return answerText(job);
  const report = plainText(job.synthesisMarkdown ?? '');
  const held = lettersOf(report);
  const others = (job.synthesisClaimsJson ?? []).filter(
    ({ claim }) => !claim.split('\n\n').every((part) => held.includes(lettersOf(part))),
  );
  const more = others.length === 0 ? '' : `${bold('More claims')}\n\n${plainText(claimLines(others).join('\n'))}`;
  const parts = [dim(plainText(originText(job))), terminalReport(report, columns, addressOf), more, dim(costText(job))];
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The letters of a text, which escapes, marks and line breaks do not change. */
const lettersOf = (text: string): string => text.replace(/\[\d+\]|[^\p{L}\p{N}]/gu, '').toLowerCase();

/** The first line of a local document report names the number of documents. */
function originText({ steps }: JobView): string {
  const [line] = steps.flatMap(({ reportMarkdown }) => /^Answering from \d+ local documents?/.exec(reportMarkdown) ?? []);
  return line === undefined ? '' : `${line}; no provider key set.`;
}

function claimsText(claims: readonly ClaimView[]): string {
  return claims.length === 0 ? 'Claims: none.' : ['Claims:', ...claimLines(claims)].join('\n');
}

const claimLines = (claims: readonly ClaimView[]): string[] =>
  claims.map(({ claim, confidence, supportingProviders, contradictingProviders }) => {
    const against = contradictingProviders.length > 0 ? `; against: ${contradictingProviders.join(', ')}` : '';
    return `- [${confidence}] ${claim.replaceAll('\n', '\n  ')} (${supportingProviders.join(', ')}${against})`;
  });

/** With spidering a provider may have several steps. */
function costText({ totalCustomerCostCents, budgetCapCents, durationSeconds, steps }: JobView): string {
  const providers = counted(new Set(steps.map(({ provider }) => provider)).size, 'provider');
  return `Cost: ${totalCustomerCostCents} of at most ${budgetCapCents} cents; ${providers}, ${durationSeconds} s.`;
}

const failureText = ({ status, steps }: JobView): string =>
  [`The job is ${status}.`, ...steps.map(({ provider, errorMessage }) => `- ${provider}: ${errorMessage ?? 'completed'}`)].join('\n');
