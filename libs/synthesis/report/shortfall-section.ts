import { NOT_ANSWERED } from '@lib/domain/quoting-report';
import { inertText } from './markdown-text';
import type { SynthesisStep } from '../synthesis';
import { counted, enumerated, quoted, section, shortened } from './wording';
import { providersOf } from '../claims/who-says';

/** A step with what the report says about it. */
export interface ReportedStep extends SynthesisStep {
  /** How many sentences of its report could become claims. */
  statementCount: number;
  /** Sentences in which its report says what it did not find or answer. */
  refusals: readonly string[];
}

const MAX_ERROR_LENGTH = 400;
/** Most such sentences shown per report; further ones would repeat the same. */
const MAX_REFUSALS = 3;

/**
 * Which reports are missing from the answer, wholly or partly, and why; then what the reports themselves say they did not find. Errors and failed
 * searches are reported, never counted as evidence.
 * @param recorded how many claims are recorded
 * @param leftOut how many sentences are in none of them for lack of room
 * @param isInDocuments whether the answer has quotations from documents: then another engine that found none in them says nothing about them
 */
export function shortfallSection(
  steps: readonly ReportedStep[],
  { recorded, leftOut, isInDocuments }: { recorded: number; leftOut: number; isInDocuments: boolean },
): string[] {
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
  return section('## What is missing', [...shortfalls, ...refusalLines(steps, isInDocuments), ...cut]);
}

const aboutTopic = ({ topic }: ReportedStep): string => (topic ? ` on “${quoted(topic.text)}”` : '');

/** Equal sentences of several reports are shown once. */
function refusalLines(steps: readonly ReportedStep[], isInDocuments: boolean): string[] {
  const told = steps.flatMap((step) => {
    const refusals = step.refusals.filter((refusal) => !(isInDocuments && refusal.startsWith(NOT_ANSWERED)));
    return refusals.slice(0, MAX_REFUSALS).map((refusal, at) => {
      const more = at === MAX_REFUSALS - 1 ? refusals.length - MAX_REFUSALS : 0;
      const others = more > 0 ? ` And ${counted(more, 'more sentence')} of this kind.` : '';
      return { provider: step.provider, about: aboutTopic(step), words: `“${quoted(refusal)}”${others}` };
    });
  });
  return [...Map.groupBy(told, ({ about, words }) => `${about} did not find or answer: ${words}`)].map(
    ([line, by]) => `- ${enumerated(providersOf(by))}${line}`,
  );
}

function shortfallOfReport({ truncated, statementCount, refusals }: ReportedStep): string | null {
  if (truncated) return 'reported more than a message may hold: the end of its report was cut off and is not in this answer.';
  if (statementCount > 0 || refusals.length > 0) return null;
  return 'reported nothing that could be taken as a claim.';
}

/** If the job itself ended the step, the recorded reason starts with what was done. */
function reasonOf({ status, failure, errorMessage }: ReportedStep): string {
  const reason = inertText(withoutMiddle(errorMessage ?? 'no reason was recorded.'));
  const isOwn = status === 'skipped' || failure === 'deadline' || failure === 'cancelled';
  return isOwn ? `— ${reason}` : `failed${failure === null ? '' : ` (${failure})`}: ${reason}`;
}

/** Cuts the middle: the provider's words stand at the beginning, and the reason for not trying again at the end. */
function withoutMiddle(text: string): string {
  if (text.length <= MAX_ERROR_LENGTH) return text;
  return `${shortened(text, MAX_ERROR_LENGTH / 2)} ${text
    .slice(-MAX_ERROR_LENGTH / 2)
    .replace(/^\S*\s/, '')
    .toWellFormed()}`;
}
