import { reservationFor } from '../budget';
import { DomainError } from '../errors';
import type { LoseAttempt, RecordExternalId, RecordRunCancelled, RecordStep, StartStep } from './commands';
import type { JobEvent, NextTry, RetryRefusal, StepFailure } from './events';
import { availableMicros, settlementOf, type PaidRun } from './reservations';
import { evolveJob, isFinal, isWaveOpen, type JobState } from './state';
import { isSettled, type AttemptState, type StepState } from './step';
import { RETRYABLE_ERROR_CLASSES } from '../vocabulary';

/** Paid submits of one step; attempts that resume a run do not count. */
export const MAX_SUBMITS = 3;
/** With an answer that could not be read: it may have been paid for, and the next may be no better. */
const MAX_SUBMITS_IF_MALFORMED = 2;
/** All attempts of one step, so that a step whose workers keep dying ends. */
export const MAX_ATTEMPTS = 10;
/** However long a provider asks us to wait. */
const MAX_RETRY_DELAY_MS = 3_600_000;

export function startStep({ stepId, claimId }: StartStep, state: JobState): JobEvent[] {
  const step = stepOf(state, stepId);
  const used = step.attempts.some((attempt) => attempt.claimId === claimId);
  if (isFinal(state) || used || step.status !== 'queued' || !isWaveOpen(state, step)) return [];
  const attempt = step.attempts.length + 1;
  const run = step.retry?.run ?? 1;
  const reservedMicros = runOf(step, run).reservedMicros;
  return [{ type: 'StepStarted', facts: { stepId, attempt, run, claimId, resumed: step.retry?.resumes ?? false, reservedMicros } }];
}

/** The answer to a claim: the attempt that this very claim opened, while it is still the one that counts. */
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

export function recordExternalId({ stepId, attempt, externalId, externalIdSha256 }: RecordExternalId, state: JobState): JobEvent[] {
  const step = stepOf(state, stepId);
  const { run } = attemptOf(step, attempt);
  if (state.erased || runOf(step, run).external) return [];
  return [{ type: 'StepExternalIdRecorded', facts: { stepId, attempt, run, externalIdSha256 }, content: { externalId } }];
}

export function recordStep({ stepId, attempt: number, result, jitter }: RecordStep, state: JobState, at: string): JobEvent[] {
  const step = stepOf(state, stepId);
  const attempt = attemptOf(step, number);
  if (attempt.reported) return [];
  const run = runOf(step, attempt.run);
  const facts = { stepId, attempt: number, run: run.run };
  const open = !isFinal(state) && !isSettled(step);
  if (result.outcome === 'completed') {
    const settlement = settlementOf(run, result.charge, state.markupBasisPoints);
    if (!open) return [{ type: 'StepResultLate', facts: { ...facts, ...settlement, outcome: 'completed', runEnded: true } }];
    const { reportMarkdown, citations, rawSha256, model, truncated } = result;
    const sizes = { reportLength: reportMarkdown.length, citationCount: citations.length };
    return [
      {
        type: 'StepCompleted',
        facts: { ...facts, ...settlement, rawSha256, model, truncated, ...sizes },
        content: { reportMarkdown, citations },
      },
    ];
  }
  // A run that was submitted before is not undone by an attempt that never got to call.
  const charge = result.errorClass === 'not_called' && run.external ? null : result.charge;
  const outcome = { ...facts, ...settlementOf(run, charge, state.markupBasisPoints), runEnded: result.runEnded };
  // An older attempt still speaks for the step while the retry that waits would resume its run.
  const current = attempt.open || (step.status === 'queued' && step.retry?.resumes === true && step.retry.run === run.run);
  if (!open || !current) return [{ type: 'StepResultLate', facts: { ...outcome, outcome: 'failed' } }];
  const failed = (next: NextTry): JobEvent => ({
    type: 'StepFailed',
    facts: { ...outcome, failure: result.errorClass, ...next },
    content: { errorMessage: result.errorMessage },
  });
  const after = evolveJob(state, failed(NO_OTHER_TRY), at);
  const delayMs = result.retryAfterMs ?? backoffMs(attempt.attempt, jitter ?? 1);
  return [failed(nextTry(after, stepOf(after, stepId), run.run, result.errorClass, delayMs, at))];
}

export function recordRunCancelled({ stepId, run }: RecordRunCancelled, state: JobState): JobEvent[] {
  return runOf(stepOf(state, stepId), run).ended ? [] : [{ type: 'StepRunCancelled', facts: { stepId, run } }];
}

export function loseAttempt({ stepId, attempt: number }: LoseAttempt, state: JobState, at: string): JobEvent[] {
  const step = stepOf(state, stepId);
  const attempt = attemptOf(step, number);
  if (isFinal(state) || step.status !== 'running' || !attempt.open) return [];
  const lost = (next: NextTry): JobEvent => ({
    type: 'StepAttemptLost',
    facts: { stepId, attempt: number, run: attempt.run, ...next },
  });
  const after = evolveJob(state, lost(NO_OTHER_TRY), at);
  return [lost(nextTry(after, stepOf(after, stepId), attempt.run, 'lost', 0, at))];
}

/** Doubles with each attempt up to a minute; half of it is left to chance. */
const backoffMs = (attempt: number, jitter: number): number => Math.round(Math.min(1000 * 2 ** (attempt - 1), 60_000) * (0.5 + jitter / 2));

export const NO_OTHER_TRY: NextTry = { retry: null, retryRefusal: null };

/** The next try of a step that just ended, with the reservation it needs, or why there is none to be had. */
function nextTry(state: JobState, step: StepState, run: number, failure: StepFailure, delayMs: number, at: string): NextTry {
  if (!(RETRYABLE_ERROR_CLASSES as readonly string[]).includes(failure)) return NO_OTHER_TRY;
  const leftMicros = availableMicros(state);
  const refused = (reason: RetryRefusal['reason']): NextTry => ({ retry: null, retryRefusal: { reason, leftMicros } });
  if (step.attempts.length >= MAX_ATTEMPTS) return refused('attempts');
  const submits = step.runs.filter((other) => other.submitted).length;
  const delay = Math.min(delayMs, MAX_RETRY_DELAY_MS);
  // A try after the deadline would never start; the step ends with what its provider said.
  if (Date.parse(at) + delay >= Date.parse(state.startedAt ?? at) + state.deadlines.jobMs) return refused('deadline');
  const { external, ended } = runOf(step, run);
  if (external && !ended) return { retry: { run, resumes: true, reservedMicros: 0, delayMs: delay }, retryRefusal: null };
  if (submits >= (failure === 'malformed' ? MAX_SUBMITS_IF_MALFORMED : MAX_SUBMITS)) return refused('attempts');
  const reservedMicros = reservationFor(step.entry, leftMicros);
  if (reservedMicros === null) return refused('budget');
  return { retry: { run: step.runs.length + 1, resumes: false, reservedMicros, delayMs: delay }, retryRefusal: null };
}

function stepOf(state: JobState, stepId: string): StepState {
  const step = state.steps.find((other) => other.stepId === stepId);
  if (!step) throw new DomainError('step_not_found');
  return step;
}

function attemptOf(step: StepState, number: number): AttemptState {
  const attempt = step.attempts[number - 1];
  if (!attempt) throw new DomainError('attempt_not_found');
  return attempt;
}

function runOf(step: StepState, number: number): PaidRun {
  const run = step.runs[number - 1];
  if (!run) throw new DomainError('attempt_not_found');
  return run;
}
