/** One comparison of the database's clock with the monotonic clock of this process. */
interface Sample {
  /** What to add to the monotonic clock. The true offset is smaller by the time that the statement was on its way. */
  offsetMs: number;
  roundTripMs: number;
  takenAt: number;
}

/** Two clocks may drift apart by this part of the time that has passed; quartz drifts by a tenth of it. */
const DRIFT = 0.001;
/** The database's time comes in whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * The database's clock as this process knows it: the monotonic clock plus an offset, whatever the wall clock of the process says. Only `occurredAt`
 * comes from it; leases and deadlines are compared by the database itself.
 */
export class CorrectedClock {
  private best: Sample | null = null;
  private isDoubted = false;

  /** The time of the process until the database has told its own. */
  now(): Date {
    return this.best ? new Date(performance.now() + this.best.offsetMs) : new Date();
  }

  /** The database's time is known, and nothing speaks against it: only then may an event be dated. */
  get isKnown(): boolean {
    return this.best !== null && !this.isDoubted;
  }

  /** A moment of the monotonic clock; null while the database's time is not known. */
  at(moment: number): Date | null {
    return this.best && this.isKnown ? new Date(moment + this.best.offsetMs) : null;
  }

  /** The database's clock may have been set: whatever it says next counts. */
  doubt(): void {
    this.isDoubted = true;
  }

  /**
   * Keeps the offset of the shortest round trip. A statement that waited for a connection, a lock or the disk says little: it told the time of its
   * arrival, which lies anywhere between the two moments. But if the two moments exclude the offset that is kept, one of the clocks was set.
   * @param arrivedAt `statement_timestamp()`
   */
  observe(arrivedAt: Date, sentAt: number, answeredAt: number): void {
    const sample = { offsetMs: arrivedAt.getTime() - sentAt, roundTripMs: answeredAt - sentAt, takenAt: answeredAt };
    if (!this.best || this.isDoubted || this.isBetter(sample, this.best)) this.best = sample;
    this.isDoubted = false;
  }

  private isBetter(sample: Sample, best: Sample): boolean {
    const uncertainMs = (sample.takenAt - best.takenAt) * DRIFT;
    const ahead = best.offsetMs - sample.offsetMs;
    const isExcluded = ahead > best.roundTripMs + uncertainMs + RESOLUTION_MS || ahead < -sample.roundTripMs - uncertainMs - RESOLUTION_MS;
    return sample.roundTripMs <= best.roundTripMs + uncertainMs || isExcluded;
  }
}
