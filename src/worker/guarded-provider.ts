import { bulkhead } from 'cockatiel';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '@lib/providers/research-provider';
import type { Circuit } from './circuit';
import type { SubmitLimit } from './submit-limit';

/** Polls of one provider at a time: thousands of runs share so many connections. */
const POLLS_AT_A_TIME = 32;

/** A provider with this worker's limits. They delay or refuse new runs only; a run that was accepted is followed to its end. */
export class GuardedProvider implements ResearchProvider {
  private readonly polls = bulkhead(POLLS_AT_A_TIME, Infinity);

  constructor(
    private readonly provider: ResearchProvider,
    private readonly limit: SubmitLimit,
    private readonly circuit: Circuit,
  ) {}

  /** Milliseconds that a step has to wait before it is claimed; 0 also while the circuit is open, which refuses its submit at once. */
  async submitWaitMs(): Promise<number> {
    return this.circuit.isOpen ? 0 : this.limit.waitMs();
  }

  /** @throws ProviderError `circuit_open` while the provider is down */
  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    try {
      return await this.circuit.call(() => this.provider.submit(request, started));
    } catch (error) {
      if (error instanceof ProviderError && error.errorClass === 'rate_limited') this.limit.holdBack(error.details.retryAfterMs ?? 0);
      throw error;
    }
  }

  poll(externalId: string, request: ResearchRequest): Promise<RunState> {
    return this.polls.execute(() => {
      request.signal.throwIfAborted();
      return this.provider.poll(externalId, request);
    });
  }

  cancel(externalId: string): Promise<void> {
    return this.provider.cancel(externalId);
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return this.provider.parse(raw, request);
  }
}
