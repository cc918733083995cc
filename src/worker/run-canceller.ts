import type { Logger } from 'pino';
import type { RunCancellation } from '@lib/domain/job/facts';
import type { ErrorClass, ProviderId } from '@lib/domain/vocabulary';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import { ProviderError, type ResearchProvider } from '@lib/providers/research-provider';
import type { SagaPort } from '../saga/saga-port';
import { isRefusal } from './saga-client';

const SLOTS = 4;
const AGAIN_MS = 10_000;
const MAX_WAIT_MS = 600_000;
/** Failures after which the cancellation is tried again. `auth` and `quota` are among them, since the key or account can be fixed meanwhile. */
const RETRYABLE: ReadonlySet<ErrorClass> = new Set(['rate_limited', 'overloaded', 'timeout', 'unavailable', 'auth', 'quota', 'not_called']);

/** Tells providers to stop runs that are no longer needed. The agenda says which; workers do it, since only they have the providers' keys. */
export class RunCanceller {
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly transport: Transport,
    private readonly saga: SagaPort,
    private readonly providers: ReadonlyMap<ProviderId, ResearchProvider>,
    private readonly logger: Logger,
  ) {}

  async start(identifiers: readonly ProviderId[]): Promise<void> {
    const consume = (provider: ProviderId) => this.transport.consume({ kind: 'cancel', provider }, SLOTS, (delivery) => this.run(delivery));
    this.subscriptions = await Promise.all(identifiers.map(consume));
  }

  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
  }

  private async run(delivery: Delivery): Promise<void> {
    const { work } = delivery;
    if (work.kind !== 'cancel') return delivery.ack();
    const { jobId, stepId, run, provider } = work;
    try {
      const { externalId } = await this.saga.abandonedRun({ jobId, stepId, run, provider });
      const outcome = externalId === null ? 'unknown' : await this.cancel(provider, externalId);
      await this.saga.runCancelled({ jobId, stepId, run, outcome, provider });
      delivery.ack();
    } catch (error) {
      if (isRefusal(error)) {
        // The saga does not know this run, so this wake-up can never be served.
        this.logger.warn({ reason: 'cancel_refused', jobId, stepId, run, provider, cause: error.message });
        return delivery.ack();
      }
      this.logger.warn({ reason: 'run_not_cancelled', jobId, stepId, run, provider, err: error }, 'a run could not be cancelled yet');
      delivery.retryAfter(Math.min(AGAIN_MS * 2 ** (delivery.deliveries - 1), MAX_WAIT_MS));
    }
  }

  /** A provider that refuses for good is not asked again: the run eventually ends by itself. */
  private async cancel(provider: ProviderId, externalId: string): Promise<RunCancellation> {
    const adapter = this.providers.get(provider);
    // Another worker may have the adapter. If none has, the run is given up in the end.
    if (!adapter) throw new Error(`this worker has no adapter for ${provider}`);
    try {
      return (await adapter.cancel(externalId)) ?? 'agreed';
    } catch (error) {
      if (!(error instanceof ProviderError) || RETRYABLE.has(error.errorClass)) throw error;
      this.logger.warn({ reason: 'run_not_cancellable', provider, errorClass: error.errorClass });
      return 'refused';
    }
  }
}
