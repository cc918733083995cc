/** Of a usual look. */
const USUAL_MS = 15_000;
/** One look in so many reads everything. */
const EVERY = 30;

/**
 * How far back a look at the agenda reads. As long as some transaction is open, such as a backup's, the indexes keep each row that was taken or removed since
 * it began. Looks that began at the oldest row read all of these every second. What was due earlier has been seen by the looks before; whatever they left, since
 * somebody held it, is seen by the next one that reads everything, which is also the first one after a gap.
 */
export class Reach {
  private looks = 0;
  private lookedAt = -Infinity;

  /** Of the look that begins now, in milliseconds; null for everything. */
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
