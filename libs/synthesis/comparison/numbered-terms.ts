/** A text as the terms it has, each once. */
export type Terms = ReadonlySet<string>;

/** Room for so many terms of a text to begin with. */
const TERMS_OF_TEXT = 16;

/** The terms of many texts as numbers, in one array for all texts: walking through those of two texts is most of what comparing them costs. */
export class NumberedTerms {
  private readonly numbers = new Map<string, number>();
  /** By term number how many texts have it, the parts that were added left out. */
  readonly frequencies: number[] = [];
  /** Those of a text stand together, ascending. */
  terms: Int32Array;
  /** By text where its terms begin and end. */
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

  /** Takes in a part of one of the texts, and counts nothing; returns its position. */
  add(part: Terms): number {
    const begin = this.used;
    for (const term of part) {
      const number = this.numbers.get(term);
      if (number !== undefined) this.insert(number, begin);
    }
    return this.end(begin);
  }

  /** Numbers the terms of a text and counts them. Texts with the very same terms share their numbers. */
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

  /** Into its place among the terms from `begin` on. They come nearly in order, since most are new. */
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

  /** The terms from `begin` on are those of a text, whose position it returns. */
  private end(begin: number): number {
    this.ends.push(this.used);
    return this.begins.push(begin) - 1;
  }
}
