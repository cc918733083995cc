const TICK_MS = 100;
/** A shorter gap only means that the process is busy. */
const MIN_MS = 1_000;
/** For this long after a standstill, messages that arrived during it may still be unread. */
const READS_OLD_MS = 1_000;

/**
 * Notices that this process stood still: it was frozen, or its event loop was blocked. A message that is read right afterwards looks new, but may
 * have waited for all of that time. (A sleeping machine is not noticed, since the monotonic clock of Linux sleeps with it.)
 */
export class Standstill {
  private lastTurn = performance.now();
  private endedAt = -Infinity;
  private lengthMs = 0;
  private timer: NodeJS.Timeout | null = null;

  start(): void {
    this.timer = setInterval(() => this.turn(), TICK_MS).unref();
    this.lastTurn = performance.now();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** The longest time that a message which is read now may have waited to be read. */
  unreadMs(): number {
    // The message may be read before the timer's own turn comes.
    this.turn();
    return performance.now() - this.endedAt < READS_OLD_MS ? this.lengthMs : 0;
  }

  private turn(): void {
    const now = performance.now();
    if (now - this.lastTurn > MIN_MS) {
      this.lengthMs = now - this.lastTurn;
      this.endedAt = now;
    }
    this.lastTurn = now;
  }
}
