import { BackgroundResponses } from '../background-responses';
import { createHttp, pathSegment, type ProviderHttp } from '../http';
import type { RawResponse, ResearchProvider, ResearchReport, ResearchRequest, RunState } from '../research-provider';
import type { OpenAiOptions } from './options';
import { parseResponse } from './parse';
import { createResponse } from './request';

/**
 * OpenAI's Responses API with web search: background runs that are stored, polled and can be cancelled. Plain HTTP, because a
 * submit must be sent exactly once and the SDK retries by itself.
 */
export class OpenAiProvider implements ResearchProvider {
  private readonly http: ProviderHttp;
  private readonly runs: BackgroundResponses;

  constructor(
    private readonly options: OpenAiOptions,
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

  async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probe(`/models/${pathSegment(model ?? '')}`, signal);
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }
}
