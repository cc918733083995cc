/** One comparison of the database's clock with the monotonic clock of this process. */
interface Sample {
  /** What to add to the monotonic clock. The true offset is smaller by the statement's travel time. */
  offsetMs: number;
  roundTripMs: number;
  takenAt: number;
}

/** Two clocks may drift apart by this fraction of the elapsed time; quartz drifts by a tenth of it. */
const DRIFT = 0.001;
/** The database's time is given in whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * The database's clock as this process knows it: the monotonic clock plus an offset, independent of the wall clock of the process. Only `occurredAt`
 * comes from it; leases and deadlines are compared by the database itself.
 */
export class CorrectedClock {
  private best: Sample | null = null;
  private isInvalidated = false;

  /** The time of the process, until the database's time is known. */
  now(): Date {
    return this.best ? new Date(performance.now() + this.best.offsetMs) : new Date();
  }

  /** Whether the database's time is known: only then may an event be dated. */
  get isKnown(): boolean {
    return this.best !== null && !this.isInvalidated;
  }

  /** The time of a moment of the monotonic clock; null while the database's time is unknown. */
  at(moment: number): Date | null {
    return this.best && this.isKnown ? new Date(moment + this.best.offsetMs) : null;
  }

  /** The database's clock may have been set, so its next time is taken unconditionally. */
  invalidate(): void {
    this.isInvalidated = true;
  }

  /**
   * Keeps the offset of the shortest round trip. A statement that waited for a connection, a lock or the disk says little: it gave the time of its
   * arrival, which lies anywhere between the two moments. But if the two moments exclude the kept offset, one of the clocks was set.
   * @param arrivedAt `statement_timestamp()`
   */
  observe(arrivedAt: Date, sentAt: number, answeredAt: number): void {
    const sample = { offsetMs: arrivedAt.getTime() - sentAt, roundTripMs: answeredAt - sentAt, takenAt: answeredAt };
    if (!this.best || this.isInvalidated || this.isBetter(sample, this.best)) this.best = sample;
    this.isInvalidated = false;
  }

  private isBetter(sample: Sample, best: Sample): boolean {
    const uncertainMs = (sample.takenAt - best.takenAt) * DRIFT;
    const ahead = best.offsetMs - sample.offsetMs;
    const isExcluded = ahead > best.roundTripMs + uncertainMs + RESOLUTION_MS || ahead < -sample.roundTripMs - uncertainMs - RESOLUTION_MS;
    return sample.roundTripMs <= best.roundTripMs + uncertainMs || isExcluded;
  }
}
