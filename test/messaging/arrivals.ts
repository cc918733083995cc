/** What arrives through a callback, to be awaited one by one in order. */
export class Arrivals<Item> {
  private readonly items: Item[] = [];
  private readonly waiting: ((item: Item) => void)[] = [];

  readonly push = (item: Item): void => {
    const first = this.waiting.shift();
    if (first) first(item);
    else this.items.push(item);
  };

  next(): Promise<Item> {
    if (this.items.length > 0) return Promise.resolve(this.items.shift() as Item);
    return new Promise((accept) => this.waiting.push(accept));
  }

  /** Those that nobody has awaited yet. */
  get unseen(): readonly Item[] {
    return this.items;
  }
}
