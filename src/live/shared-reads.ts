/**
 * Lets all clients that the same change wakes share one read. If a read fails, those that wait for it fail too, and the next client reads again.
 */
export class SharedReads {
  private readonly reads = new Map<string, Promise<unknown>>();

  /** @param name identifies what is read; must be unique within a tenant */
  once<Read>(tenantId: string, name: string, read: () => Promise<Read>): Promise<Read> {
    const key = `${tenantId} ${name}`;
    const known = this.reads.get(key) as Promise<Read> | undefined;
    if (known) return known;
    const reading = read();
    this.reads.set(key, reading);
    reading.catch(() => this.reads.delete(key));
    return reading;
  }
}
