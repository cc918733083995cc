/** An amount for each name. A name whose amount is zero is forgotten. */
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

  /** The names whose amount is not zero. */
  names(): string[] {
    return [...this.amounts.keys()];
  }

  /** @param change how much to add to the name's amount; negative to subtract */
  add(name: string, change: number): void {
    const amount = this.of(name) + change;
    this.sum += change;
    if (amount === 0) this.amounts.delete(name);
    else this.amounts.set(name, amount);
  }
}
