import type { Citation } from '@lib/domain/citation';
import type { Charge } from '@lib/domain/money';
import type { ErrorClass, ProviderId, ResearchMode } from '@lib/domain/vocabulary';

/** What was recorded by an earlier job and the thread; given to a job that pursues a follow-on topic. */
export interface ResearchContext {
  question: string;
  claims: readonly string[];
  laterMessages: readonly string[];
}

/** One piece of research asked of one provider. */
export interface ResearchRequest {
  /** Sent as metadata if the API has a field for it, so that an operator can match the provider's records with ours. */
  stepId: string;
  attempt: number;
  provider: ProviderId;
  /** The configured model; null where the adapter has none. */
  model: string | null;
  query: string;
  /** Gaps and disputes in the reports so far, for the later waves of a methodical job. */
  brief: string | null;
  context: ResearchContext | null;
  mode: ResearchMode;
  limits: ResearchLimits;
  /** Aborts on cancellation, a lost lease or the deadline. An adapter passes it to every call it makes. */
  signal: AbortSignal;
}

/** Hard limits: an adapter sends those that the API supports and enforces the others itself. */
export interface ResearchLimits {
  /** What was reserved for this run, in micro-dollars; 0 means that nothing may be charged. */
  reservedMicros: number;
  /** Milliseconds until the result is no longer needed. */
  deadlineMs: number;
  /** A longer raw response is refused as `malformed`. */
  maxResponseBytes: number;
}

/** Largest raw response of a provider that is read, in bytes after decompression. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** An unparsed response exactly as received; its digest is recorded in the history. */
export type RawResponse = string;

/** `running`: poll again after `pollAfterMs`. `finished`: the raw response is complete. */
export type RunState = { state: 'running'; externalId: string; pollAfterMs: number } | { state: 'finished'; raw: RawResponse };

export interface ResearchReport {
  markdown: string;
  citations: Citation[];
  charge: Charge;
  /** The model that answered, if the provider says so. */
  model: string | null;
}

/**
 * One research API. An adapter never retries a submit: only the job decides on a second attempt.
 * Every failure is thrown as a `ProviderError`.
 */
export interface ResearchProvider {
  /**
   * Starts a run. An adapter calls `started` as soon as it knows the provider's run id, and awaits it before going on: the id is
   * recorded, and a next attempt resumes that run instead of paying for another.
   */
  submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState>;
  /** Asks for the state of a run that this or another process started. */
  poll(externalId: string, request: ResearchRequest): Promise<RunState>;
  /** Asks the provider to stop a run; succeeds too if the run has ended. */
  cancel(externalId: string): Promise<void | 'not_offered'>;
  /** Reads a raw response. Pure, so that a recorded response can be read again. */
  parse(raw: RawResponse, request: ResearchRequest): ResearchReport;
  /**
   * Makes a free call to check that the API is reachable, accepts the key and, if it can tell, knows the model; an unknown model is `lost`.
   * Absent if there is no API.
   * @returns the API's time in whole seconds; null if it does not send it
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
      /** How long the provider asked us to wait before another attempt. */
      retryAfterMs?: number;
      /** The run is over according to the provider, so it must not be resumed. */
      runEnded?: boolean;
      /** What the failed run cost; if undefined, the reservation counts. */
      charge?: Charge;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
