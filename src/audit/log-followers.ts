import { bulkhead } from 'cockatiel';
import type { Logger } from 'pino';
import { forTenants, tenantsOf } from '@lib/batching/named-tenants';
import type { FindGrown } from '@lib/store/log/grown-logs';
import { Waiters, type FindEnded, type Waiter, type Watch } from '../live/waiters';

interface Sources {
  findGrown: FindGrown;
  findEnded: FindEnded;
  logger: Logger;
}

/** Pause between two looks: less than the delay that the log has anyway. */
const LOOK_MS = 1_000;
/** Keys are checked after so many looks, which is within the time that verified keys are remembered. */
const LOOKS_PER_KEY_CHECK = 5;
/** Clients that read at a time, so that other requests are answered in between. */
const READING_TOGETHER = 4;
export const MAX_FOLLOWERS = 256;
/** Each holds a page that was read, and one that its client has not taken yet. */
const LIMITS = { name: 'followers of the log', max: MAX_FOLLOWERS, bytesEach: 256 * 1024 };

/** Wakes the clients that follow the log, with one statement a second for all of them, and none while there are no clients. */
export class LogFollowers {
  private readonly waiters: Waiters<Waiter>;
  private readonly reads = bulkhead(READING_TOGETHER, Infinity);
  private size = 0;
  private looks = 0;
  private timer: NodeJS.Timeout | null = null;
  isStopped = false;

  constructor(private readonly sources: Sources) {
    this.waiters = new Waiters({ ...LIMITS, topicOf: ({ tenantId }) => tenantId, lookAgain: (watch) => this.readInTurn(watch) });
  }

  /** A place for somebody who reads next and then rests; null if there is none left, or the process stops. */
  follow(follower: Waiter): Watch<Waiter> | null {
    const watch = this.isStopped ? null : this.waiters.enter(follower);
    if (watch) this.timer ??= this.nextLook();
    return watch;
  }

  /** Ends all streams: their clients go on at another process. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.waiters.endAll(() => 'stopping');
  }

  private readInTurn(watch: Watch<Waiter>): void {
    watch.isLooking = true;
    void this.reads.execute(() => this.read(watch));
  }

  private async read(watch: Watch<Waiter>): Promise<void> {
    if (!this.waiters.has(watch)) return;
    // The version of the log is its size before the look.
    Object.assign(watch, { isStale: false, version: this.size });
    try {
      await watch.waiter.look();
    } catch (error) {
      // The next look at all of them finds it again.
      watch.version = 0;
      this.sources.logger.warn({ reason: 'look_failed', tenantId: watch.waiter.tenantId, err: error });
    }
    watch.rest();
  }

  private nextLook(): NodeJS.Timeout {
    return setTimeout(() => void this.lookInTime(), LOOK_MS);
  }

  private async lookInTime(): Promise<void> {
    if (this.waiters.count > 0) await this.lookAtAll();
    this.timer = this.waiters.count > 0 && !this.isStopped ? this.nextLook() : null;
  }

  private async lookAtAll(): Promise<void> {
    try {
      await this.lookForGrowth();
      this.looks += 1;
      if (this.looks % LOOKS_PER_KEY_CHECK === 0) await this.waiters.endThoseOfEndedKeys(this.sources.findEnded);
    } catch (error) {
      this.sources.logger.warn({ reason: 'look_failed', following: this.waiters.count, err: error });
    }
  }

  private async lookForGrowth(): Promise<void> {
    const resting = this.waiters.all().filter(({ isLooking }) => !isLooking);
    const seen = Map.groupBy(resting, ({ waiter: { tenantId } }) => tenantId);
    const least = [...seen].map(([tenantId, watches]) => ({ tenantId, size: Math.min(...watches.map(({ version }) => version)) }));
    const grown = await forTenants(tenantsOf(resting), () => this.sources.findGrown(least));
    this.size = grown.size;
    // If a restore has made the log shorter, the reader finds out itself.
    for (const watch of resting) if (grown.tenants.includes(watch.waiter.tenantId) || watch.version > grown.size) watch.again();
  }
}
