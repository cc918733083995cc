import type { Token } from '@lib/language/reading/token';

/**
 * What an edit does to what is said:
 * - `denial` and `opposite` turn it round, and so may a word that is `exchanged for a denial`; `opposed` does so only at one and the same time;
 * - `number`, `quantifier` and `name` put one value in the place of another;
 * - `addition` says more on one side;
 * - of `other` it cannot be told.
 */
export type EditKind =
  'denial' | 'exchanged for a denial' | 'opposite' | 'opposed' | 'number' | 'quantifier' | 'name' | 'addition' | 'other';

/** Where two statements part: the words of the one that stand in the place of the words of the other. One side may have none. */
export interface Edit {
  left: readonly Token[];
  right: readonly Token[];
  /** Where it begins among all words of each, and where its left side ends, exclusive. */
  leftFrom: number;
  leftTo: number;
  rightFrom: number;
  /** Something that both say stands before it, and something after it. */
  isWithin: boolean;
  /** What one adds is what the other speaks of, or a part of it: "the child of Ada". */
  addsHead: boolean;
  /** Null until `kindOf` has been asked for it. */
  kind: EditKind | null;
}
