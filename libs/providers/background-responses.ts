import { acceptedId } from './accepted-run';
import { cancelRun } from './cancel-run';
import { createHttp, pathSegment, type ProviderHttp } from './http';
import { parseObject } from './json';
import { PatientPoll } from './patient-poll';
import { patientSignal } from './patient-signal';
import type { RawResponse, ResearchProvider, ResearchReport, ResearchRequest, RunState } from './research-provider';
import { isOver, polledResponse, type ResponseObject } from './responses-api';

export const responsePath = (externalId: string): string => `/responses/${pathSegment(externalId)}`;

/**
 * Background runs of a Responses API (OpenAI, Perplexity): stored, polled, and cancelled when nobody needs them. Plain HTTP, because a submit must be
 * sent exactly once and the SDKs retry by themselves.
 */
export abstract class BackgroundResponses<Options extends { baseUrl: string; pollMs: number }> implements ResearchProvider {
  protected readonly http: ProviderHttp;
  private readonly polls: PatientPoll;

  constructor(
    protected readonly options: Options,
    key: string,
  ) {
    this.http = createHttp({ baseUrl: options.baseUrl, headers: { authorization: `Bearer ${key}` }, headersTimeoutMs: 60_000 });
    this.polls = new PatientPoll(options.pollMs, (externalId) => this.cancel(externalId));
  }

  /** The body that starts a run. */
  protected abstract body(request: ResearchRequest): object;
  abstract check(model: string | null, signal: AbortSignal): Promise<Date | null>;
  abstract parse(raw: RawResponse, request: ResearchRequest): ResearchReport;

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const raw = await this.http.post('/responses', this.body(request), patientSignal(request.signal));
    const response: ResponseObject = parseObject(raw);
    const id = acceptedId(response);
    await started(id);
    return this.stateOf(id, raw, response);
  }

  async poll(externalId: string, { signal, stepId }: ResearchRequest): Promise<RunState> {
    return this.polls.poll(externalId, async () => {
      const raw = await this.http.get(responsePath(externalId), signal);
      return this.stateOf(externalId, raw, polledResponse(externalId, stepId, raw));
    });
  }

  async cancel(externalId: string): Promise<void> {
    await cancelRun(this.http, responsePath(externalId), isOver);
  }

  /** A run that waits for input from us would stay open for ever, so it is cancelled. */
  private async stateOf(externalId: string, raw: RawResponse, response: ResponseObject): Promise<RunState> {
    if (response.status === 'requires_action') await this.cancel(externalId);
    return isOver(response) ? { state: 'finished', raw } : { state: 'running', externalId, pollAfterMs: this.options.pollMs };
  }
}
