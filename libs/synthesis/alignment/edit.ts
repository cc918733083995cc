import type { Token } from '@lib/language/reading/token';

/**
 * What an edit does to the meaning:
 * - `denial` and `opposite` reverse it, and `exchanged for a denial` may; `opposed` does so only for one and the same time;
 * - `number`, `quantifier` and `name` exchange one value for another;
 * - `addition` adds to one side;
 * - `other` is unknown.
 */
export type EditKind =
  'denial' | 'exchanged for a denial' | 'opposite' | 'opposed' | 'number' | 'quantifier' | 'name' | 'addition' | 'other';

/** A place where two statements differ: words of one in place of words of the other. One side may be empty. */
export interface Edit {
  left: readonly Token[];
  right: readonly Token[];
  /** Its begin index among all words of each statement, and the exclusive end index on the left. */
  leftFrom: number;
  leftTo: number;
  rightFrom: number;
  /** Both statements share something before it and something after it. */
  isWithin: boolean;
  /** The added words make the shared noun a part of, or a relation to, another head: "the child of Ada". */
  addsHead: boolean;
  /** Null until `kindOf` has determined it. */
  kind: EditKind | null;
}
