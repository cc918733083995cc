import type { Amount } from '@lib/language/reading/amounts';
import { SPACE } from '@lib/language/reading/characters';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord } from '@lib/language/reading/token';
import { areEqual } from '../difference/values';
import { mayBeOneFigure } from './one-figure';
import { numbersOf } from './other-figures';

/**
 * "On time if it arrives less than three minutes late, not six as in Germany" and "arrives less than six minutes late": between the same words each has
 * a figure of one unit that is not the other's; behind the same verb where they share another figure, as "averaged 88 %" and "averaged 80 %".
 */
export const differInOnePlace = (
  one: Reading,
  mine: readonly Amount[],
  other: Reading,
  theirs: readonly Amount[],
  isShared: boolean,
): boolean =>
  mine.some((amount) => {
    const { before, behind, isVerb } = placeOf(one, amount);
    return (
      before !== '' &&
      amount.unit !== '' &&
      theirs.some((their) => {
        const place = placeOf(other, their);
        if (place.before !== before || place.behind !== behind || their.unit !== amount.unit || mayBeOneFigure(amount, their)) return false;
        return behind !== '' || (isShared && isVerb && isOwn(one, amount, theirs, other) && isOwn(other, their, mine, one));
      })
    );
  });

/** The other tells it nowhere, nor its number. */
const isOwn = (one: Reading, amount: Amount, theirs: readonly Amount[], other: Reading): boolean =>
  !theirs.some((their) => areEqual(amount, their)) && !numbersOf(one, amount).some((number) => other.numbers.has(number));

/** The words around a figure, by their stems: the last one before it that is not only "about", and what follows at once. */
function placeOf({ tokens }: Reading, { from, to, unit }: Amount): { before: string; behind: string; isVerb: boolean } {
  const at = tokens.findLastIndex(({ word }, place) => place < from && !AROUND_FIGURES.has(word.text));
  // What is counted may stand behind the amount.
  const end = unit.split(' ').includes(tokens[to]?.word.stem ?? '') ? to + 1 : to;
  const [before, next] = [tokens[at], tokens[end]];
  const tellsBehind = next !== undefined && isContentWord(next) && (next.before & ~SPACE) === 0;
  return {
    before: before && from - at <= MAX_BESIDE && isContentWord(before) ? before.word.stem : '',
    behind: tellsBehind ? next.word.stem : '',
    isVerb: isFiniteOrPast(before),
  };
}
const MAX_BESIDE = 4;
