import type { Logger } from 'pino';
import { forTenants, tenantsOf } from '@lib/batching/named-tenants';
import { ANY_JOB_CHANGED, readJobChanged } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';
import type { FindChanged } from '@lib/store/views/job-changes';
import { HeardChanges } from './heard-changes';
import { SharedReads } from './shared-reads';
import { Waiters, type FindEnded, type Waiter, type Watch } from './waiters';

type WaiterKind = 'long poll' | 'event stream';

/** A client that waits for a job to change. Its look stores the version seen in `Watch.version`. */
export interface JobWaiter extends Waiter<SharedReads> {
  jobId: string;
  kind: WaiterKind;
}

export type JobWatch = Watch<JobWaiter>;

interface Sources {
  transport: Transport;
  findChanged: FindChanged;
  findEnded: FindEnded;
  logger: Logger;
  measure?: ((kind: WaiterKind, change: 1 | -1) => void) | undefined;
}

const LIMITS = { name: 'waiting clients', max: 32_768, bytesEach: 16 * 1024 };

/**
 * Pauses between two looks at the database, which find changes whose message did not arrive; shorter while NATS is disconnected. They also find keys
 * that may no longer read, within the time that verified keys are remembered.
 */
const LOOK_MS = { connected: 5_000, disconnected: 1_000 };
const LOOKED_AT_TOGETHER = 1_000;

/**
 * Wakes clients that wait for jobs. NATS tells which jobs changed, and one statement for all jobs finds changes that NATS did not tell. A client that
 * waits costs no query of its own, and all clients that one change wakes share one read.
 */
export class JobChanges {
  private readonly waiters: Waiters<JobWaiter>;
  private readonly heard = new HeardChanges((jobId, version) => this.tell(jobId, version));
  private listening: Promise<Subscription | null> | null = null;
  private timer: NodeJS.Timeout | null = null;
  isStopped = false;

  constructor(private readonly sources: Sources) {
    sources.transport.onReconnect(() => void this.lookAtAll());
    this.waiters = new Waiters({
      ...LIMITS,
      topicOf: ({ jobId }) => jobId,
      lookAgain: (watch) => this.heard.act(() => this.inTurn(watch, new SharedReads())),
      measure: ({ kind }, change) => sources.measure?.(kind, change),
    });
  }

  /** Registers a client, which looks at the job once and then waits. @returns null if no place is left, or the process stops */
  watch(waiter: JobWaiter): JobWatch | null {
    const watch = this.isStopped ? null : this.waiters.enter(waiter);
    if (!watch) return null;
    this.listening ??= this.listen();
    this.timer ??= this.nextLook();
    return watch;
  }

  /** Ends all waits: the clients get the job as it is. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.waiters.endAll(() => 'stopping');
    const { listening } = this;
    this.listening = null;
    await (await listening)?.stop();
  }

  private async inTurn(watch: JobWatch, reads: SharedReads): Promise<void> {
    await this.waiters.turns.next();
    if (!this.waiters.has(watch)) return;
    if (watch.isLooking) watch.isStale = true;
    else await this.look(watch, reads);
  }

  private async look(watch: JobWatch, reads: SharedReads): Promise<void> {
    watch.isLooking = true;
    watch.isStale = false;
    try {
      await watch.waiter.look(reads);
    } catch (error) {
      // This client's version is still outdated, so the next look finds the change again.
      this.sources.logger.warn({ reason: 'look_failed', jobId: watch.waiter.jobId, err: error });
    }
    watch.rest();
  }

  /** Subscribes to changes. Earlier changes are found by the next look. */
  private async listen(): Promise<Subscription | null> {
    try {
      const subscription = await this.sources.transport.subscribe(ANY_JOB_CHANGED, (payload, subject) => {
        const { jobId, version } = readJobChanged(subject, payload);
        this.hear(jobId, version);
      });
      void this.lookAtAll();
      return subscription;
    } catch (error) {
      this.sources.logger.warn({ reason: 'listening_failed', err: error }, 'changes of jobs are not heard, but looked for');
      return null;
    }
  }

  /** @param version null if the job is gone, or the version is unknown */
  private hear(jobId: string, version: number | null): void {
    if (this.waiters.of(jobId)) this.heard.hear(jobId, version);
  }

  /** Wakes the clients one after another: the first one reads for all of them. */
  private async tell(jobId: string, version: number | null): Promise<void> {
    const reads = new SharedReads();
    for (const watch of [...(this.waiters.of(jobId) ?? [])])
      if (version === null || watch.version < version) await this.inTurn(watch, reads);
  }

  private nextLook(): NodeJS.Timeout {
    const isConnected = this.sources.transport.connectedForMs() !== null;
    return setTimeout(() => void this.lookInTime(), isConnected ? LOOK_MS.connected : LOOK_MS.disconnected);
  }

  /** Once no client waits any more, the process neither listens nor looks. */
  private async lookInTime(): Promise<void> {
    if (this.waiters.count === 0) {
      const { listening } = this;
      this.timer = null;
      this.listening = null;
      await (await listening)?.stop();
      return;
    }
    await this.lookAtAll();
    // If listening failed, try again: otherwise long waits would depend on the looks alone.
    if ((await this.listening) === null && !this.isStopped) this.listening = this.listen();
    this.timer = this.isStopped ? null : this.nextLook();
  }

  /** The two looks are independent, so that a wait without permission ends even if the look at the jobs fails or takes long. */
  private async lookAtAll(): Promise<void> {
    const failed = (error: unknown) =>
      this.sources.logger.warn(
        { reason: 'look_failed', waiting: this.waiters.count, err: error },
        'those who wait are looked at again later',
      );
    await Promise.all([this.waiters.endThoseOfEndedKeys(this.sources.findEnded).catch(failed), this.lookForChanges().catch(failed)]);
  }

  private async lookForChanges(): Promise<void> {
    const resting = [...this.waiters.byTopic()].flatMap(([jobId, watches]) => {
      const versions = [...watches].filter(({ isLooking }) => !isLooking).map(({ version }) => version);
      const tenants = tenantsOf([...watches]);
      return versions.length > 0 ? [{ jobId, version: Math.min(...versions), tenants }] : [];
    });
    for (let place = 0; place < resting.length && !this.isStopped; place += LOOKED_AT_TOGETHER) {
      const together = resting.slice(place, place + LOOKED_AT_TOGETHER);
      const changed = await forTenants(tenantsOf(together), () => this.sources.findChanged(together));
      for (const { jobId, version } of changed) this.hear(jobId, version);
    }
  }
}
