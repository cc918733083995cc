/** A stream of numbers that its seed decides (mulberry32). */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0 and below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both bounds included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.integer(0, items.length - 1)] as Item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const cards = [...items];
    for (let last = cards.length - 1; last > 0; last -= 1) {
      const other = this.integer(0, last);
      [cards[last], cards[other]] = [cards[other] as Item, cards[last] as Item];
    }
    return cards;
  }
}
