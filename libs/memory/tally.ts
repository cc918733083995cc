/** An amount for each name. Names whose amount is 0 are forgotten. */
export class Tally {
  private readonly amounts = new Map<string, number>();
  private sum = 0;

  /** The sum over all names. */
  get total(): number {
    return this.sum;
  }

  of(name: string): number {
    return this.amounts.get(name) ?? 0;
  }

  /** The names whose amount is not 0. */
  names(): string[] {
    return [...this.amounts.keys()];
  }

  /** @param change is added to the name's amount; may be negative */
  add(name: string, change: number): void {
    const amount = this.of(name) + change;
    this.sum += change;
    if (amount === 0) this.amounts.delete(name);
    else this.amounts.set(name, amount);
  }
}
