import type { Amount } from '@lib/language/reading/amount';
import { SPACE } from '@lib/language/reading/characters';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord } from '@lib/language/reading/token';
import { areEqual } from '../difference/values';
import type { ClaimFeatures } from './claim-features';
import { mayBeOneFigure } from './one-figure';
import { numbersOf } from './other-figures';

type WithFigures = Pick<ClaimFeatures, 'reading' | 'figures'>;

/**
 * Whether both have different figures of the same unit between the same words: "On time if it arrives less than three minutes late, not six as in
 * Germany" and "arrives less than six minutes late". If they share another figure, also after the same verb: "averaged 88 %" and "averaged 80 %".
 */
export const differInOnePlace = (one: WithFigures, other: WithFigures, isShared: boolean): boolean =>
  one.figures.some((amount) => {
    const { before, behind, isVerb } = placeOf(one.reading, amount);
    return (
      before !== '' &&
      amount.unit !== '' &&
      other.figures.some((their) => {
        const place = placeOf(other.reading, their);
        if (place.before !== before || place.behind !== behind || their.unit !== amount.unit || mayBeOneFigure(amount, their)) return false;
        return behind !== '' || (isShared && isVerb && isOwn(one.reading, amount, other) && isOwn(other.reading, their, one));
      })
    );
  });

/** Whether the other sentence has neither the amount nor its number. */
const isOwn = (one: Reading, amount: Amount, { reading, figures }: WithFigures): boolean =>
  !figures.some((their) => areEqual(amount, their)) && !numbersOf(one, amount).some((number) => reading.numbers.has(number));

/** The stems around a figure: the last word before it, ignoring words such as "about", and the word right after it. */
function placeOf({ tokens }: Reading, { from, to, unit }: Amount): { before: string; behind: string; isVerb: boolean } {
  const at = tokens.findLastIndex(({ word }, place) => place < from && !AROUND_FIGURES.has(word.text));
  // The counted thing may follow the amount.
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
