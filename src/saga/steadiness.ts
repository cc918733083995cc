import type { Transport } from '@lib/messaging/transport';

const TICK_MS = 100;
/** A shorter gap does not count: it only means that the process is busy. */
const MIN_GAP_MS = 1_000;
const GAP_SHARE = 0.1;

/**
 * For how long this process could hear every heartbeat: its event loop turned, its database answered, and its transport was connected, all without a
 * gap. Only then does a lease that was not renewed mean that its worker is gone. Much work makes no gap.
 */
export class Steadiness {
  /** Monotonic time; null during a gap of the event loop or the database. */
  private since: number | null = null;
  private lastTurn = performance.now();
  private readonly longestGapMs: number;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly transport: Pick<Transport, 'connectedForMs'>,
    private readonly leaseMs: number,
  ) {
    this.longestGapMs = Math.max(MIN_GAP_MS, leaseMs * GAP_SHARE);
  }

  start(): void {
    this.lastTurn = performance.now();
    this.timer = setInterval(() => this.turn(), TICK_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** The database has answered a query that was sent at `askedAt`. During a slow query, leases could not be renewed either. */
  answered(askedAt: number): void {
    const now = performance.now();
    if (this.since === null || now - askedAt > this.longestGapMs) this.since = now;
  }

  /** The database could not be reached. */
  failed(): void {
    this.since = null;
  }

  /** Whether all of it has held for a whole lease. */
  isSteady(): boolean {
    // After a standstill this may run before the timer notices it.
    this.turn();
    const steadyMs = this.since === null ? 0 : performance.now() - this.since;
    return Math.min(steadyMs, this.transport.connectedForMs() ?? 0) >= this.leaseMs;
  }

  private turn(): void {
    const now = performance.now();
    // The time begins anew here, unless the database has not answered yet.
    if (now - this.lastTurn > this.longestGapMs && this.since !== null) this.since = now;
    this.lastTurn = now;
  }
}
