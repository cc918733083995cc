import type { Logger } from 'pino';
import { bindTenants, forTenants, namedTenants, tenantsOf } from '@lib/batching/named-tenants';
import { tellHolding } from '@lib/memory/holdings';
import { ANY_JOB_CHANGED, readJobChanged } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';
import type { KeyEnd } from '@lib/store/access/ended-keys';
import type { FindChanged } from '@lib/store/views/job-changes';
import { HeardChanges } from './heard-changes';
import { SharedReads } from './shared-reads';
import { Turns } from './turns';

/** Why somebody waits no longer. */
export type WaitEnd = KeyEnd | 'stopping';

export type WaiterKind = 'long poll' | 'event stream';

/** Somebody who waits for a job to move on. */
export interface Waiter {
  jobId: string;
  /** The API key that it waits with. */
  keyId: string;
  kind: WaiterKind;
  /** Looks at the job, which has moved on or is gone, and says by `Watch.version` what it has seen. */
  look: (reads: SharedReads) => Promise<void>;
  end: (why: WaitEnd) => void;
}

interface Sources {
  transport: Transport;
  findChanged: FindChanged;
  /** Those keys that may no longer read, and why. */
  findEnded: (keyIds: string[]) => Promise<Iterable<readonly [string, KeyEnd]>>;
  logger: Logger;
  /** Told of each that begins to wait (1) or ends (-1). */
  measure?: ((kind: WaiterKind, change: 1 | -1) => void) | undefined;
}

/** A look finds what no message told: sooner while there are none. It also finds keys that may no longer read, within the time that they are remembered. */
const LOOK_MS = { connected: 5_000, disconnected: 1_000 };
const LOOKED_AT_TOGETHER = 1_000;
const MOST_WAITERS = 32_768;
/** So that one tenant's clients leave places to the others. */
const MOST_OF_KEY = MOST_WAITERS / 2;
/** With its request, its response and its connection. */
const WAITER_BYTES = 16 * 1024;

/** One waiter's place. While it looks at its job, it is told once more at most. */
export class Watch {
  /** The version that it has seen. */
  version = 0;
  isLooking = true;
  isStale = false;
  /** For whom it looks. */
  readonly tenants = namedTenants();

  constructor(
    readonly waiter: Waiter,
    private readonly changes: JobChanges,
  ) {}

  /** From now on it is told when the job is beyond the version that it has seen, or was so since it began to look. */
  rest(): void {
    this.isLooking = false;
    if (this.isStale) this.again();
  }

  /** Has it look at the job when it is its turn. */
  again(): void {
    this.changes.lookAgain(this);
  }

  stop(): void {
    this.changes.forget(this);
  }
}

/**
 * Wakes those who wait for jobs. NATS says that a job changed; one statement for all of them finds what NATS did not say. Nobody who waits costs a
 * query of its own, and those who are woken by one change read it once.
 */
export class JobChanges {
  private readonly byJob = new Map<string, Set<Watch>>();
  private readonly byKey = new Map<string, number>();
  private waiting = 0;
  private readonly turns = new Turns();
  private readonly heard = new HeardChanges((jobId, version) => this.tell(jobId, version));
  private listening: Promise<Subscription | null> | null = null;
  private timer: NodeJS.Timeout | null = null;
  isStopped = false;

  constructor(private readonly sources: Sources) {
    sources.transport.onReconnect(() => void this.lookAtAll());
    tellHolding(this, 'waiting clients', MOST_WAITERS * WAITER_BYTES, ({ waiting }) => ({ items: waiting, bytes: waiting * WAITER_BYTES }));
  }

  /** A place for somebody who looks at the job next and then rests; null if there is none left, or the process stops. */
  watch(waiter: Waiter): Watch | null {
    const { keyId } = waiter;
    const ofKey = this.byKey.get(keyId) ?? 0;
    if (this.isStopped || this.waiting >= MOST_WAITERS || ofKey >= MOST_OF_KEY) return null;
    this.byKey.set(keyId, ofKey + 1);
    const watch = new Watch({ ...waiter, look: bindTenants(waiter.look) }, this);
    const others = this.byJob.get(waiter.jobId);
    if (others) others.add(watch);
    else this.byJob.set(waiter.jobId, new Set([watch]));
    this.waiting += 1;
    this.sources.measure?.(waiter.kind, 1);
    this.listening ??= this.listen();
    this.timer ??= this.nextLook();
    return watch;
  }

  forget(watch: Watch): void {
    const { jobId, keyId, kind } = watch.waiter;
    const watches = this.byJob.get(jobId);
    if (!watches?.delete(watch)) return;
    if (watches.size === 0) this.byJob.delete(jobId);
    this.waiting -= 1;
    this.sources.measure?.(kind, -1);
    const ofKey = (this.byKey.get(keyId) ?? 0) - 1;
    if (ofKey > 0) this.byKey.set(keyId, ofKey);
    else this.byKey.delete(keyId);
  }

  lookAgain(watch: Watch): void {
    if (watch.isLooking) watch.isStale = true;
    else this.heard.act(() => this.inTurn(watch, new SharedReads()));
  }

  /** Ends all waiting: whoever waits is answered with what there is. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.endAll(() => 'stopping');
    const { listening } = this;
    this.listening = null;
    await (await listening)?.stop();
  }

  private async inTurn(watch: Watch, reads: SharedReads): Promise<void> {
    await this.turns.next();
    if (!this.byJob.get(watch.waiter.jobId)?.has(watch)) return;
    if (watch.isLooking) watch.isStale = true;
    else await this.look(watch, reads);
  }

  private async look(watch: Watch, reads: SharedReads): Promise<void> {
    watch.isLooking = true;
    watch.isStale = false;
    try {
      await watch.waiter.look(reads);
    } catch (error) {
      // The version that it has seen is still behind, so that the next look at all of them finds it.
      this.sources.logger.warn({ reason: 'look_failed', jobId: watch.waiter.jobId, err: error });
    }
    watch.rest();
  }

  /** What happened before this process heard of it is found by a look. */
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

  /** @param version null if the job is gone, or nobody knows */
  private hear(jobId: string, version: number | null): void {
    if (this.byJob.has(jobId)) this.heard.hear(jobId, version);
  }

  /** One after another: the first one reads for all of them. */
  private async tell(jobId: string, version: number | null): Promise<void> {
    const reads = new SharedReads();
    for (const watch of [...(this.byJob.get(jobId) ?? [])])
      if (version === null || watch.version < version) await this.inTurn(watch, reads);
  }

  private nextLook(): NodeJS.Timeout {
    const isConnected = this.sources.transport.connectedForMs() !== null;
    return setTimeout(() => void this.lookInTime(), isConnected ? LOOK_MS.connected : LOOK_MS.disconnected);
  }

  /** Once nobody waits any more, nothing is heard and looked at either. */
  private async lookInTime(): Promise<void> {
    if (this.waiting === 0) {
      const { listening } = this;
      this.timer = null;
      this.listening = null;
      await (await listening)?.stop();
      return;
    }
    await this.lookAtAll();
    // What could not be listened to is tried again: whoever waits without an end would otherwise never be told sooner than by a look.
    if ((await this.listening) === null && !this.isStopped) this.listening = this.listen();
    this.timer = this.isStopped ? null : this.nextLook();
  }

  /** Each by itself: whoever may no longer read is ended though what has changed cannot be found, or not in time. */
  private async lookAtAll(): Promise<void> {
    const failed = (error: unknown) =>
      this.sources.logger.warn({ reason: 'look_failed', waiting: this.waiting, err: error }, 'those who wait are looked at again later');
    await Promise.all([this.endThoseOfEndedKeys().catch(failed), this.lookForChanges().catch(failed)]);
  }

  private async lookForChanges(): Promise<void> {
    const resting = [...this.byJob].flatMap(([jobId, watches]) => {
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

  private async endThoseOfEndedKeys(): Promise<void> {
    if (this.byKey.size === 0) return;
    const ended = new Map(await this.sources.findEnded([...this.byKey.keys()]));
    if (ended.size > 0) await this.endAll(({ keyId }) => ended.get(keyId));
  }

  private async endAll(whyOf: (waiter: Waiter) => WaitEnd | undefined): Promise<void> {
    const ends = [...this.byJob.values()].flatMap((watches) =>
      [...watches].flatMap((watch) => {
        const why = whyOf(watch.waiter);
        return why ? [{ watch, why }] : [];
      }),
    );
    for (const { watch } of ends) this.forget(watch);
    for (const { watch, why } of ends) {
      await this.turns.next();
      watch.waiter.end(why);
    }
  }
}
