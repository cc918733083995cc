import { DIMENSIONS } from '@lib/language/word-vector-file';
import { frequentWordVectors, type WordVectors } from '@lib/language/word-vectors';
import type { Terms } from './numbered-terms';

/**
 * How similar texts are in the meaning of their words, from 0 to 1, by their positions: "won a second term" is close to "lost the election", though
 * they share no word. The mean of all texts, their topic, is subtracted (Mu and Viswanath 2018), and a word counts more the fewer texts have it.
 * @param texts the words of each, in lower case
 */
export function meaningsOf(texts: readonly Terms[]): (left: number, right: number) => number {
  // A single array for all texts, as there are many: typed arrays are allocated outside the heap.
  const meanings = new Float64Array(texts.length * DIMENSIONS);
  const adding = addingWords(texts);
  for (const [text, words] of texts.entries()) {
    for (const word of words) adding.get(word)?.(meanings, text * DIMENSIONS);
    toLength1(meanings, text * DIMENSIONS);
  }
  takeAwayTheMean(meanings);
  for (let start = 0; start < meanings.length; start += DIMENSIONS) toLength1(meanings, start);
  return (left, right) => Math.max(0, product(meanings, left * DIMENSIONS, right * DIMENSIONS));
}

/** For each word, a function that adds its vector weighted by inverse frequency. */
function addingWords(texts: readonly Terms[]): ReadonlyMap<string, ReturnType<WordVectors['adding']>> {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vectors = frequentWordVectors();
  return new Map(Array.from(counts, ([word, count]) => [word, vectors.adding(word, Math.log(1 + texts.length / count))]));
}

function takeAwayTheMean(all: Float64Array): void {
  const count = all.length / DIMENSIONS;
  for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) {
    let sum = 0;
    for (let at = dimension; at < all.length; at += DIMENSIONS) sum += all[at] ?? 0;
    for (let at = dimension; at < all.length; at += DIMENSIONS) all[at] = (all[at] ?? 0) - sum / count;
  }
}

/** A text without words stays 0. */
function toLength1(all: Float64Array, start: number): void {
  const length = Math.sqrt(product(all, start, start)) || 1;
  for (let at = start; at < start + DIMENSIONS; at += 1) all[at] = (all[at] ?? 0) / length;
}

function product(all: Float64Array, left: number, right: number): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (all[left + at] ?? 0) * (all[right + at] ?? 0);
  return sum;
}
