import type { PairMeasures } from './pair-measures';

/** A logistic regression: the weight of each measure, and from which chance on it says yes. */
export interface Weights extends Partial<PairMeasures> {
  bias: number;
  least: number;
}

// Fitted by `make bench-judgement`, which shows for each least chance how often the judgement is right, and how much it finds.

/** `terms` above `words` means that figures agree. */
export const SAME: Weights = { bias: -1.45, words: -7.03, terms: 7.31, likeness: 3.83, common: 1.3, otherTimes: -2.64, least: 0.9 };
export const CONTRADICTING: Weights = { bias: 0.94, lead: 2.54, shared: 0.12, figuresInBoth: -0.9, sameValues: -0.75, least: 0.5 };
export const UNRELATED: Weights = {
  bias: 1.14,
  words: 6.11,
  terms: -9.49,
  likeness: -2.55,
  shared: -0.35,
  common: -0.72,
  lacking: -0.09,
  figuresInBoth: -0.22,
  least: 0.35,
};
