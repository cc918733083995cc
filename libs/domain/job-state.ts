import type { JobEvent, JobTerms, PlanEntry, Retry, SkipReason, StepFailure, Totals } from './job-events';
import { openRun, releaseUnsubmittedRuns, settleRun, type RunState } from './job-ledger';
import type { JobStatus, StepStatus } from './vocabulary';

/** The fold of a job's stream: plain data, facts only. `version` 0 means that the job does not exist. */
export interface JobState extends JobTerms {
  version: number;
  status: JobStatus;
  steps: readonly StepState[];
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** Set by the final event and never again. */
  totals: Totals | null;
  /** Version of the event that holds the synthesis. */
  synthesisVersion: number | null;
  erased: boolean;
}

export interface StepState {
  stepId: string;
  entry: PlanEntry;
  status: StepStatus;
  attempts: readonly AttemptState[];
  runs: readonly RunState[];
  /** The try that a queued step waits for after its first. */
  retry: Retry | null;
  startedAt: string | null;
  completedAt: string | null;
  /** Version of the event whose content is the report, or the error's text. */
  contentVersion: number | null;
  /** Why the step did not complete. */
  failure: StepFailure | SkipReason | null;
  /** The report was cut to what a message may carry. */
  truncated: boolean;
}

export interface AttemptState {
  attempt: number;
  claimId: string;
  run: number;
  /** `open` until it reported or was taken from its worker. */
  open: boolean;
  /** Its result is in the history: another report of it changes nothing. */
  reported: boolean;
}

export const initialJob: JobState = {
  version: 0,
  status: 'pending',
  tenantId: '',
  threadId: '',
  parentJobId: null,
  budgetTier: 'M',
  budgetCapCents: 0,
  researchMode: 'fast',
  spideringEnabled: false,
  synthesisReserveMicros: 0,
  deadlines: { queueMs: 0, jobMs: 0, synthesisMs: 0 },
  steps: [],
  createdAt: '',
  startedAt: null,
  completedAt: null,
  totals: null,
  synthesisVersion: null,
  erased: false,
};

export const isFinal = (state: JobState): boolean => state.totals !== null;
export const isSettled = (step: StepState): boolean => step.status !== 'queued' && step.status !== 'running';

/** Runs that go on at their provider though nobody needs them: the step has settled, or its job is final. */
export const abandonedRuns = (state: JobState, step: StepState): RunState[] =>
  isFinal(state) || isSettled(step) ? step.runs.filter((run) => run.external !== null && !run.ended) : [];

/** Whether the step's turn has come: every step of an earlier wave has settled. */
export const isWaveOpen = (state: JobState, step: StepState): boolean =>
  state.steps.every((other) => other.entry.wave >= step.entry.wave || isSettled(other));

export function evolveJob(state: JobState, event: JobEvent, at: string): JobState {
  const next = { ...state, version: state.version + 1 };
  switch (event.type) {
    case 'JobRequested': {
      const { plan, ...facts } = event.facts;
      return { ...next, ...facts, createdAt: at, steps: plan.map(plannedStep) };
    }
    case 'StepSkipped':
    case 'StepStarted':
    case 'StepExternalIdRecorded':
    case 'StepCompleted':
    case 'StepFailed':
    case 'StepAttemptLost':
    case 'StepResultLate':
    case 'StepRunCancelled': {
      const steps = state.steps.map((step) => (step.stepId === event.facts.stepId ? evolveStep(step, event, at, next.version) : step));
      const started = event.type === 'StepStarted' && state.status === 'pending';
      return started ? { ...next, steps, status: 'running', startedAt: at } : { ...next, steps };
    }
    case 'DeadlineReached':
      return next;
    case 'SynthesisStarted':
      return { ...next, status: 'synthesizing' };
    case 'JobCompleted':
      return { ...next, status: 'completed', completedAt: at, totals: totalsOf(event.facts), synthesisVersion: next.version };
    case 'JobFailed':
      return { ...next, status: 'failed', completedAt: at, totals: totalsOf(event.facts) };
    case 'JobCancelled':
      return { ...next, status: 'cancelled', completedAt: at, totals: totalsOf(event.facts) };
    case 'ContentErased':
      return { ...next, erased: true };
    default:
      return unknownEvent(event);
  }
}

type StepEvent = Extract<JobEvent, { facts: { stepId: string } }>;

function evolveStep(step: StepState, event: StepEvent, at: string, version: number): StepState {
  switch (event.type) {
    case 'StepSkipped':
      return end({ ...step, runs: releaseUnsubmittedRuns(step.runs) }, 'skipped', at, event.facts.reason, null);
    case 'StepStarted': {
      const { attempt, claimId, run } = event.facts;
      const runs = step.runs.map((other) => (other.run === run ? { ...other, submitted: true } : other));
      const attempts = [...step.attempts, { attempt, claimId, run, open: true, reported: false }];
      return { ...step, status: 'running', retry: null, attempts, runs, startedAt: step.startedAt ?? at };
    }
    case 'StepExternalIdRecorded': {
      const { run, externalIdSha256 } = event.facts;
      const external = { sha256: externalIdSha256, version };
      return { ...step, runs: step.runs.map((other) => (other.run === run ? { ...other, external } : other)) };
    }
    case 'StepCompleted': {
      const runs = releaseUnsubmittedRuns(settleRun(step.runs, event.facts.run, event.facts, true));
      const { truncated } = event.facts;
      return end({ ...closeAttempt(step, event.facts.attempt, true), runs, truncated }, 'completed', at, null, version);
    }
    case 'StepFailed': {
      const { attempt, run, failure, retry, runEnded } = event.facts;
      const reported = failure !== 'deadline' && failure !== 'cancelled';
      const settled = reported ? settleRun(step.runs, run, event.facts, runEnded, failure === 'not_called') : step.runs;
      return retryOrEnd({ ...closeAttempt(step, attempt, reported), runs: settled }, retry, at, failure, reported ? version : null);
    }
    case 'StepAttemptLost':
      return retryOrEnd(closeAttempt(step, event.facts.attempt, false), event.facts.retry, at, 'lost', null);
    case 'StepRunCancelled': {
      const { run } = event.facts;
      return { ...step, runs: step.runs.map((other) => (other.run === run ? { ...other, ended: true } : other)) };
    }
    case 'StepResultLate': {
      const { attempt, run, runEnded } = event.facts;
      return { ...closeAttempt(step, attempt, true), runs: settleRun(step.runs, run, event.facts, runEnded) };
    }
  }
}

const plannedStep = (entry: PlanEntry): StepState => ({
  stepId: entry.stepId,
  entry,
  status: 'queued',
  attempts: [],
  runs: [openRun(1, entry.reservedMicros)],
  retry: null,
  startedAt: null,
  completedAt: null,
  contentVersion: null,
  failure: null,
  truncated: false,
});

function closeAttempt(step: StepState, attempt: number, reported: boolean): StepState {
  const close = (other: AttemptState) => ({ ...other, open: false, reported: other.reported || reported });
  return { ...step, attempts: step.attempts.map((other) => (other.attempt === attempt ? close(other) : other)) };
}

function retryOrEnd(step: StepState, retry: Retry | null, at: string, failure: StepFailure, contentVersion: number | null): StepState {
  const runs = releaseUnsubmittedRuns(step.runs);
  if (!retry) return end({ ...step, runs }, 'failed', at, failure, contentVersion);
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

const totalsOf = ({ chargedMicros, lostMicros, overrunMicros }: Totals): Totals => ({ chargedMicros, lostMicros, overrunMicros });

function unknownEvent(event: never): never {
  throw new Error(`unknown job event ${JSON.stringify(event)}: this version is older than the history it reads`);
}
