import { cancelRun, createHttp, pathSegment, type ProviderHttp } from '../http';
import { parseObject } from '../json';
import { patientPoll } from '../patient-poll';
import { patientSignal } from '../patient-signal';
import type { OpenAiOptions } from '../provider-configuration';
import type { RawResponse, ResearchProvider, ResearchReport, ResearchRequest, RunState } from '../research-provider';
import { idOf, isRunning } from '../responses-api';
import { parseResponse } from './parse';
import { createResponse } from './request';
import type { Response } from './wire';

const CANCEL_TIMEOUT_MS = 10_000;

/**
 * OpenAI's Responses API with web search: background runs that are stored, polled and can be cancelled. Plain HTTP: three calls of which we
 * must know exactly when they are sent, while the SDK repeats calls by itself.
 */
export class OpenAiProvider implements ResearchProvider {
  readonly adapter = 'openai';
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: OpenAiOptions,
    key: string,
  ) {
    const timeouts = { connectTimeoutMs: 10_000, headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };
    this.http = createHttp({ baseUrl: options.baseUrl, headers: { authorization: `Bearer ${key}` }, ...timeouts });
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const raw = await this.http.post('/responses', createResponse(request, this.options), patientSignal(request.signal));
    const response: Response = parseObject(raw);
    const id = idOf(response);
    await started(id);
    return this.stateOf(id, raw, response);
  }

  async poll(externalId: string, { signal }: ResearchRequest): Promise<RunState> {
    return patientPoll(externalId, this.options.pollMs, async () => {
      const raw = await this.http.get(pathOf(externalId), signal);
      return this.stateOf(externalId, raw, parseObject(raw));
    });
  }

  async cancel(externalId: string): Promise<void> {
    await cancelRun(this.http, `${pathOf(externalId)}/cancel`, AbortSignal.timeout(CANCEL_TIMEOUT_MS));
  }

  async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probe(`/models/${pathSegment(model ?? '')}`, signal);
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }

  private stateOf(externalId: string, raw: RawResponse, response: Response): RunState {
    if (isRunning(response)) return { state: 'running', externalId, pollAfterMs: this.options.pollMs };
    return { state: 'finished', raw };
  }
}

const pathOf = (externalId: string): string => `/responses/${pathSegment(externalId)}`;
