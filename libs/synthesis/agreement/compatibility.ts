import { antonymsOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';

/** Whether two sentences can say the same, however alike their words are: by their numbers, names, negations and words of direction. */

/** The words of one sentence whose opposite, and not they themselves, stand in the other: [mine, yours] pairs. */
function opposites(mine: Reading, yours: Reading): [string, string][] {
  const left = new Set(mine.directions.map(({ word }) => word.stem));
  const right = new Set(yours.directions.map(({ word }) => word.stem));
  return [...left]
    .filter((word) => !right.has(word))
    .flatMap((word) =>
      antonymsOf(word)
        .filter((opposite) => right.has(opposite) && !left.has(opposite))
        .map((opposite): [string, string] => [word, opposite]),
    );
}

export function haveOpposites(mine: Reading, yours: Reading): boolean {
  return mine.directions.length > 0 && yours.directions.length > 0 && opposites(mine, yours).length > 0;
}

/** What is contrasted counts too: where it cannot be told what a "not" denies, the two do not say the same. */
export function haveOnePolarity({ polarity: mine }: Reading, { polarity: yours }: Reading): boolean {
  return mine.isNegated === yours.isNegated && mine.isNegatedInAll === yours.isNegatedInAll;
}

/** False where two sentences cannot say the same. */
export function mayAgree(mine: Reading, yours: Reading): boolean {
  if (!oneHoldsTheOther(mine.numbers, yours.numbers) || !oneHoldsTheOther(mine.properWords, yours.properWords)) return false;
  return haveOnePolarity(mine, yours) && !haveOpposites(mine, yours);
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
