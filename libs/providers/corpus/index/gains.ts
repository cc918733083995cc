import { FIELDS, type Field, type IndexContent } from './index-content';

/** Weights of the parts of a passage. */
export type FieldWeights = Readonly<Record<Field, number>>;

export interface Hit {
  /** The number of a passage. */
  passage: number;
  score: number;
}

/** The usual constants of BM25 (Robertson and Zaragoza 2009): saturation of repeated terms, and normalization by length. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** How much a term adds to the score of a passage, by its count in each field and the lengths of the fields. */
export class Gains {
  private readonly averageLengths: readonly number[];

  constructor(private readonly lengths: IndexContent['lengths']) {
    const sums = FIELDS.map(() => 0);
    for (let at = 0; at < lengths.length; at += 1) {
      const field = at % FIELDS.length;
      sums[field] = (sums[field] ?? 0) + (lengths[at] ?? 0);
    }
    const passages = Math.max(1, lengths.length / FIELDS.length);
    this.averageLengths = sums.map((sum) => sum / passages || 1);
  }

  /** @param counts how often each field has the term, starting at index `at` */
  of(passage: number, counts: Uint8Array, at: number, factors: readonly number[]): number {
    let gain = 0;
    for (const [field, factor] of factors.entries()) {
      const count = counts[at + field] ?? 0;
      if (count === 0 || factor === 0) continue;
      const length = (this.lengths[passage * FIELDS.length + field] ?? 0) / (this.averageLengths[field] ?? 1);
      gain += (factor * count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));
    }
    return gain;
  }
}

/** The highest scores above 0, highest first. */
export function best(scores: Float64Array, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (const [passage, score] of scores.entries()) if (score > 0) hits.push({ passage, score });
  return hits.sort((left, right) => right.score - left.score || left.passage - right.passage).slice(0, limit);
}
