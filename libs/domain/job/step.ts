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
    case 'StepSkipped':
      return end({ ...step, version, runs: releaseUnsubmittedRuns(step.runs) }, 'skipped', at, event.facts.reason, null);
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
      return end({ ...closeAttempt(step, event.facts.attempt, true), version, runs, truncated }, 'completed', at, null, version);
    }
    case 'StepFailed': {
      const { attempt, run, failure, runEnded } = event.facts;
      const reported = failure !== 'deadline' && failure !== 'cancelled';
      const settled = reported
        ? settleRun(step.runs, run, event.facts, { ended: runEnded, neverSubmitted: failure === 'not_called' })
        : step.runs;
      const closed = closeAttempt(step, attempt, reported, failure === 'not_called');
      return retryOrEnd({ ...closed, version, runs: settled }, event.facts, at, failure, reported ? version : null);
    }
    case 'StepAttemptLost':
      return retryOrEnd({ ...closeAttempt(step, event.facts.attempt, false), version }, event.facts, at, 'lost', null);
    case 'StepRunCancelled': {
      const { run } = event.facts;
      return { ...step, runs: step.runs.map((other) => (other.run === run ? { ...other, ended: true } : other)) };
    }
    case 'StepResultLate': {
      const { attempt, run, runEnded } = event.facts;
      return { ...closeAttempt(step, attempt, true), runs: settleRun(step.runs, run, event.facts, { ended: runEnded }) };
    }
  }
}

/** @param version of the event that planned it */
export const plannedStep = (entry: PlanEntry, topic: StepState['topic'], version: number): StepState => ({
  stepId: entry.stepId,
  entry,
  topic,
  status: 'queued',
  attempts: [],
  runs: [openRun(1, entry.reservedMicros)],
  retry: null,
  retryRefusal: null,
  startedAt: null,
  completedAt: null,
  contentVersion: null,
  failure: null,
  truncated: false,
  version,
});

function closeAttempt(step: StepState, attempt: number, reported: boolean, returned = false): StepState {
  const close = (other: AttemptState) => ({ ...other, open: false, reported: other.reported || reported, returned });
  return { ...step, attempts: step.attempts.map((other) => (other.attempt === attempt ? close(other) : other)) };
}

function retryOrEnd(step: StepState, next: NextTry, at: string, failure: StepFailure, contentVersion: number | null): StepState {
  const { retry, retryRefusal } = next;
  const runs = releaseUnsubmittedRuns(step.runs);
  if (!retry) return end({ ...step, runs, retryRefusal }, 'failed', at, failure, contentVersion);
  return { ...step, status: 'queued', retry, runs: retry.resumes ? runs : [...runs, openRun(retry.run, retry.reservedMicros)] };
}

const end = (step: StepState, status: StepStatus, at: string, failure: StepState['failure'], contentVersion: number | null): StepState => ({
  ...step,
  status,
  retry: null,
  completedAt: at,
  failure,
  contentVersion,
});
