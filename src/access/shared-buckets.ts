import { randomUUID } from 'node:crypto';

import { fullBucket, settle, take, tokensIn, waitMs, type Bucket, type Rate } from '@lib/domain/token-bucket';
import { boundedCache } from '@lib/memory/bounded-cache';
import { limitsTakenPayload, MAX_TAKEN, readLimitsTaken, type Taken } from '@lib/messaging/limits-taken';
import { LIMITS_TAKEN_SUBJECT } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';

/** How often processes tell each other what they gave out. */
const TOLD_EVERY_MS = 200;
/** Processes that are remembered at most, which is more than share one broker. */
const MAX_PROCESSES = 200;
/** A process that applies limits says at least this often that it is there. */
const HEARD_EVERY_MS = 2_000;
/** A process that was silent for so long is taken to be gone. */
const GONE_AFTER_MS = 10_000;
const BUCKETS_BYTES = 4 * 1024 * 1024;
const BUCKET_BYTES = 100;

export interface Left {
  isTaken: boolean;
  /** Tokens that can be taken now. */
  tokens: number;
  /** Time until there is a token; 0 if there is one. */
  waitMs: number;
  /** Time until the bucket is full. */
  fullInMs: number;
}

/**
 * Buckets that all api processes share. Each process takes tokens from its own copy and tells the others a few times a second how many, and
 * they take the same number from theirs. So all together give out what one process would. For a moment they may give more: at most a burst
 * and 200 ms of the rate for each further process, which is made up for at once. While the transport is down, each process gives its share.
 */
export class SharedBuckets {
  private readonly id = randomUUID();
  private readonly buckets = boundedCache<Bucket>({ name: 'rate limits', maxBytes: BUCKETS_BYTES, bytesOf: () => BUCKET_BYTES });
  private untold = new Map<string, Taken>();
  /** When the other processes were last heard. */
  private readonly others = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private toldAt = -Infinity;
  private listening: Subscription | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async listen(): Promise<void> {
    this.listening = await this.transport.subscribe(LIMITS_TAKEN_SUBJECT, (payload) => this.hear(payload));
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.listening?.stop();
  }

  /** Takes a token from each bucket, or from none if one of them is empty. @returns what is left in each */
  take(wanted: readonly { bucket: string; rate: Rate }[]): Left[] {
    const now = this.now();
    const shares = wanted.map(({ bucket: name, rate }) => ({ name, rate, share: this.shareOf(rate), bucket: this.bucketOf(name) }));
    // Other processes may still use another rate. `settle` limits the debt by our own rate, so no bucket stays empty for longer than it allows,
    // whatever they took.
    for (const { bucket, share } of shares) settle(bucket, share, now, 0);
    const isTaken = shares.every(({ bucket, share }) => waitMs(bucket, share, now) < 1e-3);
    return shares.map(({ name, rate, share, bucket }) => {
      if (isTaken && take(bucket, share, now)) this.note(name, rate);
      const tokens = Math.max(0, Math.floor(tokensIn(bucket, share, now)));
      return { isTaken, tokens, waitMs: waitMs(bucket, share, now), fullInMs: Math.max(0, bucket.fullAt - now) };
    });
  }

  private bucketOf(name: string): Bucket {
    const known = this.buckets.get(name);
    if (known) return known;
    const bucket = fullBucket();
    this.buckets.set(name, bucket);
    return bucket;
  }

  private note(bucket: string, rate: Rate): void {
    const untold = this.untold.get(bucket);
    if (untold) untold.tokens += 1;
    else this.untold.set(bucket, { bucket, tokens: 1, rate });
    this.timer ??= setInterval(() => this.tell(), TOLD_EVERY_MS).unref();
  }

  private shareOf(rate: Rate): Rate {
    if (this.transport.connectedForMs() !== null) return rate;
    const processes = this.others.size + 1;
    return { perSecond: rate.perSecond / processes, burst: Math.max(1, rate.burst / processes) };
  }

  private tell(): void {
    const now = this.now();
    // While other processes cannot hear this one, it gives out only its own share, so it does not need to tell them.
    const isHeard = this.transport.connectedForMs() !== null;
    if (isHeard) for (const [id, heardAt] of this.others) if (now - heardAt > GONE_AFTER_MS) this.others.delete(id);
    if (this.untold.size === 0 && now - this.toldAt < HEARD_EVERY_MS) return;
    const taken = [...this.untold.values()];
    this.untold = new Map();
    if (!isHeard) return;
    this.toldAt = now;
    for (let place = 0; place === 0 || place < taken.length; place += MAX_TAKEN)
      this.transport.publish(LIMITS_TAKEN_SUBJECT, limitsTakenPayload({ from: this.id, taken: taken.slice(place, place + MAX_TAKEN) }));
  }

  private hear(payload: unknown): void {
    const told = readLimitsTaken(payload);
    if (!told || told.from === this.id) return;
    const now = this.now();
    if (this.others.size < MAX_PROCESSES || this.others.has(told.from)) this.others.set(told.from, now);
    for (const { bucket, tokens, rate } of told.taken) settle(this.bucketOf(bucket), rate, now, tokens);
  }
}
