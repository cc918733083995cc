import type { PlanCandidate } from './budget';
import type { Citation } from './citation';
import type { DeadlinePhase, FollowOnTopic, JobTerms, RecordedClaim } from './job-events';
import type { Charge } from './money';
import type { ErrorClass } from './vocabulary';

/** What may be asked of a job. A command that comes too late or twice is no error: it decides nothing. */
export type JobCommand =
  | RequestJob
  | StartStep
  | RecordExternalId
  | RecordStep
  | LoseAttempt
  | ReachDeadline
  | RecordRunCancelled
  | CompleteJob
  | FailSynthesis
  | CancelJob
  | EraseContent;

export interface RequestJob extends JobTerms {
  type: 'RequestJob';
  query: string;
  /** In the order of the plan; those whose minimum does not fit are skipped. */
  candidates: readonly PlanCandidate[];
}
export interface StartStep {
  type: 'StartStep';
  stepId: string;
  /** Random per handling of a delivery: a repeated request finds its own grant by it. */
  claimId: string;
}
export interface RecordExternalId {
  type: 'RecordExternalId';
  stepId: string;
  attempt: number;
  externalId: string;
  externalIdSha256: string;
}
export interface RecordStep {
  type: 'RecordStep';
  stepId: string;
  attempt: number;
  result: StepResult;
  /** From 0 to 1, random: spreads the retries of steps that failed together. Without it the wait is the longest. */
  jitter?: number;
}
export interface LoseAttempt {
  type: 'LoseAttempt';
  stepId: string;
  attempt: number;
}
export interface ReachDeadline {
  type: 'ReachDeadline';
  phase: DeadlinePhase;
}
/** The provider was told to stop a run that nobody needs any more, or knows nothing of it. */
export interface RecordRunCancelled {
  type: 'RecordRunCancelled';
  stepId: string;
  run: number;
}
export interface CompleteJob {
  type: 'CompleteJob';
  synthesizer: string;
  markdown: string;
  claims: RecordedClaim[];
  followOnTopics: FollowOnTopic[];
}
export interface FailSynthesis {
  type: 'FailSynthesis';
}
export interface CancelJob {
  type: 'CancelJob';
}
/** Ends the job if it is open and leaves a skeleton without content. */
export interface EraseContent {
  type: 'EraseContent';
}

/** What a worker reports of one attempt. An unknown charge (null) keeps the run's reservation. */
export type StepResult =
  | {
      outcome: 'completed';
      charge: Charge;
      rawSha256: string;
      model: string | null;
      reportMarkdown: string;
      citations: Citation[];
      truncated: boolean;
    }
  | {
      outcome: 'failed';
      errorClass: ErrorClass;
      errorMessage: string;
      charge: Charge | null;
      retryAfterMs: number | null;
      runEnded: boolean;
    };
