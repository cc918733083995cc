import type { NumberedTerms } from './numbered-terms';
import { NONE, Postings } from './postings';
import type { Similarity } from './similarity';

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
 * Pairs of the first texts, one for each of `origins`, that are of different origins and share one of the `rarest` rarest terms of each,
 * lower position first. Texts of one origin stand together. A term pairs a text with at most `most` texts of each other origin, so that a
 * term that all have does not make all pairs.
 */
export function candidatePairs(similarity: Similarity, origins: readonly string[], rarest: Rarest, most: number): Pairs {
  const { numbered } = similarity;
  const lefts: number[] = [];
  const shared: number[] = [];
  const begins = new Int32Array(origins.length + 1);
  const postings = new Postings(numbered.size, rarest.ofLong * origins.length);
  const terms = new Int32Array(rarest.ofLong);
  /** By term how many of the texts that have it are of the last one's origin. */
  const ownCounts = new Uint32Array(numbered.size);
  /** For each text the last one that it was paired with. */
  const pairedWith = new Int32Array(origins.length).fill(NONE);
  const pairing = termsOfSeveral(numbered, origins);
  let begin = 0;
  for (let position = 0; position < origins.length; position += 1) {
    if (origins[position] !== origins[begin]) begin = position;
    const count = findRarest(numbered, position, terms, pairing, similarity.isLong(position) ? rarest.ofLong : rarest.ofShort);
    for (let rank = 0; rank < count; rank += 1) {
      const term = terms[rank] ?? 0;
      for (let entry = postings.first(term); entry !== NONE; entry = postings.next(entry)) {
        const earlier = postings.textAt(entry);
        if (earlier >= begin) break;
        if (pairedWith[earlier] === position) continue;
        pairedWith[earlier] = position;
        lefts.push(earlier);
        shared.push(similarity.sharedMass(earlier, position));
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
function termsOfSeveral(numbered: NumberedTerms, origins: readonly string[]): Uint8Array {
  const several = new Uint8Array(numbered.size);
  /** By term number the first text of the first origin that has it, counted from 1. */
  const firsts = new Int32Array(numbered.size);
  const { terms, begins, ends } = numbered;
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
function findRarest(numbered: NumberedTerms, text: number, rarest: Int32Array, pairing: Uint8Array, most: number): number {
  const { terms, begins, ends } = numbered;
  const begin = begins[text] ?? 0;
  const end = ends[text] ?? 0;
  let found = 0;
  for (let at = begin; at < end; at += 1) {
    const term = terms[at] ?? 0;
    if (pairing[term] === 0) continue;
    const frequency = numbered.frequencies[term] ?? 0;
    let place = found;
    while (place > 0 && (numbered.frequencies[rarest[place - 1] ?? 0] ?? 0) > frequency) place -= 1;
    if (place >= most) continue;
    if (found < most) found += 1;
    for (let other = found - 1; other > place; other -= 1) rarest[other] = rarest[other - 1] ?? 0;
    rarest[place] = term;
  }
  return found;
}
