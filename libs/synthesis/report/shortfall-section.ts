import { inertText } from './markdown-text';
import type { SynthesisStep } from '../synthesis';
import { counted, enumerated, quoted, section, shortened } from './wording';
import { providersOf } from '../claims/who-says';

/** A step as the report speaks of it. */
export interface ReportedStep extends SynthesisStep {
  /** How many sentences of its report could become claims. */
  statementCount: number;
  /** Sentences in which it says what it did not find or answer. */
  refusals: readonly string[];
}

const MAX_ERROR_LENGTH = 400;
/** Sentences of one report about what it did not find; more would say the same again. */
const MAX_REFUSALS = 3;

/**
 * Whose report is missing from the answer, in whole or in part, and why; then what the reports themselves say they did not find. Errors and
 * failed searches are told, never counted as evidence.
 * @param recorded how many claims are recorded
 * @param leftOut how many sentences are in none of them for want of room
 */
export function shortfallSection(steps: readonly ReportedStep[], recorded: number, leftOut: number): string[] {
  const shortfalls = steps.flatMap((step) => {
    const shortfall = step.status === 'completed' ? shortfallOfReport(step) : reasonOf(step);
    return shortfall === null ? [] : [`- ${step.provider}${aboutTopic(step)} ${shortfall}`];
  });
  const cut =
    leftOut === 0
      ? []
      : [
          `- The reports say more than the ${counted(recorded, 'claim')} that a job of this budget has room for: ${counted(leftOut, 'sentence')} of theirs ${leftOut === 1 ? 'is' : 'are'} in none. What no other provider was seen to speak of was left out first.`,
        ];
  return section('## What is missing', [...shortfalls, ...refusalLines(steps), ...cut]);
}

const aboutTopic = ({ topic }: ReportedStep): string => (topic ? ` on “${quoted(topic.text)}”` : '');

/** What several say in the same words is told once. */
function refusalLines(steps: readonly ReportedStep[]): string[] {
  const told = steps.flatMap((step) =>
    step.refusals.slice(0, MAX_REFUSALS).map((refusal, at) => {
      const more = at === MAX_REFUSALS - 1 ? step.refusals.length - MAX_REFUSALS : 0;
      const others = more > 0 ? ` And ${counted(more, 'more sentence')} of this kind.` : '';
      return { provider: step.provider, about: aboutTopic(step), words: `“${quoted(refusal)}”${others}` };
    }),
  );
  return [...Map.groupBy(told, ({ about, words }) => `${about} did not find or answer: ${words}`)].map(
    ([line, by]) => `- ${enumerated(providersOf(by))}${line}`,
  );
}

function shortfallOfReport({ truncated, statementCount, refusals }: ReportedStep): string | null {
  if (truncated) return 'reported more than a message may hold: the end of its report was cut off and is not in this answer.';
  if (statementCount > 0 || refusals.length > 0) return null;
  return 'reported nothing that could be taken as a claim.';
}

/** Where the job itself cut the step short, the recorded reason begins with what was done. */
function reasonOf({ status, failure, errorMessage }: ReportedStep): string {
  const reason = inertText(withoutMiddle(errorMessage ?? 'no reason was recorded.'));
  const isOwn = status === 'skipped' || failure === 'deadline' || failure === 'cancelled';
  return isOwn ? `— ${reason}` : `failed${failure === null ? '' : ` (${failure})`}: ${reason}`;
}

/** A provider's words come first, and why nothing was tried again comes last. */
function withoutMiddle(text: string): string {
  if (text.length <= MAX_ERROR_LENGTH) return text;
  return `${shortened(text, MAX_ERROR_LENGTH / 2)} ${text
    .slice(-MAX_ERROR_LENGTH / 2)
    .replace(/^\S*\s/, '')
    .toWellFormed()}`;
}
