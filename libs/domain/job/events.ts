import type { Citation } from '../citation';
import type { EventShape } from '../event';
import type { ProcessIdentity } from '../process-identity';
import type {
  DeadlinePhase,
  ExplorationStop,
  JobOrigin,
  JobTerms,
  NextTry,
  PlanEntry,
  PlannedTopic,
  RecordedCall,
  RunCancellation,
  Settlement,
  SkipReason,
  StepFailure,
  SynthesisFailure,
  Totals,
} from './facts';
import type { RecordedReport } from './recorded-report';

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

/** Lists every type: a missing one does not compile. */
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

interface StepFacts {
  stepId: string;
  attempt: number;
  run: number;
}

export type JobRequested = EventShape<'JobRequested', JobTerms & JobOrigin & { plan: PlanEntry[] }, { query: string }>;
/** What the job holds of its tenant's balance until its final event settles it, in cents. Not recorded for jobs of a service without balances. */
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
/** The run turned out to be under way before its retry began: the retry now resumes that run, and the amount reserved for the retry is released. */
export type StepRetryRedirected = EventShape<'StepRetryRedirected', { stepId: string; run: number }>;
/** An operator had a step retried that ended without a report; the cost of the retry is reserved. */
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
/**
 * How we left a run that nobody needs any more. Its cost stays unknown unless a late result tells it. Schema version 1 did not record the outcome.
 */
export type StepRunCancelled = EventShape<'StepRunCancelled', { stepId: string; run: number; outcome: RunCancellation }>;
export type DeadlineReached = EventShape<'DeadlineReached', { phase: DeadlinePhase }>;
export type ExploreStarted = EventShape<'ExploreStarted', { round: number }>;
export type TopicsPlanned = EventShape<
  'TopicsPlanned',
  { round: number; topics: PlannedTopic[]; stopReason: ExplorationStop | null; process: ProcessIdentity | null },
  { topics: { topic: number; text: string; rationale: string }[] }
>;
export type SynthesisStarted = EventShape<'SynthesisStarted', { completedSteps: number }>;
/** Until the lease ends, only the holder of this claim may pay a model to write the summary. */
export type SynthesisClaimed = EventShape<
  'SynthesisClaimed',
  { attempt: number; claimId: string; reservedMicros: number; model: string; priceDate: string | null; process: ProcessIdentity | null }
>;
export type SynthesisAttemptLost = EventShape<'SynthesisAttemptLost', { attempt: number }>;
/** What a claimed attempt cost, which calls it made, and, if it gave no text, why. */
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
  RecordedReport
>;
export type JobFailed = EventShape<'JobFailed', Totals & { reason: 'no_step_completed' | 'not_started' | 'synthesis_failed' }>;
export type JobCancelled = EventShape<'JobCancelled', Totals & { reason: 'requested' | 'thread_deleted' }>;
/** Another job repeats steps of a job that has ended, for the rest of that job's budget. */
export type JobRedriven = EventShape<'JobRedriven', { jobId: string; stepIds: string[]; capCents: number }>;
export type ContentErased = EventShape<'ContentErased', { reason: 'thread_deleted' }>;

/** Events that end a job: after them only the cost of late results is recorded. */
export const FINAL_JOB_EVENTS = ['JobCompleted', 'JobFailed', 'JobCancelled'] as const;
export const isFinalEvent = (type: string): boolean => FINAL_JOB_EVENTS.some((final) => final === type);
