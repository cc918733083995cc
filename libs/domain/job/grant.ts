import type { PaidRun } from './reservations';
import { isFinal, stepOf, type JobState } from './state';
import { isSettled, runOf, type AttemptState, type StepState } from './step';

/** The answer to a worker's claim: the attempt that this claim opened, if it is still open. */
export type Grant =
  | { granted: true; step: StepState; attempt: AttemptState; run: PaidRun }
  | { granted: false; reason: 'job_final' | 'step_settled' | 'claim_used' | 'claimed_by_another' | 'not_due' };

export function grantOf(state: JobState, stepId: string, claimId: string): Grant {
  const step = stepOf(state, stepId);
  if (isFinal(state)) return { granted: false, reason: 'job_final' };
  if (isSettled(step)) return { granted: false, reason: 'step_settled' };
  const attempt = step.attempts.find((other) => other.claimId === claimId);
  if (attempt?.open) return { granted: true, step, attempt, run: runOf(step, attempt.run) };
  if (attempt) return { granted: false, reason: 'claim_used' };
  return { granted: false, reason: step.status === 'running' ? 'claimed_by_another' : 'not_due' };
}
