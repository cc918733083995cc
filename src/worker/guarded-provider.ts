import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '@lib/providers/research-provider';
import type { SubmitLimit } from './submit-limit';

/** Concurrent polls of one provider: thousands of runs share this many connections. */
const POLLS_AT_A_TIME = 32;

/**
 * A step that comes at most this much too early waits here instead of returning to the queue. Steps are admitted at the interval of submits, but
 * some arrive faster than others.
 */
const SHORT_WAIT_MS = 250;

/** For so long a worker that could not call a provider, for a reason of its own, leaves its steps to others. */
const UNABLE_MS = 10_000;

/** A provider with this worker's limits, which delay only new runs: an accepted run is followed to its end. */
export class GuardedProvider implements ResearchProvider {
  private readonly polls = bulkhead(POLLS_AT_A_TIME, Infinity);

  constructor(
    private readonly provider: ResearchProvider,
    private readonly limit: SubmitLimit,
  ) {}

  /** Sits out a short wait. @returns the milliseconds that a step still has to wait before it is claimed */
  async submitWaitMs(): Promise<number> {
    const waitMs = await this.limit.waitMs();
    if (waitMs === 0 || waitMs > SHORT_WAIT_MS) return waitMs;
    await sleep(waitMs + 1);
    return this.limit.waitMs();
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    try {
      return await this.provider.submit(request, started);
    } catch (error) {
      if (error instanceof ProviderError) this.heed(error);
      throw error;
    }
  }

  private heed({ errorClass, details }: ProviderError): void {
    if (errorClass === 'rate_limited') this.limit.holdBack(details.retryAfterMs ?? 0);
    if (errorClass === 'not_called') this.limit.holdBack(UNABLE_MS);
  }

  poll(externalId: string, request: ResearchRequest): Promise<RunState> {
    // The end of one poll starts the next waiting one, which must not inherit the first one's exchange and tenant.
    const ask = AsyncLocalStorage.bind(() => {
      request.signal.throwIfAborted();
      return this.provider.poll(externalId, request);
    });
    return this.polls.execute(() => ask());
  }

  cancel(externalId: string): Promise<void | 'not_offered'> {
    return this.provider.cancel(externalId);
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return this.provider.parse(raw, request);
  }
}
