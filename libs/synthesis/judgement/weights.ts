import type { PairMeasures } from './pair-measures';

/** A logistic regression: the weight of each measure, and from which chance on it says yes. */
export interface Weights extends Partial<PairMeasures> {
  bias: number;
  least: number;
}

// Fitted by `make bench-judgement`, which shows for each least chance how often the judgement is right, and how much it finds.

/** `terms` above `words` means that figures agree. */
export const SAME: Weights = { bias: -1.37, words: -6.89, terms: 7.33, likeness: 3.68, common: 1.25, otherTimes: -2.95, least: 0.9 };
export const CONTRADICTING: Weights = { bias: 0.97, lead: 2.57, shared: 0.12, figuresInBoth: -0.89, sameValues: -0.79, least: 0.5 };
export const ON_ONE_POINT: Weights = { bias: -0.29, words: -5.45, terms: 8.04, likeness: 2.8, shared: 0.4, records: -1.35, least: 0.6 };
