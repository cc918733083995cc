import { createHttp, pathSegment, type ProviderHttp } from '../http';
import { PatientPoll } from '../patient-poll';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import { isRunning, polledResponse } from '../responses-api';
import { followRun } from './follow';
import type { XaiOptions } from './options';
import { parseResponse } from './parse';
import { createResponse } from './request';

/** Longest silence in a stream, since a round of searches takes long. */
const MAX_SILENCE_MS = 300_000;

/**
 * xAI's Responses API with server-side search. It has no background runs: a run is streamed, and its first event carries an id by which the run
 * can be polled if the stream is lost. Plain HTTP, because no SDK shows the id before the end.
 */
export class XaiProvider implements ResearchProvider {
  private readonly http: ProviderHttp;
  private readonly polls: PatientPoll;

  constructor(
    private readonly options: XaiOptions,
    key: string,
  ) {
    const timeouts = { headersTimeoutMs: MAX_SILENCE_MS, bodyTimeoutMs: MAX_SILENCE_MS };
    this.http = createHttp({ baseUrl: options.baseUrl, headers: { authorization: `Bearer ${key}` }, ...timeouts });
    this.polls = new PatientPoll(options.pollMs, () => this.cancel());
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const { body, mostSearches } = createResponse(request, this.options);
    const events = this.http.stream('/responses', body, request.signal);
    try {
      return { state: 'finished', raw: await followRun(events, { started, mostSearches }) };
    } catch (error) {
      throw this.isFined(error) ? this.fined(error) : error;
    }
  }

  async poll(externalId: string, { signal, stepId }: ResearchRequest): Promise<RunState> {
    const { pollMs } = this.options;
    return this.polls.poll(externalId, async () => {
      const raw = await this.http.get(`/responses/${pathSegment(externalId)}`, signal);
      return isRunning(polledResponse(externalId, stepId, raw))
        ? { state: 'running', externalId, pollAfterMs: pollMs }
        : { state: 'finished', raw };
    });
  }

  /** The API has no call for this: a run ends when the connection of its stream closes. */
  async cancel(): Promise<'not_offered'> {
    return 'not_offered';
  }

  async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probeModel(model, signal);
  }

  /** Only violations of the usage guidelines cost a fee when refused. */
  private isFined(error: unknown): error is ProviderError {
    return error instanceof ProviderError && error.errorClass === 'content_filtered' && error.details.charge?.micros === 0;
  }

  private fined({ errorClass, message, details }: ProviderError): ProviderError {
    const charge = { micros: this.options.violationMicros, provenance: 'computed' } as const;
    return new ProviderError(errorClass, message, { ...details, charge });
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }
}
