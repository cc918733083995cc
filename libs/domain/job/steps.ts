import type { Digest } from '../digest';
import type {
  CompletedResult,
  FailedResult,
  LoseAttempt,
  RecordExternalId,
  RecordRunCancelled,
  RecordStep,
  SkipStep,
  StartStep,
} from './commands';
import type { JobEvent } from './events';
import type { NextTry, RecordedCall } from './facts';
import { requireHolder, requireProvider } from './holder';
import { recordedCall } from './recorded-call';
import { settlementOf, type PaidRun } from './reservations';
import { nextTry, NO_OTHER_TRY, pauseMs } from './retries';
import { evolveJob, isFinal, isWaveOpen, stepOf, type JobState } from './state';
import { attemptOf, isSettled, runOf, type AttemptState, type StepState } from './step';
import { timeLeftMs } from './time-left';
import { plausibleCharge, type Charge } from '../money';
import type { ProviderId } from '../vocabulary';

export function startStep(
  { stepId, claimId, seenAttempts = Infinity, process, speaker }: StartStep,
  state: JobState,
  at: string,
): JobEvent[] {
  const step = stepOf(state, stepId);
  requireProvider(step, speaker);
  const used = step.attempts.some((attempt) => attempt.claimId === claimId);
  if (isFinal(state) || used || step.status !== 'queued' || !isWaveOpen(state, step) || step.attempts.length > seenAttempts) return [];
  // No time is left for a call. The deadline is due and will skip the step.
  if (timeLeftMs(state, at) <= 0) return [];
  const attempt = step.attempts.length + 1;
  const run = step.retry?.run ?? 1;
  const reservedMicros = runOf(step, run).reservedMicros;
  const resumed = step.retry?.resumes ?? false;
  return [{ type: 'StepStarted', facts: { stepId, attempt, run, claimId, resumed, reservedMicros, process: process ?? null } }];
}

/** A step that waits to resume a run is not skipped: its run is already at the provider. */
export function skipStep({ stepId, reason }: SkipStep, state: JobState): JobEvent[] {
  const step = stepOf(state, stepId);
  if (isFinal(state) || step.status !== 'queued' || step.retry?.resumes) return [];
  return [{ type: 'StepSkipped', facts: { stepId, reason } }];
}

/** The open steps of a job that already has a report, if all of them wait for providers that are down: the job need not wait for them. */
export function dispensableSteps(state: JobState, isDown: (provider: ProviderId) => boolean): StepState[] {
  if (isFinal(state) || !state.steps.some(({ status }) => status === 'completed')) return [];
  const open = state.steps.filter((step) => !isSettled(step));
  const waits = ({ status, retry, entry }: StepState) => status === 'queued' && !retry?.resumes && isDown(entry.provider);
  return open.every(waits) ? open : [];
}

export function recordExternalId(command: RecordExternalId, state: JobState, digest: Digest): JobEvent[] {
  const { stepId, attempt, externalId, speaker } = command;
  const step = stepOf(state, stepId);
  const told = attemptOf(step, attempt);
  requireHolder(step, told, speaker);
  const { run } = told;
  if (state.erased || runOf(step, run).external) return [];
  const facts = { stepId, attempt, run, externalIdDigest: digest('external id', externalId) };
  const recorded: JobEvent = { type: 'StepExternalIdRecorded', facts, content: { externalId } };
  const { held, ended } = runOf(step, run);
  // The waiting retry would pay for another run while this one continues, so it resumes this one instead. Exception: if the worker said that it never
  // called the provider, nothing is reserved for the run any more, and it is cancelled.
  const wouldPayAgain = step.status === 'queued' && step.retry?.resumes === false && held && !ended;
  return wouldPayAgain ? [recorded, { type: 'StepRetryRedirected', facts: { stepId, run } }] : [recorded];
}

export function recordStep(command: RecordStep, state: JobState, at: string, digest: Digest): JobEvent[] {
  const { stepId, attempt: number, result, speaker } = command;
  const step = stepOf(state, stepId);
  const attempt = attemptOf(step, number);
  requireHolder(step, attempt, speaker);
  if (attempt.reported) return [];
  const run = runOf(step, attempt.run);
  const reported: Reported = {
    ...{ step, attempt, run },
    facts: { stepId, attempt: number, run: run.run, call: recordedCall(result.call, digest) },
    charge: result.charge && plausibleCharge(result.charge, run.reservedMicros),
    isOpen: !isFinal(state) && !isSettled(step),
  };
  return result.outcome === 'completed'
    ? [recordReport(result, reported, state, digest)]
    : [recordFailure(result, reported, state, { at, jitter: command.jitter ?? 1 })];
}

/** What a worker reported, beside its result. */
interface Reported {
  step: StepState;
  attempt: AttemptState;
  run: PaidRun;
  facts: { stepId: string; attempt: number; run: number; call: RecordedCall };
  charge: Charge | null;
  /** The step has not ended, nor has its job. */
  isOpen: boolean;
}

function recordReport(result: CompletedResult, { run, facts, charge, isOpen }: Reported, state: JobState, digest: Digest): JobEvent {
  const settlement = settlementOf(run, charge, state.markupBasisPoints);
  if (!isOpen) return { type: 'StepResultLate', facts: { ...facts, ...settlement, outcome: 'completed', runEnded: true } };
  const { reportMarkdown, citations, rawSha256, model, truncated, call } = result;
  const sizes = { reportLength: reportMarkdown.length, citationCount: citations.length };
  return {
    type: 'StepCompleted',
    facts: { ...facts, ...settlement, rawDigest: digest('raw response', rawSha256), truncated, ...sizes },
    content: { reportMarkdown, citations, model, requestId: call?.requestId ?? null },
  };
}

function recordFailure(
  { errorClass: failure, errorMessage, retryAfterMs, runEnded, call }: FailedResult,
  { step, attempt, run, facts, charge, isOpen }: Reported,
  state: JobState,
  { at, jitter }: { at: string; jitter: number },
): JobEvent {
  // An attempt that called nobody tells nothing about the cost of a run that an earlier attempt submitted.
  const known = failure === 'not_called' && run.external ? null : charge;
  const outcome = { ...facts, ...settlementOf(run, known, state.markupBasisPoints), runEnded };
  // A failure that an older attempt reports still counts if the waiting retry would resume the same run.
  const isCurrent = attempt.open || (step.status === 'queued' && step.retry?.resumes === true && step.retry.run === run.run);
  if (!isOpen || !isCurrent) return { type: 'StepResultLate', facts: { ...outcome, outcome: 'failed' } };
  const failed = (next: NextTry): JobEvent => ({
    type: 'StepFailed',
    facts: { ...outcome, failure, ...next },
    content: { errorMessage, requestId: call?.requestId ?? null },
  });
  const after = evolveJob(state, failed(NO_OTHER_TRY), at);
  const tried = { stepId: facts.stepId, run: run.run, failure, attempt: attempt.attempt };
  const delayMs = retryAfterMs ?? pauseMs(after, tried, at, jitter);
  return failed(nextTry(after, { ...tried, delayMs }, at));
}

export function recordRunCancelled({ stepId, run, outcome, speaker }: RecordRunCancelled, state: JobState): JobEvent[] {
  const step = stepOf(state, stepId);
  requireProvider(step, speaker);
  return runOf(step, run).ended ? [] : [{ type: 'StepRunCancelled', facts: { stepId, run, outcome } }];
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
  return [lost(nextTry(after, { stepId, run: attempt.run, failure: 'lost', delayMs: 0 }, at))];
}
