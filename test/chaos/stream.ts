import type { Socket } from 'node:net';
import type { NatsFrames } from '../support/nats-frames';

/** What a proxy does to the bytes that pass it at this moment. */
export interface Weather {
  /** Kept back in this direction until that ends, as TCP repeats what a partition swallowed. */
  held: { there: boolean; back: boolean };
  latencyMs: number;
  /** The same without chance, and for each direction. */
  lateMs: { there: number; back: number };
  bytesPerSecond: number;
  /** Messages of NATS are passed on twice. */
  doubles: boolean;
  /** Some messages of NATS are overtaken by others. */
  reorders: boolean;
}

/** What happened to the bytes that went this way. */
export interface Toll {
  held: number;
  delayed: number;
  reset: number;
  halfOpen: number;
  doubled: number;
  reordered: number;
}

/** The end of a stream of which one side is gone. */
export const HALF = Symbol('half open');

/** Beyond that the sender is made to wait, as by a full window. */
const WINDOW_BYTES = 256 * 1024;
/** How long a message may be overtaken, and how many are. */
const OVERTAKEN_MS = 250;
const OVERTAKEN_SHARE = 0.2;

interface Waiting {
  bytes: Buffer | null;
  atMs: number;
  then?: () => void;
}

/** One direction of one connection. */
export class Stream {
  private readonly queue: Waiting[] = [];
  private queuedBytes = 0;
  private freeAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly direction: 'there' | 'back',
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly weather: Weather,
    private readonly toll: Toll,
    private readonly frames: NatsFrames | null,
  ) {
    from.on('data', (chunk: Buffer) => this.take(chunk));
    from.on('end', () => this.put(null, () => to.end()));
    to.on('drain', () => this.flow());
  }

  /** After everything that is still under way. */
  atEnd(then: () => void): void {
    this.put(null, then);
  }

  end(_: typeof HALF): void {
    this.isOver = true;
    this.queue.length = 0;
    clearTimeout(this.timer);
  }

  /** Passes on what is due. */
  flow(): void {
    clearTimeout(this.timer);
    for (let next = this.queue[0]; next; next = this.queue[0]) {
      if (this.isOver) return;
      if (this.weather.held[this.direction]) {
        this.toll.held += next.bytes ? 1 : 0;
        return;
      }
      const waitMs = next.atMs - performance.now();
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.flow(), waitMs);
        return;
      }
      this.queue.shift();
      this.queuedBytes -= next.bytes?.length ?? 0;
      next.then?.();
      if (next.bytes && !this.to.destroyed && !this.to.writableEnded) this.to.write(next.bytes);
    }
    if (this.queuedBytes < WINDOW_BYTES) this.from.resume();
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    if (!this.frames) return this.put(chunk);
    for (const { bytes, subject } of this.frames.push(chunk)) {
      if (subject !== null && this.weather.reorders && Math.random() < OVERTAKEN_SHARE) this.overtake(bytes);
      else this.put(bytes);
      if (subject === null || !this.weather.doubles || !this.mayDouble(subject)) continue;
      this.toll.doubled += 1;
      this.put(bytes);
    }
  }

  /** A doubled request for the next entry would be another request. */
  private mayDouble(subject: string): boolean {
    return this.direction === 'back' || subject.startsWith('step.');
  }

  private overtake(bytes: Buffer): void {
    this.toll.reordered += 1;
    setTimeout(() => this.put(bytes), Math.random() * OVERTAKEN_MS);
  }

  private put(bytes: Buffer | null, then?: () => void): void {
    if (this.isOver) return;
    const { latencyMs, lateMs, bytesPerSecond } = this.weather;
    const now = performance.now();
    // Nothing is faster than what went before it.
    const begins = Math.max(now, this.freeAtMs);
    this.freeAtMs = bytesPerSecond === Infinity ? begins : begins + ((bytes?.length ?? 0) / bytesPerSecond) * 1000;
    const lateBy = latencyMs * (0.5 + Math.random()) + lateMs[this.direction];
    const isDelayed = lateBy > 0 || bytesPerSecond < Infinity;
    if (isDelayed) this.toll.delayed += 1;
    this.queue.push({ bytes, atMs: isDelayed ? Math.max(this.queue.at(-1)?.atMs ?? 0, this.freeAtMs + lateBy) : now, then });
    this.queuedBytes += bytes?.length ?? 0;
    if (this.queuedBytes > WINDOW_BYTES) this.from.pause();
    this.flow();
  }
}
