import type { Transport } from '@lib/messaging/transport';
import type { LeaseTimes } from '@lib/settings/lease-times';

const TICK_MS = 100;
/** Shorter gaps are ignored: they only mean that the process is busy. */
const MIN_GAP_MS = 1_000;
const GAP_SHARE = 0.1;

/** The database's clock was set, or its machine was suspended. */
export interface ClockJump {
  /** Negative if it was set back. */
  milliseconds: number;
  /** When the jump was noticed, by the database's clock. */
  noticedAt: Date;
}

/**
 * Lower and upper bound of how far the database's clock is ahead of the monotonic one. It is not exact, because the answer does not tell when during
 * the query the clock was read.
 */
interface Ahead {
  least: number;
  most: number;
}

/**
 * How long this process has been able to hear every heartbeat: its event loop ran, its database answered, and its transport was connected, all
 * without a gap. Only then does a lease that was not renewed mean that its worker is gone. High load is not a gap. A jump of the database's clock is:
 * if it was set ahead or its machine was suspended, leases end that nobody had time to renew.
 */
export class Steadiness {
  /** Monotonic time; null during a gap of the event loop or the database. */
  private since: number | null = null;
  private lastTurn = performance.now();
  private ahead: Ahead | null = null;
  private jump: ClockJump | null = null;
  private jumpedAt = -Infinity;
  private readonly longestGapMs: number;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly transport: Pick<Transport, 'connectedForMs'>,
    private readonly times: Pick<LeaseTimes, 'leaseMs' | 'reportsMs'>,
  ) {
    this.longestGapMs = Math.max(MIN_GAP_MS, times.leaseMs * GAP_SHARE);
  }

  start(): void {
    this.lastTurn = performance.now();
    this.timer = setInterval(() => this.turn(), TICK_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /**
   * The database has answered a query that was sent at `askedAt`. During a slow query, leases could not be renewed either.
   * @param time `statement_timestamp()`
   * @returns whether the database's clock has jumped since its previous answer
   */
  answered(askedAt: number, time: Date): boolean {
    const now = performance.now();
    const milliseconds = this.hear({ least: time.getTime() - now, most: time.getTime() - askedAt });
    const hasJumped = milliseconds !== 0;
    if (hasJumped) [this.jump, this.jumpedAt] = [{ milliseconds, noticedAt: time }, now];
    if (this.since === null || now - askedAt > this.longestGapMs || hasJumped) this.since = now;
    return hasJumped;
  }

  /** The last jump of the database's clock; null once a lease's time has passed since it was noticed. */
  get recentJump(): ClockJump | null {
    return performance.now() - this.jumpedAt < this.times.leaseMs ? this.jump : null;
  }

  /** The database could not be reached. */
  failed(): void {
    this.since = null;
  }

  /**
   * Whether every report that waited for the end of a gap has had time to arrive. A deadline that ended earlier would make such a report late: paid
   * for and lost. After a jump of the clock deadlines are put off, for a whole lease.
   */
  hasHeardReports(): boolean {
    return this.recentJump === null && this.isSteady(this.times.reportsMs);
  }

  /** Whether there was no gap for that time; by default for the length of a lease, in which each worker that is there renews its own. */
  isSteady(forMs = this.times.leaseMs): boolean {
    // After a standstill this may run before the timer notices it.
    this.turn();
    const steadyMs = this.since === null ? 0 : performance.now() - this.since;
    return Math.min(steadyMs, this.transport.connectedForMs() ?? 0) >= forMs;
  }

  /** The least by which the clock has jumped. A jump shorter than a gap cannot be told from a slow answer. */
  private hear(ahead: Ahead): number {
    const before = this.ahead ?? ahead;
    this.ahead = ahead;
    if (ahead.least - before.most > this.longestGapMs) return ahead.least - before.most;
    return before.least - ahead.most > this.longestGapMs ? ahead.most - before.least : 0;
  }

  private turn(): void {
    const now = performance.now();
    // After a gap of the event loop, count from now. If the database has not answered yet, there is nothing to count.
    if (now - this.lastTurn > this.longestGapMs && this.since !== null) this.since = now;
    this.lastTurn = now;
  }
}
