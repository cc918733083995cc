import { NumberedTerms, type Terms } from './numbered-terms';
import { NONE, Postings } from './postings';

const FAINT = 0.1;
const NOTHING_FAINT = new Uint8Array();
/** In a text of so many terms what it shares with another stands among more of them. */
const LONG_TEXT = 9;

/** By how many of its rarest terms a text is looked for. */
export interface Rarest {
  ofShort: number;
  ofLong: number;
}

/** Pairs of texts by their positions, those with the same higher one together: its lower ones are `lefts` from `begins[higher]` to `begins[higher + 1]`. */
export interface Pairs {
  lefts: readonly number[];
  begins: Int32Array;
  /** By pair the weight of the terms that both have. */
  shared: readonly number[];
}

/**
 * Compares texts by their terms, the rarer the heavier (inverse document frequency over the texts given). Texts go by their position. What is
 * known of each is kept in one array for all: a job has many texts, and an object for each would be most of what it allocates.
 */
export class Similarity {
  private readonly numbered: NumberedTerms;
  /** By term number. */
  private readonly weights: Float64Array;
  private readonly squares: Float64Array;
  private readonly isFaint: Uint8Array;
  /** By text how many of its terms are not faint. */
  private readonly tellingCounts: number[] = [];
  /** By text: the sum of its weights, and the square root of the sum of their squares. */
  private readonly masses: number[] = [];
  private readonly norms: number[] = [];
  /** By term number the text, counted from 1, that was compared last and has it; and that text. */
  private readonly marks: Int32Array;
  private marked = -1;

  /** Terms that are `faint` weigh a tenth: what all texts speak of tells none from another. */
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

  /** Takes in a part of one of the texts, which changes no weight; returns its position. */
  add(part: Terms): number {
    return this.weigh(this.numbered.add(part));
  }

  /** Cosine of the two weighted term vectors, 0 to 1. */
  cosine(left: number, right: number): number {
    const norms = (this.norms[left] ?? 0) * (this.norms[right] ?? 0);
    return norms === 0 ? 0 : this.sumOfShared(left, right, this.squares) / norms;
  }

  /** The share of `inner`'s weight that `outer` has too, 0 to 1. */
  containment(inner: number, outer: number): number {
    const mass = this.mass(inner);
    return mass === 0 ? 0 : this.sharedMass(inner, outer) / mass;
  }

  isLong(text: number): boolean {
    return (this.numbered.ends[text] ?? 0) - (this.numbered.begins[text] ?? 0) >= LONG_TEXT;
  }

  /** How many terms it has that are not faint. */
  tellingTermCount(text: number): number {
    return this.tellingCounts[text] ?? 0;
  }

  /** The weight of the terms that both have. */
  sharedMass(left: number, right: number): number {
    return this.sumOfShared(left, right, this.weights);
  }

  /** The share of `inner`'s weight that those of some of its terms have which `outer` lacks. */
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

  /**
   * Pairs of the first texts, one for each of `origins`, that are of different origins and share one of the `rarest` rarest terms of each,
   * lower position first. Texts of one origin stand together. A term pairs a text with at most `most` texts of each other origin, so that a
   * term that all have does not make all pairs.
   */
  candidates(origins: readonly string[], rarest: Rarest, most: number): Pairs {
    const lefts: number[] = [];
    const shared: number[] = [];
    const begins = new Int32Array(origins.length + 1);
    const postings = new Postings(this.numbered.size, rarest.ofLong * origins.length);
    const terms = new Int32Array(rarest.ofLong);
    /** By term how many of the texts that have it are of the last one's origin. */
    const ownCounts = new Uint32Array(this.numbered.size);
    /** For each text the last one that it was paired with. */
    const pairedWith = new Int32Array(origins.length).fill(NONE);
    const pairing = this.termsOfSeveral(origins);
    let begin = 0;
    for (let position = 0; position < origins.length; position += 1) {
      if (origins[position] !== origins[begin]) begin = position;
      const count = this.findRarest(position, terms, pairing, this.isLong(position) ? rarest.ofLong : rarest.ofShort);
      for (let rank = 0; rank < count; rank += 1) {
        const term = terms[rank] ?? 0;
        for (let entry = postings.first(term); entry !== NONE; entry = postings.next(entry)) {
          const earlier = postings.textAt(entry);
          if (earlier >= begin) break;
          if (pairedWith[earlier] === position) continue;
          pairedWith[earlier] = position;
          lefts.push(earlier);
          shared.push(this.sharedMass(earlier, position));
        }
        const own = postings.lastText(term) >= begin ? (ownCounts[term] ?? 0) : 0;
        if (own >= most) continue;
        postings.add(term, position);
        ownCounts[term] = own + 1;
      }
      begins[position + 1] = lefts.length;
    }
    return { lefts, begins, shared };
  }

  /** By term number 1 for those that texts of several origins have: the others pair nothing. */
  private termsOfSeveral(origins: readonly string[]): Uint8Array {
    const several = new Uint8Array(this.numbered.size);
    /** By term number the first text of the first origin that has it, counted from 1. */
    const firsts = new Int32Array(this.numbered.size);
    const { terms, begins, ends } = this.numbered;
    let begin = 0;
    for (let text = 0; text < origins.length; text += 1) {
      if (origins[text] !== origins[begin]) begin = text;
      const end = ends[text] ?? 0;
      for (let at = begins[text] ?? 0; at < end; at += 1) {
        const term = terms[at] ?? 0;
        if (firsts[term] === 0) firsts[term] = begin + 1;
        else if (firsts[term] !== begin + 1) several[term] = 1;
      }
    }
    return several;
  }

  /** Writes the rarest of those terms of a text that pair it, of equals the lower number, and the rarest first where it has more; returns how many. */
  private findRarest(text: number, rarest: Int32Array, pairing: Uint8Array, most: number): number {
    const { terms, begins, ends } = this.numbered;
    const begin = begins[text] ?? 0;
    const end = ends[text] ?? 0;
    let found = 0;
    for (let at = begin; at < end; at += 1) {
      const term = terms[at] ?? 0;
      if (pairing[term] === 0) continue;
      const frequency = this.frequency(term);
      let place = found;
      while (place > 0 && this.frequency(rarest[place - 1] ?? 0) > frequency) place -= 1;
      if (place >= most) continue;
      if (found < most) found += 1;
      for (let other = found - 1; other > place; other -= 1) rarest[other] = rarest[other - 1] ?? 0;
      rarest[place] = term;
    }
    return found;
  }

  private weigh(text: number): number {
    let telling = 0;
    let mass = 0;
    let squares = 0;
    const { terms, begins, ends } = this.numbered;
    const end = ends[text] ?? 0;
    for (let at = begins[text] ?? 0; at < end; at += 1) {
      const term = terms[at] ?? 0;
      if (this.isFaint[term] === 0) telling += 1;
      mass += this.weights[term] ?? 0;
      squares += this.squares[term] ?? 0;
    }
    this.tellingCounts.push(telling);
    this.masses.push(mass);
    this.norms.push(Math.sqrt(squares));
    return text;
  }

  /** Pairs mostly come with the same right text many times in a row, whose terms are marked once. */
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

  private frequency(term: number): number {
    return this.numbered.frequencies[term] ?? 0;
  }
}
