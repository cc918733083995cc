import { antonymsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/** A word of the one has its opposite in the other, where both hold no more than one of the two. By hand, as `isWithin` is. */
export function haveOpposites({ directions: mine }: Reading, { directions: yours }: Reading): boolean {
  if (mine.length === 0 || yours.length === 0) return false;
  return mine.some(
    ({ word: { stem } }) =>
      !hasStem(yours, stem) && antonymsOf(stem).some((opposite) => hasStem(yours, opposite) && !hasStem(mine, opposite)),
  );
}

const hasStem = (tokens: readonly Token[], stem: string): boolean => tokens.some(({ word }) => word.stem === stem);

/** False where two sentences cannot say the same. */
export function mayAgree(mine: Reading, yours: Reading): boolean {
  if (!oneHoldsTheOther(mine.numbers, yours.numbers) || !oneHoldsTheOther(mine.properWords, yours.properWords)) return false;
  return areNegatedAlikeInAll(mine, yours) && !haveOpposites(mine, yours);
}

/** By hand, as `isWithin` is. */
export function haveCommon(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const element of some) if (all.has(element)) return true;
  return false;
}

export function oneHoldsTheOther(mine: ReadonlySet<string>, yours: ReadonlySet<string>): boolean {
  return mine.size <= yours.size ? isWithin(mine, yours) : isWithin(yours, mine);
}

/** By hand: the sets' own `isSubsetOf` takes several times as long, and this is asked of every pair of sentences. */
export function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  if (some.size > all.size) return false;
  for (const element of some) if (!all.has(element)) return false;
  return true;
}
