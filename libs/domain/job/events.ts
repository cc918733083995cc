import type { Citation } from '../citation';
import type { EventShape } from '../event';
import type { Charge } from '../money';
import type { ProcessIdentity } from '../process-identity';
import type { BudgetTier, Confidence, ContradictionCue, ErrorClass, ProviderId, ResearchMode } from '../vocabulary';

/** The events of a job, in their usual order. Amounts are micro-dollars of the customer, except in a `Charge` and of balances. */
export type JobEvent =
  | JobRequested
  | BalanceReserved
  | StepSkipped
  | StepStarted
  | StepExternalIdRecorded
  | StepRetryRedirected
  | StepRedriven
  | StepCompleted
  | StepFailed
  | StepAttemptLost
  | StepResultLate
  | StepRunCancelled
  | DeadlineReached
  | ExploreStarted
  | TopicsPlanned
  | SynthesisStarted
  | SynthesisClaimed
  | SynthesisAttemptLost
  | SynthesisSettled
  | JobCompleted
  | JobFailed
  | JobCancelled
  | JobRedriven
  | ContentErased;

/** A type that is missing here does not compile. */
const EACH_TYPE: Record<JobEvent['type'], true> = {
  JobRequested: true,
  BalanceReserved: true,
  StepSkipped: true,
  StepStarted: true,
  StepExternalIdRecorded: true,
  StepRetryRedirected: true,
  StepRedriven: true,
  StepCompleted: true,
  StepFailed: true,
  StepAttemptLost: true,
  StepResultLate: true,
  StepRunCancelled: true,
  DeadlineReached: true,
  ExploreStarted: true,
  TopicsPlanned: true,
  SynthesisStarted: true,
  SynthesisClaimed: true,
  SynthesisAttemptLost: true,
  SynthesisSettled: true,
  JobCompleted: true,
  JobFailed: true,
  JobCancelled: true,
  JobRedriven: true,
  ContentErased: true,
};
export const JOB_EVENT_TYPES: readonly string[] = Object.keys(EACH_TYPE);

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
  /** The topic whose reports mention it; null for those of the job's own question. */
  parent: number | null;
  steps: PlanEntry[];
}

export interface Deadlines {
  /** From the request until the first step must have started. */
  queueMs: number;
  /** From the first start until the steps must have settled. */
  jobMs: number;
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

/** Why there is no other try though the failure is worth one, and the rest of the budget at that time in micro-dollars. */
export interface RetryRefusal {
  reason: 'budget' | 'deadline' | 'attempts';
  leftMicros: number;
}

/** What follows a failure: another try, or the reason against it. Both are null if another try could not help. */
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

/** A statement of the report and the providers that support it; its id is unique within the job. */
export interface RecordedClaim {
  id: string;
  claim: string;
  confidence: Confidence;
  supporting: RecordedEvidence[];
  contradicting: RecordedContradiction[];
}

/** One provider's sentence behind a claim: `reportMarkdown.slice(start, end) === quote` holds for the step's report, in UTF-16 units. */
export interface RecordedEvidence {
  provider: ProviderId;
  stepId: string;
  quote: string;
  start: number;
  end: number;
  /** `Citation.index` values of the step's citations that the quote carries. */
  citationIndexes: number[];
}

/** A sentence that contradicts the claim, and the cue that shows it; schema version 1 of the event has no cue. */
export interface RecordedContradiction extends RecordedEvidence {
  cue: ContradictionCue;
}

/** A topic worth pursuing next, in plain text: a dispute to settle or a gap to fill. */
export interface FollowOnTopic {
  /** A question or subject that can be pursued as it stands. */
  topic: string;
  rationale: string;
  kind: 'gap' | 'dispute';
  /** The job's claims that it comes from; empty if no claim mentions it. */
  claimIds: string[];
}

/**
 * Whether the provider agreed to stop a run. `not_offered`: its API has no call for it. `given_up`: it could not be asked within the time and the
 * tries that there are for it.
 */
export const RUN_CANCELLATIONS = ['agreed', 'refused', 'not_offered', 'given_up', 'unknown'] as const;
export type RunCancellation = (typeof RUN_CANCELLATIONS)[number];
/** `circuit_open`: the provider was down for as long as the job could wait. */
export type SkipReason = 'budget' | 'deadline' | 'cancelled' | 'circuit_open';
export type StepFailure = ErrorClass | 'deadline' | 'cancelled';
/** Why a model's text was not used. `unusable`: it broke the rules. */
export type SynthesisFailure = ErrorClass | 'unusable';
/** Why the search for topics ended: no topics, not enough money or time, the last round, or a failure of the search. */
export type ExplorationStop = 'no_topics' | 'budget' | 'deadline' | 'rounds' | 'failed';
export type DeadlinePhase = 'queue' | 'running' | 'synthesis';

/** What was requested under which conditions; never changes. */
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

/** What a client asked for, each null where it was left to the defaults: the terms say what these were. */
export interface Asked {
  budgetTier: BudgetTier | null;
  researchMode: ResearchMode | null;
  spideringEnabled: boolean | null;
  providers: ProviderId[] | null;
}

/** Where a job comes from, for the record alone: nothing is decided by it. Null in histories of earlier builds. */
export interface JobOrigin {
  /** The message that it answers; null for a job that pursues another one. */
  messageId: string | null;
  asked: Asked | null;
  /** SHA-256 of the settings that the job was planned by, as RFC 8785 JSON. */
  settingsSha256: string | null;
  process: ProcessIdentity | null;
}

/** The last call that an attempt made, by digests that are keyed with the thread's key. Null where nobody said, as workers of an earlier build. */
export interface RecordedCall {
  /** Of the prompt: instructions, question, brief and context. Null where the attempt went on with a run and sent none. */
  sentDigest: string | null;
  /** Of the provider's own id of the request. */
  requestIdDigest: string | null;
  /** Of HTTP. */
  status: number | null;
}

interface StepFacts {
  stepId: string;
  attempt: number;
  run: number;
}

export type JobRequested = EventShape<'JobRequested', JobTerms & JobOrigin & { plan: PlanEntry[] }, { query: string }>;
/** What the job holds of its tenant's balance until its final event settles it, in cents. Jobs of a service without balances hold nothing. */
export type BalanceReserved = EventShape<'BalanceReserved', { cents: number }>;
export type StepSkipped = EventShape<'StepSkipped', { stepId: string; reason: SkipReason }>;
export type StepStarted = EventShape<
  'StepStarted',
  StepFacts & { claimId: string; resumed: boolean; reservedMicros: number; process: ProcessIdentity | null }
>;
export type StepExternalIdRecorded = EventShape<
  'StepExternalIdRecorded',
  StepFacts & { externalIdDigest: string | null },
  { externalId: string }
>;
/** The run turned out to be under way before the try that was to follow it began: that try resumes it, and what it had reserved is free. */
export type StepRetryRedirected = EventShape<'StepRetryRedirected', { stepId: string; run: number }>;
/** An operator had a step that ended without a report tried again; what the try may cost is reserved. */
export type StepRedriven = EventShape<'StepRedriven', { stepId: string; run: number; reservedMicros: number }>;
export type StepCompleted = EventShape<
  'StepCompleted',
  StepFacts &
    Settlement & {
      /** Keyed digest of the SHA-256 of the provider's unparsed response, in hexadecimal. */
      rawDigest: string | null;
      call: RecordedCall;
      reportLength: number;
      citationCount: number;
      /** The report was cut to the size limit of a message. */
      truncated: boolean;
    },
  /** The provider's names for the model and the request; schema version 1 had the model in its facts. */
  { reportMarkdown: string; citations: Citation[]; model?: string | null; requestId?: string | null }
>;
export type StepFailed = EventShape<
  'StepFailed',
  StepFacts & Settlement & NextTry & { failure: StepFailure; runEnded: boolean; call: RecordedCall },
  { errorMessage: string; requestId?: string | null }
>;
export type StepAttemptLost = EventShape<'StepAttemptLost', StepFacts & NextTry>;
export type StepResultLate = EventShape<
  'StepResultLate',
  StepFacts & Settlement & { outcome: 'completed' | 'failed'; runEnded: boolean; call: RecordedCall }
>;
/** How a run ended for us that nobody needs any more; its cost stays unknown unless a late result tells it. Schema version 1 did not say how. */
export type StepRunCancelled = EventShape<'StepRunCancelled', { stepId: string; run: number; outcome: RunCancellation }>;
export type DeadlineReached = EventShape<'DeadlineReached', { phase: DeadlinePhase }>;
export type ExploreStarted = EventShape<'ExploreStarted', { round: number }>;
export type TopicsPlanned = EventShape<
  'TopicsPlanned',
  { round: number; topics: PlannedTopic[]; stopReason: ExplorationStop | null; process: ProcessIdentity | null },
  { topics: { topic: number; text: string; rationale: string }[] }
>;
export type SynthesisStarted = EventShape<'SynthesisStarted', { completedSteps: number }>;
/** The holder of this claim alone may pay a model to write the summary, until the lease ends. */
export type SynthesisClaimed = EventShape<
  'SynthesisClaimed',
  { attempt: number; claimId: string; reservedMicros: number; model: string; priceDate: string | null; process: ProcessIdentity | null }
>;
export type SynthesisAttemptLost = EventShape<'SynthesisAttemptLost', { attempt: number }>;
/** What a claimed attempt cost, which calls it made, and why it gave no text if it gave none. */
export type SynthesisSettled = EventShape<
  'SynthesisSettled',
  Settlement & { attempt: number; failure: SynthesisFailure | null; calls: RecordedCall[] }
>;
export type JobCompleted = EventShape<
  'JobCompleted',
  Totals & {
    synthesizer: string;
    markdownLength: number;
    claimCount: number;
    followOnTopicCount: number;
    process: ProcessIdentity | null;
  },
  { markdown: string; claims: RecordedClaim[]; followOnTopics: FollowOnTopic[] }
>;
export type JobFailed = EventShape<'JobFailed', Totals & { reason: 'no_step_completed' | 'not_started' | 'synthesis_failed' }>;
export type JobCancelled = EventShape<'JobCancelled', Totals & { reason: 'requested' | 'thread_deleted' }>;
/** Steps of a job that has ended are asked again by another job, for what was left of this one's budget. */
export type JobRedriven = EventShape<'JobRedriven', { jobId: string; stepIds: string[]; capCents: number }>;
export type ContentErased = EventShape<'ContentErased', { reason: 'thread_deleted' }>;

/** Events that end a job: after them only the cost of late results is recorded. */
export const FINAL_JOB_EVENTS = ['JobCompleted', 'JobFailed', 'JobCancelled'] as const;
