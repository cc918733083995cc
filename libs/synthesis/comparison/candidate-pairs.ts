import type { NumberedTerms } from './numbered-terms';
import { NONE, Postings } from './postings';
import type { Similarity } from './similarity';

/** How many of its rarest terms a text is looked up by. */
export interface Rarest {
  ofShort: number;
  ofLong: number;
}

/** Pairs of text positions, grouped by the higher one: its partners are `lefts` from `begins[higher]` to `begins[higher + 1]`. */
export interface Pairs {
  lefts: readonly number[];
  begins: Int32Array;
  /** For each pair the weight of the terms that both texts have. */
  shared: readonly number[];
}

/**
 * Pairs of texts that have different origins and share one of the `rarest` rarest terms of each, lower position first. There is one text for each of
 * `origins`, and texts of the same origin are adjacent. A term pairs a text with at most `most` texts of each other origin, so that a common term
 * does not make all pairs.
 */
export function candidatePairs(similarity: Similarity, origins: readonly string[], rarest: Rarest, most: number): Pairs {
  const { numbered } = similarity;
  const lefts: number[] = [];
  const shared: number[] = [];
  const begins = new Int32Array(origins.length + 1);
  const postings = new Postings(numbered.size, rarest.ofLong * origins.length);
  const terms = new Int32Array(rarest.ofLong);
  /** For each term, how many texts in its list have the same origin as the last one. */
  const ownCounts = new Uint32Array(numbered.size);
  /** For each text the last one it was paired with. */
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

/** 1 for each term that occurs in texts of several origins; other terms pair nothing. */
function termsOfSeveral(numbered: NumberedTerms, origins: readonly string[]): Uint8Array {
  const several = new Uint8Array(numbered.size);
  /** For each term the first text of the first origin that has it, counted from 1. */
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

/** Writes the rarest pairing terms of a text, rarest first and lower number first among equals, and returns how many there are. */
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
