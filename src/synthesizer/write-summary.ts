import type { SynthesisFailure } from '@lib/domain/job/facts';
import { messageOfError } from '@lib/domain/message-of-error';
import { addCharges, addKnown, NO_CHARGE, type Charge } from '@lib/domain/money';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import type { CheckedSummary, Problem, SummarySentence } from '@lib/synthesis/summary/check';
import type { ClaimSheet } from '@lib/synthesis/summary/claim-sheet';
import { mendingPrompt, writingPrompt } from '@lib/synthesis/summary/prompt';

/** The model's text about the claims, and its charge: an estimate if only a part of it is known, null if nothing is. */
export type PaidSummary = { charge: Charge | null } &
  /** `refused` is how many sentences were left out. */
  (
    | { paragraphs: SummarySentence[][]; refused: number; failure: null }
    /** `reason` is a sentence for the reader of the report. */
    | { paragraphs: null; failure: SynthesisFailure; reason: string }
  );

export interface SummaryTask {
  question: string;
  sheet: ClaimSheet;
  /** Checks an answer against the claims. */
  check: (answer: string) => Promise<CheckedSummary>;
}

/** A second answer is asked for if fewer than half of the first one's sentences pass the check. */
const MAX_ANSWERS = 2;
const CUT_OFF: Problem = { told: 'The answer was cut off: write less', shown: 'The answer was cut off' };
const UNCHECKED: CheckedSummary = {
  ...{ paragraphs: [], refused: 0 },
  problems: [{ told: 'The answer could not be read', shown: 'The answer could not be checked' }],
};

/**
 * Has a model summarize the claims. A failure of the model is returned: this throws only if the signal aborts for a reason other than the
 * deadline. All calls together stay within the reservation.
 * @param signal aborts with a `TimeoutError` at the deadline
 */
export async function writeSummary(
  model: LanguageModel,
  { question, sheet, check }: SummaryTask,
  reservedMicros: number,
  signal: AbortSignal,
): Promise<PaidSummary> {
  const first = writingPrompt(question, sheet);
  let prompt = first;
  let spent = NO_CHARGE;
  let best: CheckedSummary | null = null;
  for (let answers = 1; ; answers += 1) {
    const left = Math.max(0, reservedMicros - spent.micros);
    const written = await model.write(prompt, left, signal).catch((error: unknown) => failed(error, spent, signal));
    if ('failure' in written) return best ? standing(best, written.charge) : written;
    spent = addCharges(spent, written.charge);
    const checked = await check(written.text).catch(() => UNCHECKED);
    if (countOf(checked) > (best ? countOf(best) : 0)) best = checked;
    if (best && (answers === MAX_ANSWERS || countOf(best) >= best.refused)) return standing(best, spent);
    const problems = written.isCutOff ? [CUT_OFF, ...checked.problems] : checked.problems;
    if (answers === MAX_ANSWERS) return unusable(problems, spent);
    prompt = mendingPrompt(
      first,
      written.text,
      problems.map(({ told }) => told),
    );
  }
}

const countOf = ({ paragraphs }: CheckedSummary): number => paragraphs.flat().length;
const standing = ({ paragraphs, refused }: CheckedSummary, charge: Charge | null): PaidSummary => ({
  paragraphs,
  refused,
  failure: null,
  charge,
});

/** The outcome if nothing that the model wrote can be used. */
function unusable([problem = CUT_OFF]: readonly Problem[], charge: Charge): PaidSummary {
  return { paragraphs: null, failure: 'unusable', reason: `what it wrote broke the rules twice. At last: ${problem.shown}.`, charge };
}

function failed(error: unknown, spent: Charge, signal: AbortSignal): PaidSummary & { paragraphs: null } {
  if (error instanceof ProviderError) {
    const { errorClass, message, details } = error;
    return { paragraphs: null, failure: errorClass, reason: message, charge: addKnown(spent, details.charge ?? null) };
  }
  if (!signal.aborted) {
    const reason = messageOfError(error);
    return { paragraphs: null, failure: 'malformed', reason: `its answer could not be read: ${reason}`, charge: addKnown(spent, null) };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { paragraphs: null, failure: 'timeout', reason: 'it did not answer in time', charge: addKnown(spent, null) };
  }
  throw error;
}
