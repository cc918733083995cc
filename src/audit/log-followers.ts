import { bulkhead } from 'cockatiel';
import type { Logger } from 'pino';
import { bindTenants, forTenants, namedTenants, tenantsOf } from '@lib/batching/named-tenants';
import { tellHolding } from '@lib/memory/holdings';
import type { FindGrown } from '@lib/store/log/grown-logs';
import type { Turn } from '../live/event-stream';

/** A client that reads on whenever the log has more of its tenant. */
export interface Follower {
  tenantId: string;
  /** The API key that it reads with. */
  keyId: string;
  look: () => Promise<void>;
  end: () => void;
}

interface Sources {
  findGrown: FindGrown;
  findEnded: (keyIds: string[]) => Promise<string[]>;
  logger: Logger;
}

/** Pause between two looks: less than the delay that the log has anyway. */
const LOOK_MS = 1_000;
/** Keys are checked after so many looks, which is within the time that verified keys are remembered. */
const LOOKS_PER_KEY_CHECK = 5;
/** Clients that read at a time, so that other requests are answered in between. */
const READING_TOGETHER = 4;
const MAX_FOLLOWERS = 256;
/** Places of one tenant, so that it leaves some to the others. */
export const MAX_OF_TENANT = MAX_FOLLOWERS / 2;
/** A page that was read, and one that its client has not taken yet. */
const FOLLOWER_BYTES = 256 * 1024;

/** One follower's place. While it reads or waits for its turn, at most one further change is kept for it. */
class Place implements Turn {
  /** The size of the log before its last look. */
  seen = 0;
  isReading = true;
  isStale = false;
  /** For whom it reads. */
  readonly tenants = namedTenants();

  constructor(
    readonly follower: Follower,
    private readonly followers: LogFollowers,
  ) {}

  rest(): void {
    this.isReading = false;
    if (this.isStale) this.again();
  }

  again(): void {
    this.followers.notice(this);
  }

  stop(): void {
    this.followers.forget(this);
  }
}

/** Wakes the clients that follow the log, with one statement a second for all of them, and none while there are no clients. */
export class LogFollowers {
  private readonly places = new Set<Place>();
  private readonly reads = bulkhead(READING_TOGETHER, Infinity);
  private size = 0;
  private looks = 0;
  private timer: NodeJS.Timeout | null = null;
  isStopped = false;

  constructor(private readonly sources: Sources) {
    tellHolding(this, 'followers of the log', MAX_FOLLOWERS * FOLLOWER_BYTES, ({ places: { size } }) => ({
      items: size,
      bytes: size * FOLLOWER_BYTES,
    }));
  }

  /** A place for somebody who reads next and then rests; null if there is none left, or the process stops. */
  follow(follower: Follower): Turn | null {
    const ofTenant = [...this.places].filter(({ follower: { tenantId } }) => tenantId === follower.tenantId).length;
    if (this.isStopped || this.places.size >= MAX_FOLLOWERS || ofTenant >= MAX_OF_TENANT) return null;
    const place = new Place({ ...follower, look: bindTenants(follower.look) }, this);
    this.places.add(place);
    this.timer ??= this.nextLook();
    return place;
  }

  forget(place: Place): void {
    this.places.delete(place);
  }

  notice(place: Place): void {
    place.isStale = true;
    if (place.isReading) return;
    place.isReading = true;
    void this.reads.execute(() => this.read(place));
  }

  /** Ends all streams: their clients go on at another process. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.endAll(() => true);
  }

  private async read(place: Place): Promise<void> {
    if (!this.places.has(place)) return;
    Object.assign(place, { isStale: false, seen: this.size });
    try {
      await place.follower.look();
    } catch (error) {
      // The next look at all of them finds it again.
      place.seen = 0;
      this.sources.logger.warn({ reason: 'look_failed', tenantId: place.follower.tenantId, err: error });
    }
    place.rest();
  }

  private nextLook(): NodeJS.Timeout {
    return setTimeout(() => void this.lookInTime(), LOOK_MS);
  }

  private async lookInTime(): Promise<void> {
    if (this.places.size > 0) await this.lookAtAll();
    this.timer = this.places.size > 0 && !this.isStopped ? this.nextLook() : null;
  }

  private async lookAtAll(): Promise<void> {
    try {
      const resting = [...this.places].filter(({ isReading }) => !isReading);
      const seen = Map.groupBy(resting, ({ follower: { tenantId } }) => tenantId);
      const least = [...seen].map(([tenantId, places]) => ({ tenantId, size: Math.min(...places.map((place) => place.seen)) }));
      const grown = await forTenants(tenantsOf(resting), () => this.sources.findGrown(least));
      this.size = grown.size;
      // If a restore has made the log shorter, the reader finds out itself.
      for (const place of resting) if (grown.tenants.includes(place.follower.tenantId) || place.seen > grown.size) this.notice(place);
      this.looks += 1;
      if (this.looks % LOOKS_PER_KEY_CHECK === 0) await this.endThoseOfEndedKeys();
    } catch (error) {
      this.sources.logger.warn({ reason: 'look_failed', following: this.places.size, err: error });
    }
  }

  private async endThoseOfEndedKeys(): Promise<void> {
    const keyIds = new Set([...this.places].map(({ follower: { keyId } }) => keyId));
    const ended = new Set(keyIds.size > 0 ? await this.sources.findEnded([...keyIds]) : []);
    this.endAll(({ keyId }) => ended.has(keyId));
  }

  private endAll(isMeant: (follower: Follower) => boolean): void {
    for (const place of [...this.places]) {
      if (!isMeant(place.follower)) continue;
      this.forget(place);
      place.follower.end();
    }
  }
}
