import { cancelRun, createHttp, pathSegment, type ProviderHttp } from '../http';
import { parseObject } from '../json';
import { patientPoll } from '../patient-poll';
import { patientSignal } from '../patient-signal';
import type { PerplexityOptions } from '../provider-configuration';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import { idOf, isRunning } from '../responses-api';
import { parseResponse } from './parse';
import { createResponse } from './request';
import type { Response } from './wire';

const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Perplexity's Agent API: background runs that are stored, polled and can be cancelled, and that say what they cost. Plain HTTP: three calls
 * of which we must know exactly when they are sent, while the SDK repeats calls by itself.
 */
export class PerplexityProvider implements ResearchProvider {
  readonly adapter = 'perplexity';
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: PerplexityOptions,
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

  /** Its list of models is open to everybody, so a run is asked for that nobody has: whoever is told so has a key that works. */
  async check(_model: string | null, signal: AbortSignal): Promise<Date | null> {
    try {
      return await this.http.probe(pathOf('resp_none'), signal);
    } catch (error) {
      if (error instanceof ProviderError && ['lost', 'invalid_request'].includes(error.errorClass)) return null;
      throw error;
    }
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }

  private async stateOf(externalId: string, raw: RawResponse, response: Response): Promise<RunState> {
    if (response.status === 'requires_action') await this.cancel(externalId);
    if (isRunning(response)) return { state: 'running', externalId, pollAfterMs: this.options.pollMs };
    return { state: 'finished', raw };
  }
}

const pathOf = (externalId: string): string => `/responses/${pathSegment(externalId)}`;
