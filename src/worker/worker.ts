import type { Logger } from 'pino';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import type { ResearchProvider } from '@lib/providers/research-provider';
import type { SagaPort } from '../saga/saga-port';
import { Attempt, type AttemptSettings } from './attempt';
import { claim } from './claim';

export interface WorkerSettings extends AttemptSettings {
  providers: readonly ProviderId[];
  /** Steps at a time, for each provider. */
  slots: number;
}

/** Pulls steps, claims each before anything is paid, runs it and reports what came of it. */
export class Worker {
  private readonly attempts = new Set<Attempt>();
  private subscriptions: Subscription[] = [];
  private draining = false;

  constructor(
    private readonly transport: Transport,
    private readonly saga: SagaPort,
    private readonly providers: ReadonlyMap<ProviderId, ResearchProvider>,
    private readonly settings: WorkerSettings,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    const { providers, slots } = this.settings;
    const consume = (provider: ProviderId) => this.transport.consume({ kind: 'step', provider }, slots, (delivery) => this.run(delivery));
    this.subscriptions = await Promise.all(providers.map(consume));
  }

  /** Takes nothing new, lets what runs end within `graceMs`, then leaves the rest to be resumed by another worker. */
  async stop(graceMs: number): Promise<void> {
    this.draining = true;
    const ended = Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
    const timer = setTimeout(() => this.attempts.forEach((attempt) => attempt.leave()), graceMs);
    await ended;
    clearTimeout(timer);
  }

  private async run(delivery: Delivery): Promise<void> {
    const { work } = delivery;
    if (work.kind !== 'step') return delivery.ack();
    const { jobId, stepId } = work;
    const granted = await claim(this.saga, { jobId, stepId }, this.logger);
    if (granted === 'unanswered') return delivery.retryAfter(CLAIM_AGAIN_MS);
    delivery.ack();
    if (granted === 'refused') return;
    const provider = this.providers.get(granted.provider);
    const attempt = new Attempt(this.saga, provider, { jobId, stepId }, granted, this.settings, this.logger);
    this.attempts.add(attempt);
    try {
      await attempt.run(this.draining);
    } finally {
      this.attempts.delete(attempt);
    }
  }
}

const CLAIM_AGAIN_MS = 5_000;
