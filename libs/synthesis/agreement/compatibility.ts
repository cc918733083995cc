import { oneHoldsTheOther } from '@lib/language/sets';
import { antonymsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/** A word of the one has its opposite in the other, where both hold no more than one of the two. By hand, as the functions of sets.ts. */
export const haveOpposites = ({ directions: mine }: Reading, { directions: yours }: Reading): boolean =>
  mine.length > 0 && yours.length > 0 && areOpposed(mine, yours);

const areOpposed = (mine: readonly Token[], yours: readonly Token[]): boolean =>
  mine.some(
    ({ word: { stem } }) =>
      !hasStem(yours, stem) && antonymsOf(stem).some((opposite) => hasStem(yours, opposite) && !hasStem(mine, opposite)),
  );

const hasStem = (tokens: readonly Token[], stem: string): boolean => tokens.some(({ word }) => word.stem === stem);

/** False where two sentences cannot say the same, however alike their words are: by their numbers, names, negations and words of direction. */
export function mayAgree(mine: Reading, yours: Reading): boolean {
  if (!oneHoldsTheOther(mine.numbers, yours.numbers) || !oneHoldsTheOther(mine.properWords, yours.properWords)) return false;
  return areNegatedAlikeInAll(mine, yours) && !haveOpposites(mine, yours);
}
