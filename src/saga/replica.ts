import type { Logger } from 'pino';
import type { LeaseTimes } from '@lib/settings/lease-times';
import { inTime } from '../runtime/in-time';
import { whyFailed } from '../runtime/why-failed';
import type { Serving } from './saga-server';

export interface ReplicaTools {
  /** Takes a share of the workers' requests from now on. */
  serve: () => Promise<Serving>;
  /** Rejects unless this process can commit within that time. */
  requireCommit: (withinMs: number) => Promise<void>;
  times: Pick<LeaseTimes, 'probeMs' | 'tryMs'>;
  logger: Logger;
}

/** One of the sagas that share the workers' requests. While it cannot commit it takes none and leaves them to the others. */
export class SagaReplica {
  private serving: Serving | null = null;
  /** Why it takes no requests; null while it takes them. */
  private failure: string | null = null;
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  /** Until this time, by `performance.now()`, no probe is needed, because this process has just committed. */
  private sureUntil = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly tools: ReplicaTools) {}

  async start(): Promise<void> {
    this.serving = await this.tools.serve();
    this.watching = this.watch();
  }

  /** Takes no new requests, and resolves once the open ones are answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await Promise.all([this.serving?.stop(), this.watching]);
  }

  /** Called after a commit: no probe is needed for a while. */
  committed(): void {
    this.sureUntil = performance.now() + this.tools.times.probeMs;
  }

  /** Called when a request failed: probes at once whether this process can still commit. */
  doubt(): void {
    this.sureUntil = 0;
    this.wake();
  }

  /** @throws Error while this process takes no requests of workers */
  requireServing(): void {
    if (!this.serving) throw new Error(`this process ${this.failure ?? 'has not begun'}, so it takes no requests of workers`);
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.untilNextLook();
      if (!signal.aborted && performance.now() >= this.sureUntil) await this.look();
    }
  }

  private async untilNextLook(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, this.tools.times.probeMs);
    await promise;
    clearTimeout(timer);
  }

  private async look(): Promise<void> {
    const { requireCommit, times } = this.tools;
    try {
      // The time also covers the wait for a free connection.
      await inTime(requireCommit(times.tryMs), times.tryMs, 'commit');
    } catch (error) {
      return this.leave('cannot commit', error);
    }
    if (this.serving || this.stopping.signal.aborted) return;
    try {
      await this.take();
    } catch (error) {
      this.leave('cannot take requests', error);
    }
  }

  private async take(): Promise<void> {
    this.serving = await this.tools.serve();
    if (this.stopping.signal.aborted) return this.serving.stop();
    this.failure = null;
    this.tools.logger.info({ reason: 'requests_taken' }, 'this process can commit again and takes requests of workers');
  }

  /** Warns once per reason, since the probe repeats often. */
  private leave(what: string, error: unknown): void {
    this.serving?.leave();
    this.serving = null;
    const failure = `${what} (${whyFailed(error)})`;
    if (failure === this.failure) return;
    this.failure = failure;
    this.tools.logger.warn({ reason: 'requests_left', err: error }, `this process ${what} and leaves the requests of workers to others`);
  }
}
