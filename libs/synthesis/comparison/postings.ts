/** No entry, or no text. */
export const NONE = -1;

/** For each term the texts that have it, in order: linked lists in two arrays for all terms. */
export class Postings {
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private readonly nexts: Int32Array;
  private readonly texts: Int32Array;
  private count = 0;

  constructor(terms: number, most: number) {
    this.firsts = new Int32Array(terms).fill(NONE);
    this.lasts = new Int32Array(terms).fill(NONE);
    this.nexts = new Int32Array(most).fill(NONE);
    this.texts = new Int32Array(most);
  }

  first(term: number): number {
    return this.firsts[term] ?? NONE;
  }

  next(entry: number): number {
    return this.nexts[entry] ?? NONE;
  }

  textAt(entry: number): number {
    return this.texts[entry] ?? 0;
  }

  lastText(term: number): number {
    const last = this.lasts[term] ?? NONE;
    return last === NONE ? NONE : this.textAt(last);
  }

  add(term: number, text: number): void {
    const last = this.lasts[term] ?? NONE;
    if (last === NONE) this.firsts[term] = this.count;
    else this.nexts[last] = this.count;
    this.texts[this.count] = text;
    this.lasts[term] = this.count;
    this.count += 1;
  }
}
