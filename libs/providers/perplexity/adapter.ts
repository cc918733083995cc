import { BackgroundResponses, responsePath } from '../background-responses';
import { createHttp, type ProviderHttp } from '../http';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import type { PerplexityOptions } from './options';
import { parseResponse } from './parse';
import { createResponse } from './request';

/**
 * Perplexity's Agent API: background runs that are stored, polled and can be cancelled, and that say what they cost. Plain HTTP,
 * because a submit must be sent exactly once and the SDK retries by itself.
 */
export class PerplexityProvider implements ResearchProvider {
  private readonly http: ProviderHttp;
  private readonly runs: BackgroundResponses;

  constructor(
    private readonly options: PerplexityOptions,
    key: string,
  ) {
    const timeouts = { connectTimeoutMs: 10_000, headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };
    this.http = createHttp({ baseUrl: options.baseUrl, headers: { authorization: `Bearer ${key}` }, ...timeouts });
    this.runs = new BackgroundResponses(this.http, options.pollMs);
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    return this.runs.submit(createResponse(request, this.options), request.signal, started);
  }

  poll(externalId: string, { signal }: ResearchRequest): Promise<RunState> {
    return this.runs.poll(externalId, signal);
  }

  cancel(externalId: string): Promise<void> {
    return this.runs.cancel(externalId);
  }

  /** Its list of models needs no key, so this asks for a run that does not exist: a 404 proves that the key works. */
  async check(_model: string | null, signal: AbortSignal): Promise<Date | null> {
    try {
      return await this.http.probe(responsePath('resp_none'), signal);
    } catch (error) {
      if (error instanceof ProviderError && ['lost', 'invalid_request'].includes(error.errorClass)) return null;
      throw error;
    }
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }
}
