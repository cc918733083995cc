import { HAS_SYNONYMS, type WordRow } from './word-row';

export const NO_PLACE = -1;
const BUCKETS = 256;

/**
 * A hash table of the places of a statement's words, with chained buckets. A statement is usually compared with many others in a row, which then need
 * not be compared with each of its words.
 */
export class WordPlaces {
  /** Places of words that have synonyms. */
  readonly withSynonyms: number[] = [];
  private readonly firsts = new Int32Array(BUCKETS).fill(NO_PLACE);
  private readonly nexts: number[] = [];

  fill({ hashes, marks }: WordRow): void {
    this.firsts.fill(NO_PLACE);
    this.withSynonyms.length = 0;
    for (let place = 0; place < hashes.length; place += 1) {
      const bucket = bucketOf(hashes[place] ?? 0);
      this.nexts[place] = this.firsts[bucket] ?? NO_PLACE;
      this.firsts[bucket] = place;
      if (((marks[place] ?? 0) & HAS_SYNONYMS) !== 0) this.withSynonyms.push(place);
    }
  }

  /** The first place where a word with this hash may stand. */
  first(hash: number): number {
    return this.firsts[bucketOf(hash)] ?? NO_PLACE;
  }

  next(place: number): number {
    return this.nexts[place] ?? NO_PLACE;
  }
}

const bucketOf = (hash: number): number => (hash ^ (hash >>> 8)) & (BUCKETS - 1);
