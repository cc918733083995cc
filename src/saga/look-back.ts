/** How far back a normal look reads. */
const USUAL_MS = 15_000;
/** Every 30th look reads everything. */
const EVERY = 30;

/**
 * How far back a look at the agenda reads: 15 s, and everything on every 30th look, after a failure and after a gap. Rows that were due earlier were
 * seen by earlier looks; rows that those skipped because they were locked are found by the next look that reads everything. Reading everything each
 * second would be slow while a long transaction is open, such as a backup's, because the indexes keep every row that was taken or removed since it
 * began.
 */
export class LookBack {
  private looks = 0;
  private lookedAt = -Infinity;

  /** How far back the look that begins now reads, in milliseconds; null for everything. */
  next(): number | null {
    const now = performance.now();
    if (now - this.lookedAt > USUAL_MS / 2) this.looks = 0;
    this.lookedAt = now;
    return this.looks++ % EVERY === 0 ? null : USUAL_MS;
  }

  /** The look failed: the next one reads everything. */
  failed(): void {
    this.looks = 0;
  }
}
