import type { JobEvent, JobRedriven } from './events';
import type { ExplorationStop, JobTerms, Totals } from './facts';
import type { PaidRun } from './reservations';
import { evolveStep, isSettled, plannedStep, type StepState } from './step';
import { evolveSyntheses, type SynthesisAttempt } from './synthesis-attempts';
import { DomainError } from '../errors';
import { unknownEvent } from '../event';
import type { JobStatus } from '../vocabulary';

/** The state of a job, folded from the facts of its events. `version` 0: the job does not exist. */
export interface JobState extends JobTerms {
  version: number;
  status: JobStatus;
  steps: readonly StepState[];
  /** Paid attempts at having a model write the summary. */
  syntheses: readonly SynthesisAttempt[];
  exploration: ExplorationState;
  /** What it reserves from its tenant's balance until its final event, in cents. */
  balanceReservedCents: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** Set by the final event only. */
  totals: Totals | null;
  /** Version of the event that holds the synthesis. */
  synthesisVersion: number | null;
  /** Name and version of the synthesizer that wrote the synthesis. */
  synthesizer: string | null;
  erased: boolean;
  /** The jobs that repeat failed steps of this job, after its end; absent if there are none. */
  redrives?: readonly JobRedriven['facts'][];
  /** Version of the event that began the job's present phase: its request, its first start, or its synthesis. */
  phaseVersion: number;
  /** When that event occurred. */
  phaseAt: string;
}

/** Progress of the search for follow-on topics. */
export interface ExplorationState {
  /** Number of the last round that began; 0 before the first. */
  round: number;
  /** Whether the round is waiting for its topics. */
  open: boolean;
  /** Version of the event that began it; null before the first. */
  version: number | null;
  stopReason: ExplorationStop | null;
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
  exploration: { round: 0, open: false, version: null, stopReason: null },
  balanceReservedCents: 0,
  createdAt: '',
  startedAt: null,
  completedAt: null,
  totals: null,
  synthesisVersion: null,
  synthesizer: null,
  erased: false,
  phaseVersion: 0,
  phaseAt: '',
};

export const isFinal = (state: JobState): boolean => state.totals !== null;

/** Runs that continue at their provider although nobody needs them: their step has settled, or the job is final. */
export const abandonedRuns = (state: JobState, step: StepState): PaidRun[] =>
  isFinal(state) || isSettled(step) ? step.runs.filter((run) => run.external !== null && !run.ended) : [];

/** Whether all steps of earlier waves have settled. */
export const isWaveOpen = (state: JobState, step: StepState): boolean =>
  state.steps.every((other) => other.entry.wave >= step.entry.wave || isSettled(other));

export const findStep = ({ steps }: Pick<JobState, 'steps'>, stepId: string | null): StepState | undefined =>
  steps.find((step) => step.stepId === stepId);

export function stepOf(state: JobState, stepId: string): StepState {
  const step = findStep(state, stepId);
  if (!step) throw new DomainError('step_not_found');
  return step;
}

export function evolveJob(state: JobState, event: JobEvent, at: string): JobState {
  const next = { ...state, version: state.version + 1 };
  switch (event.type) {
    case 'JobRequested': {
      const { plan } = event.facts;
      return {
        ...next,
        ...termsOf(event.facts),
        createdAt: at,
        ...phaseFrom(next, at),
        steps: plan.map((entry) => plannedStep(entry, null, { version: next.version, at })),
      };
    }
    case 'BalanceReserved':
      return { ...next, balanceReservedCents: event.facts.cents };
    case 'StepSkipped':
    case 'StepStarted':
    case 'StepExternalIdRecorded':
    case 'StepRetryRedirected':
    case 'StepRedriven':
    case 'StepCompleted':
    case 'StepFailed':
    case 'StepAttemptLost':
    case 'StepResultLate':
    case 'StepRunCancelled': {
      const steps = state.steps.map((step) => (step.stepId === event.facts.stepId ? evolveStep(step, event, at, next.version) : step));
      const started = event.type === 'StepStarted' && state.status === 'pending';
      return started ? { ...next, steps, status: 'running', startedAt: at, ...phaseFrom(next, at) } : { ...next, steps };
    }
    case 'DeadlineReached':
      return state.spideringEnabled ? { ...next, exploration: stopExploring(state.exploration) } : next;
    case 'ExploreStarted':
      return { ...next, exploration: { ...state.exploration, round: event.facts.round, open: true, version: next.version } };
    case 'TopicsPlanned': {
      const planned = event.facts.topics.flatMap(({ topic, parent, steps }) =>
        steps.map((entry) => plannedStep(entry, { topic, parent, version: next.version }, { version: next.version, at })),
      );
      const exploration = { ...state.exploration, open: false, stopReason: event.facts.stopReason };
      return { ...next, exploration, steps: [...state.steps, ...planned] };
    }
    case 'SynthesisStarted':
      return { ...next, status: 'synthesizing', ...phaseFrom(next, at) };
    case 'SynthesisClaimed':
    case 'SynthesisAttemptLost':
    case 'SynthesisSettled':
      return { ...next, syntheses: evolveSyntheses(state.syntheses, event, next.version) };
    case 'JobCompleted': {
      const synthesis = { synthesizer: event.facts.synthesizer, synthesisVersion: next.version };
      return { ...next, status: 'completed', completedAt: at, totals: totalsIn(event.facts), ...synthesis };
    }
    case 'JobFailed':
      return { ...next, status: 'failed', completedAt: at, totals: totalsIn(event.facts) };
    case 'JobCancelled':
      return { ...next, status: 'cancelled', completedAt: at, totals: totalsIn(event.facts) };
    case 'JobRedriven': {
      const { jobId, stepIds, capCents } = event.facts;
      return { ...next, redrives: [...(state.redrives ?? []), { jobId, stepIds, capCents }] };
    }
    case 'ContentErased':
      return { ...next, erased: true };
    default:
      return unknownEvent('job', event);
  }
}

const phaseFrom = ({ version }: JobState, at: string) => ({ phaseVersion: version, phaseAt: at });

/** Only the terms. The job's origin is not part of the state, since no decision depends on it. */
const termsOf = ({ tenantId, threadId, parentJobId, budgetTier, budgetCapCents, researchMode, ...rest }: JobTerms): JobTerms => {
  const { spideringEnabled, markupBasisPoints, synthesisReserveMicros, deadlines } = rest;
  const asked = { tenantId, threadId, parentJobId, budgetTier, budgetCapCents, researchMode, spideringEnabled };
  return { ...asked, markupBasisPoints, synthesisReserveMicros, deadlines };
};

const stopExploring = (exploration: ExplorationState): ExplorationState => ({
  ...exploration,
  open: false,
  stopReason: exploration.stopReason ?? 'deadline',
});

const totalsIn = ({ chargedMicros, lostMicros, overrunMicros }: Totals): Totals => ({ chargedMicros, lostMicros, overrunMicros });
