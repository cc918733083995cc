import { cosine } from '@lib/language/word-vectors';

import type { Concept } from './concept';
import type { SearchableCorpus } from '../index/keep-index';
import { termsOf } from '../index/terms';

/** Shorter words resemble too many others. */
const MIN_LENGTH = 6;
const SAME_BEGINNING = 3;
const MAX_EDITS = 2;
const MAX_EDITS_UNKNOWN = 1;
/** Least similarity of meaning of two spellings of one word: `customise` and `customize`, not `contract` and `contrast`. */
const CLOSE = 0.45;

/** Adds other spellings, and forms that the stemmer keeps apart, to concepts that the corpus lacks. */
export function withOtherSpellings(concepts: readonly Concept[], corpus: SearchableCorpus): Concept[] {
  const { index } = corpus;
  return concepts.map((concept) => {
    const { word, terms, parts } = concept;
    if (word.length < MIN_LENGTH || [...terms, ...parts].some((term) => index.has(term))) return concept;
    const others = otherSpellings(word, corpus);
    if (others.length === 0) return concept;
    return { ...concept, terms: [...terms, ...others], rarity: Math.max(...others.map((term) => index.rarity(term))) };
  });
}

function otherSpellings(word: string, { index, vectors }: SearchableCorpus): string[] {
  const vector = vectors.vectorOf(word);
  const spellings = vectors.words.filter((other) => {
    if (!other.startsWith(word.slice(0, SAME_BEGINNING))) return false;
    const edits = editsBetween(word, other);
    // Without a vector nothing tells how the word is used.
    return vector ? edits <= MAX_EDITS && cosine(vector, vectors.vectorOf(other) ?? []) >= CLOSE : edits <= MAX_EDITS_UNKNOWN;
  });
  return [...new Set(spellings.flatMap((other) => termsOf(other).slice(0, 1)))].filter((term) => index.has(term));
}

/** Letters to insert, delete or replace, or neighbours to exchange (Damerau’s distance, each letter moved once). */
function editsBetween(left: string, right: string): number {
  let [above, row]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (const [position, other] of [...right].entries()) {
      const replaced = (row[position] ?? 0) + (letter === other ? 0 : 1);
      const areExchanged = position > 0 && letter === right[position - 1] && left[at - 1] === other;
      const exchanged = areExchanged ? (above[position - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, exchanged, (row[position + 1] ?? 0) + 1, (next[position] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
