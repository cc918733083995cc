import { DomainError } from '../errors';
import type { JobEvent } from './events';
import type { NextTry, PlanEntry, Retry, RetryRefusal, SkipReason, StepFailure } from './facts';
import { openRun, releaseUnsubmittedRuns, settleRun, type PaidRun } from './reservations';
import type { StepStatus } from '../vocabulary';

/** The state of one provider's part of a job. */
export interface StepState {
  stepId: string;
  entry: PlanEntry;
  /** The follow-on topic that it researches, with the version of the event that holds the text; null for the job's question. */
  topic: { topic: number; parent: number | null; version: number } | null;
  status: StepStatus;
  attempts: readonly AttemptState[];
  runs: readonly PaidRun[];
  /** The next try that a queued step is waiting for. */
  retry: (Retry & { redirected?: true }) | null;
  /** Why there was no other try, if the failure was worth one. */
  retryRefusal: RetryRefusal | null;
  plannedAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** Version of the event whose content is the report or the error message. */
  contentVersion: number | null;
  /** Why the step did not complete. */
  failure: StepFailure | SkipReason | null;
  /** The report was cut to the size limit of a message. */
  truncated: boolean;
  /** Version of the latest event that planned it, ended a try, or ended the step. */
  version: number;
}

export interface AttemptState {
  attempt: number;
  /** Version of the event that granted it. */
  version: number;
  claimId: string;
  run: number;
  /** True until it reported or was taken from its worker. */
  open: boolean;
  /** Its result is recorded; another report has no effect. */
  reported: boolean;
  /** Its worker did not call the provider: the grant came too late, or the worker was stopping. Such an attempt does not count. */
  returned: boolean;
}

export const isSettled = (step: StepState): boolean => step.status !== 'queued' && step.status !== 'running';

export function attemptOf(step: StepState, number: number): AttemptState {
  const attempt = step.attempts[number - 1];
  if (!attempt) throw new DomainError('attempt_not_found');
  return attempt;
}

/** Whether a lost attempt's run may still be used: its id is not known yet, and the next try, of another run, has not begun. */
export function isUnfollowed({ status, retry, attempts, runs }: StepState, number: number): boolean {
  const run = attempts[number - 1]?.run;
  return (
    status === 'queued' && retry?.resumes === false && runs.some((other) => other.run === run && other.held && other.external === null)
  );
}

export function runOf(step: StepState, number: number): PaidRun {
  const run = step.runs[number - 1];
  if (!run) throw new DomainError('attempt_not_found');
  return run;
}

type StepEvent = Extract<JobEvent, { facts: { stepId: string } }>;

export function evolveStep(step: StepState, event: StepEvent, at: string, version: number): StepState {
  switch (event.type) {
    case 'StepSkipped': {
      const { reason: failure } = event.facts;
      return end({ ...step, version, runs: releaseUnsubmittedRuns(step.runs) }, { status: 'skipped', at, failure, contentVersion: null });
    }
    case 'StepStarted': {
      const { attempt, claimId, run } = event.facts;
      const runs = step.runs.map((other) => (other.run === run ? { ...other, submitted: true } : other));
      const attempts = [...step.attempts, { attempt, version, claimId, run, open: true, reported: false, returned: false }];
      return { ...step, status: 'running', retry: null, attempts, runs, startedAt: step.startedAt ?? at };
    }
    case 'StepExternalIdRecorded': {
      const { run } = event.facts;
      const external = { version };
      return { ...step, runs: step.runs.map((other) => (other.run === run ? { ...other, external } : other)) };
    }
    case 'StepRetryRedirected': {
      const retry = { run: event.facts.run, resumes: true, reservedMicros: 0, delayMs: 0, redirected: true as const };
      return { ...step, version, retry, runs: releaseUnsubmittedRuns(step.runs) };
    }
    case 'StepRedriven': {
      const { run, reservedMicros } = event.facts;
      const retry = { run, resumes: false, reservedMicros, delayMs: 0 };
      const open = { status: 'queued' as const, retry, retryRefusal: null, completedAt: null, contentVersion: null, failure: null };
      return { ...step, ...open, version, runs: [...step.runs, openRun(run, reservedMicros)] };
    }
    case 'StepCompleted': {
      const runs = releaseUnsubmittedRuns(settleRun(step.runs, event.facts.run, event.facts, { ended: true }));
      const { truncated } = event.facts;
      const closed = { ...closeAttempt(step, event.facts.attempt, 'reported'), version, runs, truncated };
      return end(closed, { status: 'completed', at, failure: null, contentVersion: version });
    }
    case 'StepFailed': {
      const { attempt, run, failure, runEnded } = event.facts;
      const ending = endingOf(failure);
      const closed = { ...closeAttempt(step, attempt, ending), version };
      if (ending === 'taken') return retryOrEnd(closed, event.facts, { at, failure, contentVersion: null });
      const runs = settleRun(step.runs, run, event.facts, { ended: runEnded, neverSubmitted: ending === 'returned' });
      return retryOrEnd({ ...closed, runs }, event.facts, { at, failure, contentVersion: version });
    }
    case 'StepAttemptLost': {
      const closed = { ...closeAttempt(step, event.facts.attempt, 'taken'), version };
      return retryOrEnd(closed, event.facts, { at, failure: 'lost', contentVersion: null });
    }
    case 'StepRunCancelled': {
      const { run } = event.facts;
      return { ...step, runs: step.runs.map((other) => (other.run === run ? { ...other, ended: true } : other)) };
    }
    case 'StepResultLate': {
      const { attempt, run, runEnded } = event.facts;
      return { ...closeAttempt(step, attempt, 'reported'), runs: settleRun(step.runs, run, event.facts, { ended: runEnded }) };
    }
  }
}

/** @param planned the event that planned it: its version, and when it happened */
export const plannedStep = (entry: PlanEntry, topic: StepState['topic'], { version, at }: { version: number; at: string }): StepState => ({
  stepId: entry.stepId,
  entry,
  topic,
  status: 'queued',
  attempts: [],
  runs: [openRun(1, entry.reservedMicros)],
  retry: null,
  retryRefusal: null,
  plannedAt: at,
  startedAt: null,
  completedAt: null,
  contentVersion: null,
  failure: null,
  truncated: false,
  version,
});

/** How an attempt ended: its worker reported a result, or returned it without a call of the provider, or it was taken from its worker. */
type Ending = 'reported' | 'returned' | 'taken';

function endingOf(failure: StepFailure): Ending {
  if (failure === 'deadline' || failure === 'cancelled') return 'taken';
  return failure === 'not_called' ? 'returned' : 'reported';
}

function closeAttempt(step: StepState, attempt: number, ending: Ending): StepState {
  const [reported, returned] = [ending !== 'taken', ending === 'returned'];
  const close = (other: AttemptState) => ({ ...other, open: false, reported: other.reported || reported, returned });
  return { ...step, attempts: step.attempts.map((other) => (other.attempt === attempt ? close(other) : other)) };
}

interface StepEnd extends Pick<StepState, 'status' | 'failure' | 'contentVersion'> {
  at: string;
}

function retryOrEnd(step: StepState, { retry, retryRefusal }: NextTry, failed: Omit<StepEnd, 'status'>): StepState {
  const runs = releaseUnsubmittedRuns(step.runs);
  if (!retry) return end({ ...step, runs, retryRefusal }, { ...failed, status: 'failed' });
  return { ...step, status: 'queued', retry, runs: retry.resumes ? runs : [...runs, openRun(retry.run, retry.reservedMicros)] };
}

const end = (step: StepState, { at, status, failure, contentVersion }: StepEnd): StepState => ({
  ...step,
  status,
  retry: null,
  completedAt: at,
  failure,
  contentVersion,
});
