import { oneHoldsTheOther } from '@lib/language/sets';
import { oppositeDirectionsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/** Whether a word has its opposite in the other statement and neither statement holds both. Uses loops, not sets, like the functions of sets.ts. */
export const haveOpposites = ({ directions: mine }: Reading, { directions: yours }: Reading): boolean =>
  mine.length > 0 && yours.length > 0 && areOpposed(mine, yours);

const areOpposed = (mine: readonly Token[], yours: readonly Token[]): boolean =>
  mine.some(
    ({ word: { stem } }) =>
      !hasStem(yours, stem) && oppositeDirectionsOf(stem).some((opposite) => hasStem(yours, opposite) && !hasStem(mine, opposite)),
  );

const hasStem = (tokens: readonly Token[], stem: string): boolean => tokens.some(({ word }) => word.stem === stem);

/** False if numbers, names, negations or words of direction rule out that two sentences say the same, however similar their words are. */
export function mayAgree(mine: Reading, yours: Reading): boolean {
  if (!oneHoldsTheOther(mine.numbers, yours.numbers) || !oneHoldsTheOther(mine.properWords, yours.properWords)) return false;
  return areNegatedAlikeInAll(mine, yours) && !haveOpposites(mine, yours);
}
