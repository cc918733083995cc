/** How much of something each name has. One that has nothing is forgotten. */
export class Tally {
  private readonly amounts = new Map<string, number>();
  private sum = 0;

  /** Of all names. */
  get total(): number {
    return this.sum;
  }

  of(name: string): number {
    return this.amounts.get(name) ?? 0;
  }

  /** Of those that have something. */
  names(): string[] {
    return [...this.amounts.keys()];
  }

  /** @param change what the name has more from now on, or less */
  add(name: string, change: number): void {
    const amount = this.of(name) + change;
    this.sum += change;
    if (amount === 0) this.amounts.delete(name);
    else this.amounts.set(name, amount);
  }
}
