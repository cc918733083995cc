import type { Citation } from '../citation';
import type { EventShape } from '../event';
import type { Charge } from '../money';
import type { BudgetTier, Confidence, ContradictionCue, ErrorClass, ProviderId, ResearchMode } from '../vocabulary';

/** The stream of a job, in the order in which a job can meet them. Amounts are micro-dollars of the customer, but for what a `Charge` says. */
export type JobEvent =
  | JobRequested
  | StepSkipped
  | StepStarted
  | StepExternalIdRecorded
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
  | ContentErased;

/** One provider's place in the plan. Steps of one wave run in parallel; a wave opens when all before it have settled. */
export interface PlanEntry {
  stepId: string;
  provider: ProviderId;
  adapter: string;
  model: string | null;
  /** Date of the price table that the reservation comes from. */
  priceDate: string | null;
  minReserveMicros: number;
  maxReserveMicros: number;
  reservedMicros: number;
  wave: number;
}

/** A follow-on topic of a job with spidering, and the steps that look into it. */
export interface PlannedTopic {
  /** Its number within the job, from 1. */
  topic: number;
  /** The topic whose reports it was found in; null: those of the job's own question. */
  parent: number | null;
  steps: PlanEntry[];
}

export interface Deadlines {
  /** From the request until a first step must have started. */
  queueMs: number;
  /** From the first start until the steps must have settled. */
  jobMs: number;
  synthesisMs: number;
}

/** How a charge, markup added, met its run's reservation: `committed` is the customer's, `overrun` the operator's. */
export interface Settlement {
  charge: Charge | null;
  committedMicros: number;
  overrunMicros: number;
}

/** The next try of a step, reserved in the event that schedules it. A resumed run brings its own reservation. */
export interface Retry {
  run: number;
  resumes: boolean;
  reservedMicros: number;
  delayMs: number;
}

/** Why a failure that is worth another try got none, and what was left of the budget then, in micro-dollars. */
export interface RetryRefusal {
  reason: 'budget' | 'deadline' | 'attempts';
  leftMicros: number;
}

/** What follows a failure: another try, or why there is none though it would be worth one. Both are null where no try could help. */
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

/** A statement of the report and who stands for it; its id is unique within the job. */
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

/** A sentence that cannot hold together with the claim, and what shows it; schema version 1 of the event recorded no cue. */
export interface RecordedContradiction extends RecordedEvidence {
  cue: ContradictionCue;
}

/** What would be worth pursuing next, in plain text: a dispute to settle or a gap to fill. */
export interface FollowOnTopic {
  /** A question or subject that can be pursued as it stands. */
  topic: string;
  rationale: string;
  kind: 'gap' | 'dispute';
  /** The job's claims that it comes from; none for what no claim mentions. */
  claimIds: string[];
}

export type SkipReason = 'budget' | 'deadline' | 'cancelled';
export type StepFailure = ErrorClass | 'deadline' | 'cancelled';
/** Why a model's report is not the job's; `unusable`: what it wrote broke the rules. */
export type SynthesisFailure = ErrorClass | 'unusable';
/** Why no further topics are looked for: nothing left to ask, not enough money or time, the last round, or the search itself failed. */
export type ExplorationStop = 'no_topics' | 'budget' | 'deadline' | 'rounds' | 'failed';
export type DeadlinePhase = 'queue' | 'running' | 'synthesis';

/** What was asked for and under which conditions; it stays the same for the job's whole life. */
export interface JobTerms {
  tenantId: string;
  threadId: string;
  parentJobId: string | null;
  budgetTier: BudgetTier;
  budgetCapCents: number;
  researchMode: ResearchMode;
  spideringEnabled: boolean;
  /** Added to what providers bill, as a share of it: 100 are one percent. */
  markupBasisPoints: number;
  /** Kept back from the cap for a synthesis that costs something. */
  synthesisReserveMicros: number;
  deadlines: Deadlines;
}

interface StepFacts {
  stepId: string;
  attempt: number;
  run: number;
}

export type JobRequested = EventShape<'JobRequested', JobTerms & { plan: PlanEntry[] }, { query: string }>;
export type StepSkipped = EventShape<'StepSkipped', { stepId: string; reason: SkipReason }>;
export type StepStarted = EventShape<'StepStarted', StepFacts & { claimId: string; resumed: boolean; reservedMicros: number }>;
export type StepExternalIdRecorded = EventShape<'StepExternalIdRecorded', StepFacts & { externalIdSha256: string }, { externalId: string }>;
export type StepCompleted = EventShape<
  'StepCompleted',
  StepFacts &
    Settlement & {
      /** Of the provider's raw response, before anything was parsed. */
      rawSha256: string;
      model: string | null;
      reportLength: number;
      citationCount: number;
      /** The report was cut to what a message may carry. */
      truncated: boolean;
    },
  { reportMarkdown: string; citations: Citation[] }
>;
export type StepFailed = EventShape<
  'StepFailed',
  StepFacts & Settlement & NextTry & { failure: StepFailure; runEnded: boolean },
  { errorMessage: string }
>;
export type StepAttemptLost = EventShape<'StepAttemptLost', StepFacts & NextTry>;
export type StepResultLate = EventShape<'StepResultLate', StepFacts & Settlement & { outcome: 'completed' | 'failed'; runEnded: boolean }>;
/** Nobody needs the run any more and the provider was told. What it cost stays unknown unless its result comes late. */
export type StepRunCancelled = EventShape<'StepRunCancelled', { stepId: string; run: number }>;
export type DeadlineReached = EventShape<'DeadlineReached', { phase: DeadlinePhase }>;
export type ExploreStarted = EventShape<'ExploreStarted', { round: number }>;
export type TopicsPlanned = EventShape<
  'TopicsPlanned',
  { round: number; topics: PlannedTopic[]; stopReason: ExplorationStop | null },
  { topics: { topic: number; text: string; rationale: string }[] }
>;
export type SynthesisStarted = EventShape<'SynthesisStarted', { completedSteps: number }>;
/** A model may be paid to write the report: by the holder of this claim alone, until its lease ends. */
export type SynthesisClaimed = EventShape<
  'SynthesisClaimed',
  { attempt: number; claimId: string; reservedMicros: number; model: string; priceDate: string | null }
>;
export type SynthesisAttemptLost = EventShape<'SynthesisAttemptLost', { attempt: number }>;
/** What a claimed attempt cost, and why it gave no report if it gave none. */
export type SynthesisSettled = EventShape<'SynthesisSettled', Settlement & { attempt: number; failure: SynthesisFailure | null }>;
export type JobCompleted = EventShape<
  'JobCompleted',
  Totals & { synthesizer: string; markdownLength: number; claimCount: number; followOnTopicCount: number },
  { markdown: string; claims: RecordedClaim[]; followOnTopics: FollowOnTopic[] }
>;
export type JobFailed = EventShape<'JobFailed', Totals & { reason: 'no_step_completed' | 'not_started' | 'synthesis_failed' }>;
export type JobCancelled = EventShape<'JobCancelled', Totals & { reason: 'requested' | 'thread_deleted' }>;
export type ContentErased = EventShape<'ContentErased', { reason: 'thread_deleted' }>;

/** Events after which nothing of a job changes but what late results cost. */
export const FINAL_JOB_EVENTS = ['JobCompleted', 'JobFailed', 'JobCancelled'] as const;
