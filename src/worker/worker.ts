import type { Logger } from 'pino';
import { traceparentOf } from '@lib/domain/trace-context';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import type { ResearchProvider } from '@lib/providers/research-provider';
import type { SagaPort } from '../saga/saga-port';
import { Standstill } from '../runtime/standstill';
import { inSpan, type Tracing } from '../telemetry/tracing';
import { announceLimits, type Announcements } from './announcements';
import { Attempt, type AttemptTools, type MeasureCall } from './attempt';
import { claim, CLAIM_WITHIN_MS, type Claimed } from './claim';
import { GuardedProvider } from './guarded-provider';
import { Heartbeats } from './heartbeats';
import { SubmitLimit } from './submit-limit';
import { UnreachedSteps } from './unreached-steps';
import { otherAdapter, type ProviderLimits, type WorkerSettings } from './worker-settings';

/** Pause before a step that could not be claimed is claimed again. */
const CLAIM_AGAIN_MS = 5_000;
/** Share of a heartbeat interval after which every worker that reconnected has been heard. */
const HEARD_SHARE = 0.25;

type StepWork = Extract<Work, { kind: 'step' }>;

/** Takes steps from the queue, claims each before any cost arises, runs it and reports the result. */
export class Worker {
  /** Running attempts; each promise settles when its attempt ends. */
  private readonly attempts = new Map<Attempt, Promise<void>>();
  private readonly tools: AttemptTools;
  /** How many attempts follow a run of a provider in the background, without a slot. */
  private readonly background = new Map<ProviderId, number>();
  private claiming = 0;
  private readonly unreached = new UnreachedSteps();
  private readonly guarded = new Map<ProviderId, GuardedProvider>();
  private subscriptions: Subscription[] = [];
  /** Settle when the subscriptions stopped by a pause have ended. */
  private readonly left: Promise<void>[] = [];
  private announcements: Announcements | undefined;
  private readonly standstill = new Standstill();
  /** By `performance.now()`: when the connection came up again. */
  private reconnectedAt = -Infinity;
  private draining = false;
  /** Set once the time to drain is over. */
  private leaving = false;

  constructor(
    private readonly transport: Transport,
    private readonly saga: SagaPort,
    providers: ReadonlyMap<ProviderId, ResearchProvider>,
    private readonly settings: WorkerSettings,
    private readonly logger: Logger,
    private readonly tracing: Tracing | null = null,
    measure?: MeasureCall,
  ) {
    this.tools = { saga, settings, logger, tracing, measure, heartbeats: new Heartbeats(settings.heartbeatMs) };
    for (const [id, provider] of providers) {
      const limit = new SubmitLimit(settings.providers.get(id)?.requestsPerMinute ?? null);
      this.guarded.set(id, new GuardedProvider(provider, limit));
    }
  }

  async start(): Promise<void> {
    this.standstill.start();
    this.transport.onReconnect(() => (this.reconnectedAt = performance.now()));
    await this.resume();
  }

  /** Takes no new steps until `resume`, and continues those it holds. */
  pause(): void {
    this.announcements?.drain(() => this.held());
    this.left.push(...this.subscriptions.splice(0).map((subscription) => subscription.stop()));
  }

  /** How many attempts this worker holds or is claiming. */
  held(): number {
    return this.attempts.size + this.claiming;
  }

  /** @throws the first failure to take a provider's work; then no work is taken from any provider, and the call may be repeated */
  async resume(): Promise<void> {
    if (this.draining) return;
    const consume = async ([provider, { concurrency }]: [ProviderId, ProviderLimits]) => {
      const step = { kind: 'step', provider } as const;
      this.subscriptions.push(await this.transport.consume(step, concurrency, (delivery) => this.run(delivery)));
    };
    const consumed = await Promise.allSettled([...this.settings.providers].map(consume));
    const failed = consumed.find((one) => one.status === 'rejected');
    if (failed) {
      this.pause();
      throw failed.reason;
    }
    // The process may have begun to stop meanwhile.
    if (this.draining) return this.pause();
    const limitsOf = ({ concurrency, requestsPerMinute }: ProviderLimits) => ({ slots: concurrency, requestsPerMinute });
    const limits = new Map([...this.settings.providers].map(([provider, limits]) => [provider, limitsOf(limits)]));
    this.announcements?.stop();
    this.announcements = announceLimits(this.transport, this.settings.process, limits);
  }

  /** Takes no new steps, and lets running attempts end within `graceMs`. Another worker resumes the rest. */
  async stop(graceMs: number): Promise<void> {
    this.draining = true;
    this.pause();
    const ended = Promise.all(this.left);
    const timer = setTimeout(() => {
      this.leaving = true;
      this.attempts.forEach((_, attempt) => attempt.leave());
    }, graceMs);
    await ended;
    await Promise.allSettled(this.attempts.values());
    this.standstill.stop();
    clearTimeout(timer);
    this.announcements?.stop();
  }

  private async run(delivery: Delivery): Promise<void> {
    const { work } = delivery;
    if (work.kind !== 'step') return delivery.ack();
    const { jobId, stepId } = work;
    const provider = this.guarded.get(work.provider);
    // This worker lost the step's lease in a standstill or a connection gap, but its call still runs: wait for that answer before paying for
    // another call.
    if (!work.resumes && this.isCallingFor(stepId)) return delivery.retryAfter(CLAIM_AGAIN_MS);
    // Other workers may have been disconnected too: let them first announce which steps they are still calling for.
    if (!work.resumes && this.isJustBack()) return delivery.retryAfter(this.settings.heartbeatMs * HEARD_SHARE);
    const offerMs = this.unreached.offerMs(stepId, delivery.deliveries);
    if (offerMs > 0) return delivery.retryAfter(offerMs);
    // Wait before the claim, so that no lease is held meanwhile. The job's deadline also ends waiting steps.
    const waitMs = provider && !work.resumes ? await provider.submitWaitMs() : 0;
    if (waitMs > 0) return delivery.retryAfter(waitMs);
    this.claiming += 1;
    const granted = await this.claim(work, delivery).finally(() => (this.claiming -= 1));
    if (granted === 'unanswered') return delivery.retryAfter(CLAIM_AGAIN_MS);
    delivery.ack();
    if (granted === 'refused') return;
    const attempt = new Attempt(this.tools, provider, { jobId, stepId }, granted, delivery.trace);
    if (this.leaving) attempt.leave();
    const ended = attempt.run(this.draining ? 'the worker was stopping' : otherAdapter(this.settings, granted)).finally(() => {
      this.attempts.delete(attempt);
      this.unreached.ended(stepId, attempt.isUnreached);
    });
    this.attempts.set(attempt, ended);
    await Promise.race([ended, attempt.inBackground]);
    const { backgroundRuns = 0 } = this.settings.providers.get(work.provider) ?? {};
    const inBackground = this.background.get(work.provider) ?? 0;
    if (inBackground >= backgroundRuns || !this.attempts.has(attempt)) return ended;
    // The slot is free for the next step.
    void this.followOn(ended, work);
  }

  private isJustBack(): boolean {
    return this.standstill.unreadMs() > 0 || performance.now() - this.reconnectedAt < this.settings.heartbeatMs * HEARD_SHARE;
  }

  private isCallingFor(stepId: string): boolean {
    return this.attempts.keys().some((attempt) => attempt.isCallingFor(stepId));
  }

  private claim({ jobId, stepId, provider }: StepWork, { trace }: Delivery): Promise<Claimed | 'refused' | 'unanswered'> {
    const { saga, settings, tracing } = this;
    const logger = trace ? this.logger.child({ traceId: trace.traceId }) : this.logger;
    const withinMs = settings.claimMs ?? CLAIM_WITHIN_MS;
    const unwanted = (late: Claimed) => this.giveBack({ jobId, stepId }, late);
    const outcome = (granted: Claimed | string) => ({
      attributes: { 'research.claim': typeof granted === 'string' ? granted : 'granted' },
    });
    return inSpan({ tracing, parent: trace, name: 'claim', kind: 'client', outcome }, (context) => {
      const request = { jobId, stepId, provider, ...(context && { traceparent: traceparentOf(context) }) };
      return claim(request, { saga, logger, process: settings.process, withinMs, unwanted });
    });
  }

  /** Gives a grant back that came too late: nobody waits for it any more, and another may already have been requested. */
  private giveBack(ids: { jobId: string; stepId: string }, granted: Claimed): void {
    const attempt = new Attempt(this.tools, undefined, ids, granted);
    if (this.leaving) attempt.leave();
    const ended = attempt.giveBack('its grant came too late').finally(() => this.attempts.delete(attempt));
    this.attempts.set(attempt, ended);
  }

  private async followOn(ended: Promise<void>, work: StepWork): Promise<void> {
    const count = (by: number) => this.background.set(work.provider, (this.background.get(work.provider) ?? 0) + by);
    count(1);
    try {
      await ended;
    } catch (error) {
      this.logger.error({ reason: 'attempt_failed', ...work, err: error }, 'an attempt broke off; its lease ends it');
    } finally {
      count(-1);
    }
  }
}
