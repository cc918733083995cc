import type { SynthesisAttemptLost, SynthesisClaimed, SynthesisSettled } from './events';
import { openRun, settleRun, type PaidRun } from './reservations';

/** One attempt at having a model write the summary: a paid run that belongs to the claim's holder. */
export interface SynthesisAttempt {
  attempt: number;
  /** Version of the event that granted it. */
  version: number;
  claimId: string;
  /** True until it completed the job or was taken from its holder. */
  open: boolean;
  /** Its result is recorded; another one has no effect. */
  reported: boolean;
  run: PaidRun;
}

export type SynthesisAttemptEvent = SynthesisClaimed | SynthesisAttemptLost | SynthesisSettled;

export function evolveSyntheses(
  attempts: readonly SynthesisAttempt[],
  event: SynthesisAttemptEvent,
  version: number,
): readonly SynthesisAttempt[] {
  if (event.type === 'SynthesisClaimed') {
    const { attempt, claimId, reservedMicros } = event.facts;
    const run = { ...openRun(attempt, reservedMicros), submitted: true };
    return [...attempts, { attempt, version, claimId, open: true, reported: false, run }];
  }
  return attempts.map((attempt) => (attempt.attempt === event.facts.attempt ? closed(attempt, event) : attempt));
}

function closed(attempt: SynthesisAttempt, event: SynthesisAttemptLost | SynthesisSettled): SynthesisAttempt {
  if (event.type === 'SynthesisAttemptLost') return { ...attempt, open: false };
  const [run = attempt.run] = settleRun([attempt.run], attempt.run.run, event.facts, { ended: true });
  return { ...attempt, open: false, reported: true, run };
}
