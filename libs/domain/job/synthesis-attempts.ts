import type { SynthesisAttemptLost, SynthesisClaimed, SynthesisSettled } from './events';
import { openRun, settleRun, type PaidRun } from './reservations';

/** One try to have the report written by a model: a paid run that belongs to whoever claimed it. */
export interface SynthesisAttempt {
  attempt: number;
  claimId: string;
  /** Until it completed the job or was taken from its holder. */
  open: boolean;
  /** What came of it is in the history: another word about it changes nothing. */
  reported: boolean;
  run: PaidRun;
}

export type SynthesisAttemptEvent = SynthesisClaimed | SynthesisAttemptLost | SynthesisSettled;

export function evolveSyntheses(attempts: readonly SynthesisAttempt[], event: SynthesisAttemptEvent): readonly SynthesisAttempt[] {
  if (event.type === 'SynthesisClaimed') {
    const { attempt, claimId, reservedMicros } = event.facts;
    const run = { ...openRun(attempt, reservedMicros), submitted: true };
    return [...attempts, { attempt, claimId, open: true, reported: false, run }];
  }
  return attempts.map((attempt) => (attempt.attempt === event.facts.attempt ? closed(attempt, event) : attempt));
}

function closed(attempt: SynthesisAttempt, event: SynthesisAttemptLost | SynthesisSettled): SynthesisAttempt {
  if (event.type === 'SynthesisAttemptLost') return { ...attempt, open: false };
  const [run = attempt.run] = settleRun([attempt.run], attempt.run.run, event.facts, { ended: true });
  return { ...attempt, open: false, reported: true, run };
}
