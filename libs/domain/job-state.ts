import type {
  ExplorationStop,
  JobEvent,
  JobTerms,
  NextTry,
  PlanEntry,
  Retry,
  RetryRefusal,
  SkipReason,
  StepFailure,
  Totals,
} from './job-events';
import { openRun, releaseUnsubmittedRuns, settleRun, type RunState } from './job-ledger';
import { evolveSyntheses, type SynthesisAttempt } from './synthesis-attempts';
import type { JobStatus, StepStatus } from './vocabulary';

/** The fold of a job's stream: plain data, facts only. `version` 0 means that the job does not exist. */
export interface JobState extends JobTerms {
  version: number;
  status: JobStatus;
  steps: readonly StepState[];
  /** Paid tries to have the report written by a model. */
  syntheses: readonly SynthesisAttempt[];
  exploration: ExplorationState;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** Set by the final event and never again. */
  totals: Totals | null;
  /** Version of the event that holds the synthesis. */
  synthesisVersion: number | null;
  /** The synthesizer that wrote it, with its version. */
  synthesizer: string | null;
  erased: boolean;
}

/** How far the follow-on topics of a job with spidering have been looked for. */
export interface ExplorationState {
  /** Of the last round that began; 0 before the first. */
  round: number;
  /** The round waits for its topics. */
  open: boolean;
  stopReason: ExplorationStop | null;
}

export interface StepState {
  stepId: string;
  entry: PlanEntry;
  /** The follow-on topic that it looks into, and the version of the event that holds its text; null: the job's question. */
  topic: { topic: number; parent: number | null; version: number } | null;
  status: StepStatus;
  attempts: readonly AttemptState[];
  runs: readonly RunState[];
  /** The try that a queued step waits for after its first. */
  retry: Retry | null;
  /** Why it failed without another try, where one would have been worth it. */
  retryRefusal: RetryRefusal | null;
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
  markupBasisPoints: 0,
  synthesisReserveMicros: 0,
  deadlines: { queueMs: 0, jobMs: 0, synthesisMs: 0 },
  steps: [],
  syntheses: [],
  exploration: { round: 0, open: false, stopReason: null },
  createdAt: '',
  startedAt: null,
  completedAt: null,
  totals: null,
  synthesisVersion: null,
  synthesizer: null,
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
      return { ...next, ...facts, createdAt: at, steps: plan.map((entry) => plannedStep(entry, null)) };
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
      return state.spideringEnabled ? { ...next, exploration: stopExploring(state.exploration) } : next;
    case 'ExploreStarted':
      return { ...next, exploration: { ...state.exploration, round: event.facts.round, open: true } };
    case 'TopicsPlanned': {
      const planned = event.facts.topics.flatMap(({ topic, parent, steps }) =>
        steps.map((entry) => plannedStep(entry, { topic, parent, version: next.version })),
      );
      const exploration = { ...state.exploration, open: false, stopReason: event.facts.stopReason };
      return { ...next, exploration, steps: [...state.steps, ...planned] };
    }
    case 'SynthesisStarted':
      return { ...next, status: 'synthesizing' };
    case 'SynthesisClaimed':
    case 'SynthesisAttemptLost':
    case 'SynthesisSettled':
      return { ...next, syntheses: evolveSyntheses(state.syntheses, event) };
    case 'JobCompleted': {
      const synthesis = { synthesizer: event.facts.synthesizer, synthesisVersion: next.version };
      return { ...next, status: 'completed', completedAt: at, totals: totalsOf(event.facts), ...synthesis };
    }
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
      const { attempt, run, failure, runEnded } = event.facts;
      const reported = failure !== 'deadline' && failure !== 'cancelled';
      const settled = reported ? settleRun(step.runs, run, event.facts, runEnded, failure === 'not_called') : step.runs;
      return retryOrEnd({ ...closeAttempt(step, attempt, reported), runs: settled }, event.facts, at, failure, reported ? version : null);
    }
    case 'StepAttemptLost':
      return retryOrEnd(closeAttempt(step, event.facts.attempt, false), event.facts, at, 'lost', null);
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

const plannedStep = (entry: PlanEntry, topic: StepState['topic']): StepState => ({
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
});

function closeAttempt(step: StepState, attempt: number, reported: boolean): StepState {
  const close = (other: AttemptState) => ({ ...other, open: false, reported: other.reported || reported });
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

const stopExploring = (exploration: ExplorationState): ExplorationState => ({
  ...exploration,
  open: false,
  stopReason: exploration.stopReason ?? 'deadline',
});

const totalsOf = ({ chargedMicros, lostMicros, overrunMicros }: Totals): Totals => ({ chargedMicros, lostMicros, overrunMicros });

function unknownEvent(event: never): never {
  throw new Error(`unknown job event ${JSON.stringify(event)}: this version is older than the history it reads`);
}
