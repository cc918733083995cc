import type { PlanCandidate } from '../budget';
import type { Citation } from '../citation';
import type { DeadlinePhase, JobOrigin, JobTerms, RunCancellation, SynthesisFailure } from './facts';
import type { WrittenReport } from './recorded-report';
import type { Speaker } from './holder';
import type { Charge } from '../money';
import type { ProcessIdentity } from '../process-identity';
import type { ErrorClass } from '../vocabulary';

/** Commands of a job. A command that comes too late or twice is no error; it just has no effect. */
export type JobCommand =
  | RequestJob
  | StartStep
  | RecordExternalId
  | RecordStep
  | LoseAttempt
  | SkipStep
  | ReachDeadline
  | RecordRunCancelled
  | ClaimSynthesis
  | LoseSynthesis
  | PlanTopics
  | CompleteJob
  | FailSynthesis
  | CancelJob
  | RedriveSteps
  | RedriveJob
  | EraseContent;

export interface RequestJob extends JobTerms, Partial<JobOrigin> {
  type: 'RequestJob';
  query: string;
  /** What the job reserves from its tenant's balance, in cents; absent if tenants need no balance. */
  balanceReservedCents?: number | undefined;
  /** In the order of the plan. Those whose minimum does not fit the budget are skipped. */
  candidates: readonly PlanCandidate[];
}
export interface StartStep {
  type: 'StartStep';
  stepId: string;
  /** Random for each delivery, so that a repeated request finds its own grant. */
  claimId: string;
  /**
   * The number of attempts known to the process that checked whether the next one may begin; if there are more, it has to check again. Absent: it did
   * not check.
   */
  seenAttempts?: number | undefined;
  speaker?: Speaker;
  /** The worker's process; absent if the worker is of an earlier build. */
  process?: ProcessIdentity | undefined;
}
export interface RecordExternalId {
  type: 'RecordExternalId';
  stepId: string;
  attempt: number;
  externalId: string;
  speaker?: Speaker;
}
export interface RecordStep {
  type: 'RecordStep';
  stepId: string;
  attempt: number;
  result: StepResult;
  /** Random, from 0 to 1. Spreads the retries of steps that failed together. Default: the longest delay. */
  jitter?: number;
  speaker?: Speaker;
}
export interface LoseAttempt {
  type: 'LoseAttempt';
  stepId: string;
  attempt: number;
}
/** Ends a step that waits for a provider that is down. */
export interface SkipStep {
  type: 'SkipStep';
  stepId: string;
  reason: 'circuit_open';
}
export interface ReachDeadline {
  type: 'ReachDeadline';
  phase: DeadlinePhase;
}
/** Records the outcome of asking a provider to stop a run that nobody needs any more. */
export interface RecordRunCancelled {
  type: 'RecordRunCancelled';
  stepId: string;
  run: number;
  outcome: RunCancellation;
  speaker?: Speaker;
}
/** Asks for the right to have a model write the report's summary, paid from the amount that the job kept back for it. */
export interface ClaimSynthesis {
  type: 'ClaimSynthesis';
  /** Random for each try, so that a repeated request finds its own claim. */
  claimId: string;
  model: string;
  /** Date of the price table for the charge. */
  priceDate: string | null;
  process?: ProcessIdentity;
}
export interface LoseSynthesis {
  type: 'LoseSynthesis';
  attempt: number;
}
/** What an open round of exploration found, best first. `failed`: the search itself failed. */
export interface PlanTopics {
  type: 'PlanTopics';
  round: number;
  topics: { topic: number; parent: number | null; text: string; rationale: string; candidates: PlanCandidate[] }[];
  failed: boolean;
  process?: ProcessIdentity;
}
export interface CompleteJob {
  type: 'CompleteJob';
  synthesizer: string;
  report: WrittenReport;
  /** Result of a claimed synthesis: what the model cost, and why it gave no text if it gave none. An unknown charge is null. */
  paid?: { claimId: string; charge: Charge | null; failure: SynthesisFailure | null; calls?: ToldCall[] };
  process?: ProcessIdentity;
}
export interface FailSynthesis {
  type: 'FailSynthesis';
}
export interface CancelJob {
  type: 'CancelJob';
}
/** Retries steps of an open job that ended without a report: the named ones, or all that can be retried. */
export interface RedriveSteps {
  type: 'RedriveSteps';
  stepIds: readonly string[] | null;
}
/** Records that another job repeats the failed steps of this job, which has ended. */
export interface RedriveJob {
  type: 'RedriveJob';
  jobId: string;
  stepIds: readonly string[] | null;
  /** The most that the new job may cost: the rest of this job's budget. */
  capCents: number;
}
/** Ends the job if it is open, and erases its content. */
export interface EraseContent {
  type: 'EraseContent';
}

/** What is known about a call of a provider's API. */
export interface ToldCall {
  /** SHA-256 of the prompt, in hexadecimal; null if none was sent. */
  sentSha256: string | null;
  /** The id that the provider gave the request. */
  requestId: string | null;
  /** The HTTP status. */
  status: number | null;
}

/** A worker's report on one attempt. If the charge is unknown (null), the run keeps its reservation. */
export type StepResult = CompletedResult | FailedResult;

export interface CompletedResult {
  outcome: 'completed';
  charge: Charge;
  rawSha256: string;
  model: string | null;
  reportMarkdown: string;
  citations: Citation[];
  truncated: boolean;
  /** Absent from workers of an earlier build. */
  call?: ToldCall | undefined;
}

export interface FailedResult {
  outcome: 'failed';
  errorClass: ErrorClass;
  errorMessage: string;
  charge: Charge | null;
  retryAfterMs: number | null;
  runEnded: boolean;
  call?: ToldCall | undefined;
}
