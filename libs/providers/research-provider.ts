import type { Citation } from '@lib/domain/citation';
import type { Charge } from '@lib/domain/money';
import type { ErrorClass, ProviderId, ResearchMode } from '@lib/domain/vocabulary';

/** What an earlier job and the thread recorded, for a job that pursues a follow-on topic. */
export interface ResearchContext {
  question: string;
  claims: readonly string[];
  laterMessages: readonly string[];
}

/** One piece of research asked of one provider. */
export interface ResearchRequest {
  /** Sent to the provider as metadata where its API has a place for it, so that an operator can reconcile. */
  stepId: string;
  attempt: number;
  provider: ProviderId;
  /** The configured model; null where the adapter has none. */
  model: string | null;
  query: string;
  /** Gaps and disputes of the reports so far, for the later waves of a methodical job. */
  brief: string | null;
  context: ResearchContext | null;
  mode: ResearchMode;
  limits: ResearchLimits;
  /** Aborts on cancellation, a lost lease or the deadline. An adapter passes it to every call it makes. */
  signal: AbortSignal;
}

/** Hard limits: an adapter sends those that the provider's API knows and enforces the others itself. */
export interface ResearchLimits {
  /** What was reserved for this run, in micro-dollars; 0 means that nothing may be charged. */
  reservedMicros: number;
  /** Milliseconds until the work is worthless. */
  deadlineMs: number;
  /** A longer raw response is refused as `malformed`. */
  maxResponseBytes: number;
}

/** A raw answer exactly as it came, before anything was parsed: its digest goes into the history. */
export type RawResponse = string;

/** `running`: the provider works on; ask again after `pollAfterMs`. `finished`: the raw response is complete. */
export type RunState = { state: 'running'; externalId: string; pollAfterMs: number } | { state: 'finished'; raw: RawResponse };

export interface ResearchReport {
  markdown: string;
  citations: Citation[];
  charge: Charge;
  /** The model that answered, as far as the provider says. */
  model: string | null;
}

/**
 * One research API. Nothing in here retries a submit: a second attempt is a decision of the job, not of an adapter.
 * Every failure is thrown as a `ProviderError`.
 */
export interface ResearchProvider {
  /**
   * Starts a run. Call `started` with the provider's run id the moment it is known and await it before going on:
   * it is recorded, and a next attempt resumes that run instead of paying for another.
   */
  submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState>;
  /** Looks at a run that was started before, by this process or by another. */
  poll(externalId: string, request: ResearchRequest): Promise<RunState>;
  /** Asks the provider to stop a run; a run that already ended is not an error. */
  cancel(externalId: string): Promise<void>;
  /** Reads a raw response: pure, so that a recorded response can be read again. */
  parse(raw: RawResponse, request: ResearchRequest): ResearchReport;
  /**
   * Asks the API something that costs nothing, to learn whether it can be reached, takes the key and, where it can tell, knows the model:
   * a model that it does not know is `lost`. Absent where nothing is called.
   * @returns what the API's clock says, in whole seconds; null if it does not tell
   */
  check?(model: string | null, signal: AbortSignal): Promise<Date | null>;
}

/** A provider call that gave no report. The message is for people and becomes the step's `errorMessage`. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly errorClass: ErrorClass,
    message: string,
    readonly details: {
      /** What the provider asked us to wait before another attempt. */
      retryAfterMs?: number;
      /** The provider said that the run is over: it is never resumed. */
      runEnded?: boolean;
      /** What the failed run cost, where that is known; unknown keeps the reservation. */
      charge?: Charge;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
