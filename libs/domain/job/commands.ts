import type { PlanCandidate } from '../budget';
import type { Citation } from '../citation';
import type { DeadlinePhase, FollowOnTopic, JobTerms, RecordedClaim, SynthesisFailure } from './events';
import type { Charge } from '../money';
import type { ErrorClass } from '../vocabulary';

/** What may be asked of a job. A command that comes too late or twice is no error: it decides nothing. */
export type JobCommand =
  | RequestJob
  | StartStep
  | RecordExternalId
  | RecordStep
  | LoseAttempt
  | ReachDeadline
  | RecordRunCancelled
  | ClaimSynthesis
  | LoseSynthesis
  | PlanTopics
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
/** Asks for the right to have the report written by a model, out of what the job kept back for that. */
export interface ClaimSynthesis {
  type: 'ClaimSynthesis';
  /** Random per try: a repeated request finds its own claim by it. */
  claimId: string;
  model: string;
  /** Of the price table that the charge will be computed from. */
  priceDate: string | null;
}
export interface LoseSynthesis {
  type: 'LoseSynthesis';
  attempt: number;
}
/** What an open round of exploration found, best first; `failed` says that it could not look. */
export interface PlanTopics {
  type: 'PlanTopics';
  round: number;
  topics: { topic: number; parent: number | null; text: string; rationale: string; candidates: PlanCandidate[] }[];
  failed: boolean;
}
export interface CompleteJob {
  type: 'CompleteJob';
  synthesizer: string;
  markdown: string;
  claims: RecordedClaim[];
  followOnTopics: FollowOnTopic[];
  /** Of a claimed synthesis, whether the report is the model's or not: what it cost, and why it gave none. An unknown charge is null. */
  paid?: { claimId: string; charge: Charge | null; failure: SynthesisFailure | null };
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
