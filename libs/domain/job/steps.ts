import type { Digest } from '../digest';
import type { LoseAttempt, RecordExternalId, RecordRunCancelled, RecordStep, SkipStep, StartStep } from './commands';
import type { JobEvent } from './events';
import type { NextTry } from './facts';
import { requireHolder, requireProvider } from './holder';
import { recordedCall } from './recorded-call';
import { settlementOf } from './reservations';
import { nextTry, NO_OTHER_TRY, pauseMs } from './retries';
import { evolveJob, isFinal, isWaveOpen, stepOf, type JobState } from './state';
import { attemptOf, isSettled, runOf, type StepState } from './step';
import { timeLeftMs } from './time-left';
import { plausibleCharge } from '../money';
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
  const { stepId, attempt: number, result, jitter, speaker } = command;
  const step = stepOf(state, stepId);
  const attempt = attemptOf(step, number);
  requireHolder(step, attempt, speaker);
  if (attempt.reported) return [];
  const run = runOf(step, attempt.run);
  const call = recordedCall(result.call, digest);
  const facts = { stepId, attempt: number, run: run.run, call };
  const requestId = result.call?.requestId ?? null;
  const open = !isFinal(state) && !isSettled(step);
  const told = result.charge && plausibleCharge(result.charge, run.reservedMicros);
  if (result.outcome === 'completed') {
    const settlement = settlementOf(run, told, state.markupBasisPoints);
    if (!open) return [{ type: 'StepResultLate', facts: { ...facts, ...settlement, outcome: 'completed', runEnded: true } }];
    const { reportMarkdown, citations, rawSha256, model, truncated } = result;
    const sizes = { reportLength: reportMarkdown.length, citationCount: citations.length };
    return [
      {
        type: 'StepCompleted',
        facts: { ...facts, ...settlement, rawDigest: digest('raw response', rawSha256), truncated, ...sizes },
        content: { reportMarkdown, citations, model, requestId },
      },
    ];
  }
  // An attempt that called nobody tells nothing about the cost of a run that an earlier attempt submitted.
  const charge = result.errorClass === 'not_called' && run.external ? null : told;
  const outcome = { ...facts, ...settlementOf(run, charge, state.markupBasisPoints), runEnded: result.runEnded };
  // A failure that an older attempt reports still counts if the waiting retry would resume the same run.
  const current = attempt.open || (step.status === 'queued' && step.retry?.resumes === true && step.retry.run === run.run);
  if (!open || !current) return [{ type: 'StepResultLate', facts: { ...outcome, outcome: 'failed' } }];
  const failed = (next: NextTry): JobEvent => ({
    type: 'StepFailed',
    facts: { ...outcome, failure: result.errorClass, ...next },
    content: { errorMessage: result.errorMessage, requestId },
  });
  const after = evolveJob(state, failed(NO_OTHER_TRY), at);
  const tried = { stepId, run: run.run, failure: result.errorClass, attempt: number };
  const delayMs = result.retryAfterMs ?? pauseMs(after, tried, at, jitter ?? 1);
  return [failed(nextTry(after, { ...tried, delayMs }, at))];
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
