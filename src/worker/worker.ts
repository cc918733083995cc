import type { Logger } from 'pino';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import type { ResearchProvider } from '@lib/providers/research-provider';
import type { SagaPort } from '../saga/saga-port';
import { Attempt, type AttemptSettings } from './attempt';
import { Circuit, CIRCUIT, type CircuitSettings } from './circuit';
import { claim } from './claim';
import { GuardedProvider } from './guarded-provider';
import { SubmitLimit } from './submit-limit';

/** What one provider is given to do by this worker. */
export interface ProviderLimits {
  /** Steps at a time. */
  concurrency: number;
  /** Submits; null for no limit. */
  requestsPerMinute: number | null;
}

export interface WorkerSettings extends AttemptSettings {
  /** The providers that are served. */
  providers: ReadonlyMap<ProviderId, ProviderLimits>;
  circuit?: CircuitSettings;
}

/** Pulls steps, claims each before anything is paid, runs it and reports what came of it. */
export class Worker {
  private readonly attempts = new Set<Attempt>();
  private readonly guarded = new Map<ProviderId, GuardedProvider>();
  private subscriptions: Subscription[] = [];
  private draining = false;

  constructor(
    private readonly transport: Transport,
    private readonly saga: SagaPort,
    providers: ReadonlyMap<ProviderId, ResearchProvider>,
    private readonly settings: WorkerSettings,
    private readonly logger: Logger,
  ) {
    const { circuit = CIRCUIT } = settings;
    for (const [id, provider] of providers) {
      const limit = new SubmitLimit(settings.providers.get(id)?.requestsPerMinute ?? null);
      this.guarded.set(id, new GuardedProvider(provider, limit, new Circuit(id, logger, circuit)));
    }
  }

  async start(): Promise<void> {
    const consume = ([provider, { concurrency }]: [ProviderId, ProviderLimits]) =>
      this.transport.consume({ kind: 'step', provider }, concurrency, (delivery) => this.run(delivery));
    this.subscriptions = await Promise.all([...this.settings.providers].map(consume));
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
    const provider = this.guarded.get(work.provider);
    // Before the claim: nothing is held meanwhile, and the job's deadline ends a step that waits as it ends any other.
    const waitMs = provider && !work.resumes ? await provider.submitWaitMs() : 0;
    if (waitMs > 0) return delivery.retryAfter(waitMs);
    const granted = await claim(this.saga, { jobId, stepId }, this.logger);
    if (granted === 'unanswered') return delivery.retryAfter(CLAIM_AGAIN_MS);
    delivery.ack();
    if (granted === 'refused') return;
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
