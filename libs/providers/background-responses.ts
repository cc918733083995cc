import { cancelRun, pathSegment, type ProviderHttp } from './http';
import { parseObject } from './json';
import { patientPoll } from './patient-poll';
import { patientSignal } from './patient-signal';
import type { RawResponse, RunState } from './research-provider';
import { idOf, isRunning, type ResponseObject } from './responses-api';

const CANCEL_TIMEOUT_MS = 10_000;

/** The path of a stored response. */
export const responsePath = (externalId: string): string => `/responses/${pathSegment(externalId)}`;

/** Background runs of a Responses API (OpenAI, Perplexity): stored, polled, and cancelled when nobody needs them. */
export class BackgroundResponses {
  constructor(
    private readonly http: ProviderHttp,
    private readonly pollMs: number,
  ) {}

  async submit(body: object, signal: AbortSignal, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const raw = await this.http.post('/responses', body, patientSignal(signal));
    const response: ResponseObject = parseObject(raw);
    const id = idOf(response);
    await started(id);
    return this.stateOf(id, raw, response);
  }

  async poll(externalId: string, signal: AbortSignal): Promise<RunState> {
    return patientPoll(externalId, this.pollMs, async () => {
      const raw = await this.http.get(responsePath(externalId), signal);
      return this.stateOf(externalId, raw, parseObject(raw));
    });
  }

  async cancel(externalId: string): Promise<void> {
    await cancelRun(this.http, `${responsePath(externalId)}/cancel`, AbortSignal.timeout(CANCEL_TIMEOUT_MS));
  }

  /** Cancels a run that waits for input from us, since it would stay open for ever. */
  private async stateOf(externalId: string, raw: RawResponse, response: ResponseObject): Promise<RunState> {
    if (response.status === 'requires_action') await this.cancel(externalId);
    if (isRunning(response)) return { state: 'running', externalId, pollAfterMs: this.pollMs };
    return { state: 'finished', raw };
  }
}
