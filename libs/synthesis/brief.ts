import { readingOf } from '@lib/language/reading/read-text';
import { claimTable, type Claim } from './claims/claim-table';
import { readTogether, statementsOf } from './statement/read-report';
import { gapsToPursue } from './question/question-gaps';
import type { SynthesisInput } from './synthesis';
import { byProviderAndStep } from './step-order';
import { isDisputed, providersOf } from './claims/who-says';

/** Nobody would read more; the brief names the best of them. */
const MAX_CLAIMS = 30;
const MAX_LINES = 8;
const MAX_LINE_LENGTH = 300;

/**
 * What the next provider of a methodical job should look at, computed from the reports so far: what they dispute, what only one of
 * them says, and which words of the question none of their claims mentions. Pure and deterministic. Null while there is no report.
 */
export function briefOf({ query, steps }: Pick<SynthesisInput, 'query' | 'steps'>): string | null {
  const reported = steps.filter(({ status }) => status === 'completed').toSorted(byProviderAndStep);
  if (reported.length === 0) return null;
  const together = readTogether(reported, query);
  const { claims } = claimTable(
    reported.flatMap((step) => statementsOf(step, together)),
    readingOf(together.question).stems,
    MAX_CLAIMS,
  );
  const disputed = claims.filter(isDisputed);
  const alone = claims.filter((claim) => !isDisputed(claim) && providersOf(claim.supporting).length === 1);
  const sections = [
    list('Disputed so far; find out which side the sources back:', disputed.map(dispute)),
    list(
      'Said by one report only; confirm or refute:',
      alone.map(({ text }) => text),
    ),
    list(
      'Not covered yet:',
      gapsToPursue(
        query,
        claims,
        reported.map(({ reportMarkdown }) => reportMarkdown),
      ),
    ),
  ];
  return (
    sections.filter((section) => section !== '').join('\n\n') || 'The reports so far agree and leave no gap; look for what they overlooked.'
  );
}

const dispute = ({ text, contradicting }: Claim): string => `${text} — against: ${contradicting[0]?.text ?? ''}`;

const list = (heading: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : [heading, ...lines.slice(0, MAX_LINES).map((line) => `- ${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}`)].join('\n');
