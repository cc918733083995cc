import { NumberedTerms, type Terms } from './numbered-terms';

const FAINT = 0.1;
const NOTHING_FAINT = new Uint8Array();
/** A text with this many terms is long: the terms it shares with another stand among many others. */
const LONG_TEXT = 9;

/**
 * Compares texts by their terms, where rarer terms weigh more (inverse document frequency over the given texts). Texts are referred to by position.
 * The data of all texts is in shared arrays, because a job has many texts and an object for each would be most of what it allocates.
 */
export class Similarity {
  readonly numbered: NumberedTerms;
  /** By term number. */
  private readonly weights: Float64Array;
  private readonly squares: Float64Array;
  private readonly isFaint: Uint8Array;
  /** For each text how many of its terms are not faint. */
  private readonly tellingCounts: number[] = [];
  /** For each text the sum of its weights, and the square root of the sum of their squares. */
  private readonly masses: number[] = [];
  private readonly norms: number[] = [];
  /** For each term number the last compared text that has it, counted from 1; and the position of that text. */
  private readonly marks: Int32Array;
  private marked = -1;

  /** Terms in `faint` weigh a tenth, because a topic common to all texts does not distinguish them. */
  constructor(texts: readonly Terms[], faint?: Terms) {
    this.numbered = new NumberedTerms(texts);
    const size = this.numbered.size;
    this.weights = new Float64Array(size);
    this.squares = new Float64Array(size);
    this.isFaint = faint ? new Uint8Array(size) : NOTHING_FAINT;
    this.marks = new Int32Array(size);
    for (const term of faint ?? []) this.isFaint[this.numbered.numberOf(term) ?? size] = 1;
    for (let term = 0; term < size; term += 1) {
      const weight = Math.log(1 + texts.length / this.frequency(term));
      const counted = this.isFaint[term] === 1 ? FAINT * weight : weight;
      this.weights[term] = counted;
      this.squares[term] = counted * counted;
    }
    for (let text = 0; text < texts.length; text += 1) this.weigh(text);
  }

  /** Adds a part of one of the texts without changing any weight; returns its position. */
  add(part: Terms): number {
    return this.weigh(this.numbered.add(part));
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    return this.cosineBy(left, right, this.squares, this.norms);
  }

  /** Cosine of two given texts without some terms; the weights of the others do not change. */
  cosineWithout(isLeftOut: (term: string) => boolean): (left: number, right: number) => number {
    const squares = this.squares.slice();
    for (const [term, number] of this.numbered.entries()) if (isLeftOut(term)) squares[number] = 0;
    const norms = this.norms.map((_, text) => Math.sqrt(this.sumOf(text, squares)));
    return (left, right) => this.cosineBy(left, right, squares, norms);
  }

  /** The share of `inner`'s weight that `outer` also has, 0 to 1. */
  containment(inner: number, outer: number): number {
    const mass = this.mass(inner);
    return mass === 0 ? 0 : this.sharedMass(inner, outer) / mass;
  }

  isLong(text: number): boolean {
    return (this.numbered.ends[text] ?? 0) - (this.numbered.begins[text] ?? 0) >= LONG_TEXT;
  }

  /** How many terms of a text are not faint. */
  contentTermCount(text: number): number {
    return this.tellingCounts[text] ?? 0;
  }

  /** The weight of the terms that both have. */
  sharedMass(left: number, right: number): number {
    return this.sumOfShared(left, right, this.weights);
  }

  /** The share of `inner`'s weight in those of `some` of its terms that `outer` lacks. */
  shareOf(inner: number, some: Terms, outer: number): number {
    const mass = this.mass(inner);
    let sum = 0;
    for (const term of some) {
      const number = this.numbered.numberOf(term);
      if (number !== undefined && this.has(inner, number) && !this.has(outer, number)) sum += this.weights[number] ?? 0;
    }
    return mass === 0 ? 0 : sum / mass;
  }

  private has(text: number, term: number): boolean {
    const { terms, begins, ends } = this.numbered;
    for (let at = begins[text] ?? 0; at < (ends[text] ?? 0); at += 1) if (terms[at] === term) return true;
    return false;
  }

  /** The weight of all its terms. */
  mass(text: number): number {
    return this.masses[text] ?? 0;
  }

  private weigh(text: number): number {
    let telling = 0;
    const { terms, begins, ends } = this.numbered;
    const end = ends[text] ?? 0;
    for (let at = begins[text] ?? 0; at < end; at += 1) if (this.isFaint[terms[at] ?? 0] === 0) telling += 1;
    this.tellingCounts.push(telling);
    this.masses.push(this.sumOf(text, this.weights));
    this.norms.push(Math.sqrt(this.sumOf(text, this.squares)));
    return text;
  }

  private sumOf(text: number, weights: Float64Array): number {
    const { terms, begins, ends } = this.numbered;
    const end = ends[text] ?? 0;
    let sum = 0;
    for (let at = begins[text] ?? 0; at < end; at += 1) sum += weights[terms[at] ?? 0] ?? 0;
    return sum;
  }

  private cosineBy(left: number, right: number, squares: Float64Array, normsBy: readonly number[]): number {
    const norms = (normsBy[left] ?? 0) * (normsBy[right] ?? 0);
    return norms === 0 ? 0 : this.sumOfShared(left, right, squares) / norms;
  }

  /** Many pairs in a row usually have the same right text, so its terms are marked only once. */
  private sumOfShared(left: number, right: number, weights: Float64Array): number {
    const mark = right + 1;
    const { terms, begins, ends } = this.numbered;
    const { marks } = this;
    if (this.marked !== right) {
      const end = ends[right] ?? 0;
      for (let at = begins[right] ?? 0; at < end; at += 1) marks[terms[at] ?? 0] = mark;
      this.marked = right;
    }
    let sum = 0;
    const end = ends[left] ?? 0;
    for (let at = begins[left] ?? 0; at < end; at += 1) {
      const term = terms[at] ?? 0;
      if (marks[term] === mark) sum += weights[term] ?? 0;
    }
    return sum;
  }

  /** How many of the texts have the term. */
  frequencyOf(term: string): number {
    return this.frequency(this.numbered.numberOf(term) ?? this.numbered.size);
  }

  private frequency(term: number): number {
    return this.numbered.frequencies[term] ?? 0;
  }
}
