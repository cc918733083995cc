/** The distinct terms of a text. */
export type Terms = ReadonlySet<string>;

/** Initial capacity, in terms per text. */
const TERMS_OF_TEXT = 16;

/** The terms of many texts as numbers in a single array, since most of the cost of comparing texts is iterating over their terms. */
export class NumberedTerms {
  private readonly numbers = new Map<string, number>();
  /** For each term number how many texts have it, not counting added parts. */
  readonly frequencies: number[] = [];
  /** The terms of each text are adjacent and ascending. */
  terms: Int32Array;
  /** For each text where its terms begin and end. */
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  private used = 0;

  constructor(texts: readonly Terms[]) {
    this.terms = new Int32Array(TERMS_OF_TEXT * texts.length);
    const known = new Map<Terms, number>();
    for (const terms of texts) this.count(terms, known);
  }

  /** How many terms there are. */
  get size(): number {
    return this.frequencies.length;
  }

  /** Each term with its number. */
  entries(): MapIterator<[string, number]> {
    return this.numbers.entries();
  }

  numberOf(term: string): number | undefined {
    return this.numbers.get(term);
  }

  /** Adds a part of one of the texts without counting it; returns its position. */
  add(part: Terms): number {
    const begin = this.used;
    for (const term of part) {
      const number = this.numbers.get(term);
      if (number !== undefined) this.insert(number, begin);
    }
    return this.end(begin);
  }

  /** Numbers and counts the terms of a text. Texts with the same set of terms share their numbers. */
  private count(terms: Terms, known: Map<Terms, number>): void {
    const same = known.get(terms);
    if (same !== undefined) {
      const [begin, end] = [this.begins[same] ?? 0, this.ends[same] ?? 0];
      for (let at = begin; at < end; at += 1) {
        const term = this.terms[at] ?? 0;
        this.frequencies[term] = (this.frequencies[term] ?? 0) + 1;
      }
      this.ends.push(end);
      this.begins.push(begin);
      return;
    }
    const begin = this.used;
    for (const term of terms) {
      let number = this.numbers.get(term);
      if (number === undefined) {
        number = this.frequencies.push(0) - 1;
        this.numbers.set(term, number);
      }
      this.frequencies[number] = (this.frequencies[number] ?? 0) + 1;
      this.insert(number, begin);
    }
    known.set(terms, this.end(begin));
  }

  /** Inserts a number in order among the terms from `begin` on. Numbers come nearly in order, since most are new. */
  private insert(number: number, begin: number): void {
    if (this.used === this.terms.length) {
      const larger = new Int32Array(2 * this.used + TERMS_OF_TEXT);
      larger.set(this.terms);
      this.terms = larger;
    }
    const { terms } = this;
    let at = this.used;
    for (; at > begin && (terms[at - 1] ?? 0) > number; at -= 1) terms[at] = terms[at - 1] ?? 0;
    terms[at] = number;
    this.used += 1;
  }

  /** Ends the text whose terms start at `begin`, and returns its position. */
  private end(begin: number): number {
    this.ends.push(this.used);
    return this.begins.push(begin) - 1;
  }
}
