/**
 * The process clock corrected by its last measured offset to the database's. Only `occurredAt` comes from it: leases and
 * deadlines are compared on the database's clock alone.
 */
export class CorrectedClock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** @param databaseNow what the database said between the two moments of the process clock */
  observe(databaseNow: Date, sentAt: number, answeredAt: number): void {
    this.offsetMs = Math.round(databaseNow.getTime() - (sentAt + answeredAt) / 2);
  }
}
