type Numbers = Uint32Array | Int8Array | Uint8Array;

/** A typed array that grows when it is appended to, so that millions of numbers need no object each. */
export class GrowingArray<Kind extends Numbers> {
  length = 0;

  constructor(
    private readonly Type: new (length: number) => Kind,
    private array: Kind = new Type(1024),
  ) {}

  push(values: ArrayLike<number>): void {
    const needed = this.length + values.length;
    if (needed > this.array.length) {
      const larger = new this.Type(Math.max(needed, this.array.length * 2));
      larger.set(this.array.subarray(0, this.length));
      this.array = larger;
    }
    this.array.set(values, this.length);
    this.length = needed;
  }

  /** The written part, without spare capacity. */
  toArray(): Kind {
    return this.array.slice(0, this.length) as Kind;
  }
}
