import type { Charge } from '../money';
import type { ProcessIdentity } from '../process-identity';
import type { BudgetTier, ErrorClass, ProviderId, ResearchMode } from '../vocabulary';

/** Types that a job's events, state and decisions share. Amounts are micro-dollars that the customer pays, except in a `Charge`. */

/** One provider's entry in the plan. Steps of a wave run in parallel; a wave opens when all earlier ones have settled. */
export interface PlanEntry {
  stepId: string;
  provider: ProviderId;
  adapter: string;
  model: string | null;
  /** Date of the price table for the reservation. */
  priceDate: string | null;
  minReserveMicros: number;
  maxReserveMicros: number;
  reservedMicros: number;
  wave: number;
}

/** A follow-on topic of a job with spidering, and the steps that research it. */
export interface PlannedTopic {
  /** Its number within the job, from 1. */
  topic: number;
  /** The topic whose reports mention it; null for topics of the job's own question. */
  parent: number | null;
  steps: PlanEntry[];
}

export interface Deadlines {
  /** From the request until the first step must have started. */
  queueMs: number;
  /** From the first start until the steps must have settled. */
  jobMs: number;
  /** How long the synthesis may take, counted from its second try. Before that it may wait up to `queueMs`. */
  synthesisMs: number;
}

/** How a charge with markup compares with its run's reservation: the customer pays `committed`, the operator `overrun`. */
export interface Settlement {
  charge: Charge | null;
  committedMicros: number;
  overrunMicros: number;
}

/** The next try of a step. The event that schedules it also reserves for it; a resumed run has its reservation already. */
export interface Retry {
  run: number;
  resumes: boolean;
  reservedMicros: number;
  delayMs: number;
}

/** Why a failure that deserves another try gets none, and how much of the budget was left then, in micro-dollars. */
export interface RetryRefusal {
  reason: 'budget' | 'deadline' | 'attempts';
  leftMicros: number;
}

/** What follows a failure: another try, or the reason why there is none. Both are null if another try could not help. */
export interface NextTry {
  retry: Retry | null;
  retryRefusal: RetryRefusal | null;
}

/** The ledger's totals, frozen by the final event. */
export interface Totals {
  chargedMicros: number;
  lostMicros: number;
  overrunMicros: number;
}

/**
 * Whether the provider agreed to stop a run. `not_offered`: its API has no call for it. `given_up`: it could not be asked within the allowed time
 * and number of tries.
 */
export const RUN_CANCELLATIONS = ['agreed', 'refused', 'not_offered', 'given_up', 'unknown'] as const;
export type RunCancellation = (typeof RUN_CANCELLATIONS)[number];
/** `circuit_open`: the provider was down for as long as the job could wait. */
export const SKIP_REASONS = ['budget', 'deadline', 'cancelled', 'circuit_open'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export type StepFailure = ErrorClass | 'deadline' | 'cancelled';
/** Why a model's text was not used. `unusable`: it broke the rules. */
export type SynthesisFailure = ErrorClass | 'unusable';
/** Why the search for topics ended: no topics, not enough money or time, the last round, or a failure of the search. */
export type ExplorationStop = 'no_topics' | 'budget' | 'deadline' | 'rounds' | 'failed';
export type DeadlinePhase = 'queue' | 'running' | 'synthesis';

/** What was requested, and under which conditions. It never changes. */
export interface JobTerms {
  tenantId: string;
  threadId: string;
  parentJobId: string | null;
  budgetTier: BudgetTier;
  budgetCapCents: number;
  researchMode: ResearchMode;
  spideringEnabled: boolean;
  /** Share added to what providers bill, in basis points: 100 are one percent. */
  markupBasisPoints: number;
  /** Kept back from the cap for a paid synthesis. */
  synthesisReserveMicros: number;
  deadlines: Deadlines;
}

/** What a client asked for. Null where it left the choice to the defaults, which are in the terms. */
export interface Asked {
  budgetTier: BudgetTier | null;
  researchMode: ResearchMode | null;
  spideringEnabled: boolean | null;
  providers: ProviderId[] | null;
}

/** Where a job comes from. It is only recorded; no decision depends on it. Null in histories of earlier builds. */
export interface JobOrigin {
  /** The message that the job answers; null for a job that pursues a topic of another job. */
  messageId: string | null;
  asked: Asked | null;
  /** SHA-256 of the settings that the job was planned by, as RFC 8785 JSON. */
  settingsSha256: string | null;
  process: ProcessIdentity | null;
}

/** The last call that an attempt made, as digests keyed with the thread's key. Null if a worker of an earlier build did not report it. */
export interface RecordedCall {
  /** Of the prompt: instructions, question, brief and context. Null if the attempt resumed a run and sent no prompt. */
  sentDigest: string | null;
  /** Digest of the provider's own id of the request. */
  requestIdDigest: string | null;
  /** The HTTP status. */
  status: number | null;
}
