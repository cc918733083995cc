import type { Amount } from '@lib/language/reading/amount';
import { isMonth } from '@lib/language/reading/dates';
import { isOfTime } from '@lib/language/reading/units';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord } from '@lib/language/reading/token';
import { countOf, isAmong } from '../alignment/same-word';
import { isDelay, isPerOne, mayBeOneFigure, VERSION } from './one-figure';

/**
 * Whether both have figures of a unit, and none of one's can equal one of the other's, whatever is counted. "9,000 people were hurt" and "1,950
 * people died and 9,000 were injured" share one.
 */
export function haveOtherFigures(one: Reading, own: readonly Amount[], other: Reading, figures: readonly Amount[]): boolean {
  const arePerOne = own.some((amount) => isPerOne(one, amount)) !== figures.some((amount) => isPerOne(other, amount));
  const [mine, theirs] = [[one, own] as const, [other, figures] as const].map(([reading, amounts]) =>
    amounts.filter((amount) => !isDelay(reading, amount) && !(arePerOne && isPerOne(reading, amount))),
  ) as [Amount[], Amount[]];
  if (tellOtherUnits(one, mine, other, theirs)) return true;
  return [...new Set(mine.map(({ unit }) => unit))].some((unit) => {
    // It is unknown what a bare number means: a score, a rank, the bounds of an interval.
    if (unit === '' || unit === VERSION || isMonth(unit)) return false;
    const [ones = [], others = []] = [mine, theirs].map((amounts) => amounts.filter((amount) => amount.unit === unit));
    if (others.length === 0 || ones.some((amount) => others.some((their) => moveOtherwise(amount, their) || mayBeOneFigure(amount, their))))
      return false;
    if (tellsOneOf(ones, theirs) || tellsOneOf(others, mine) || (tellsAllOf(ones, theirs) && tellsAllOf(others, mine))) return false;
    return !isBareIn(one, ones, other, theirs) && !isBareIn(other, others, one, mine);
  });
}

/**
 * Whether, beside a shared figure, each has another one of that unit that differs: "Symptoms in 51 % after the drug and 17 % after placebo" and "31 %
 * versus 17 %".
 */
export const differBesideShared = (mine: readonly Amount[], theirs: readonly Amount[]): boolean =>
  UNITS.some((unit) => {
    const [ones = [], others = []] = [mine, theirs].map((amounts) => amounts.filter((amount) => amount.unit === unit));
    const isStatedIn = (amount: Amount, amounts: readonly Amount[]): boolean => amounts.some((other) => mayBeOneFigure(amount, other));
    const [left, right] = [ones.filter((amount) => !isStatedIn(amount, others)), others.filter((amount) => !isStatedIn(amount, ones))];
    return (
      ones.length > left.length && Math.min(left.length, right.length) === 1 && Math.max(left.length, right.length) <= MAX_OF_THEIR_OWN
    );
  });
/** With three figures, it is unclear which correspond. */
const MAX_OF_THEIR_OWN = 2;
const UNITS = ['share', 'dollars', 'euros', 'pounds'];

/** Whether the only time in each has the same number with different units: "two weeks before" and "two months before". */
function tellOtherUnits(one: Reading, mine: readonly Amount[], other: Reading, theirs: readonly Amount[]): boolean {
  const [times, others] = [mine, theirs].map((amounts) => amounts.filter(({ unit }) => isOfTime(unit)));
  const [time, their] = [times?.[0], others?.[0]];
  if (!time || !their || times?.length !== 1 || others?.length !== 1 || time.unit === their.unit) return false;
  const number = numberAt(one, time);
  const isOneNumber = number !== null && number === numberAt(other, their);
  return isOneNumber && one.tokens[time.to]?.word.text === other.tokens[their.to]?.word.text && shareWords(one, other);
}
/** With few shared words there may be two events: "six months after launch" and "six days after launch". */
const shareWords = (one: Reading, other: Reading): boolean =>
  countOf(one.tokens.filter((token) => isContentWord(token) && isAmong(token, other.tokens))) >= MIN_SHARED;
const MIN_SHARED = 4;
const numberAt = ({ tokens }: Reading, { from, to }: Amount): number | null =>
  tokens.slice(from, to).find(({ word }) => word.numeral)?.word.numeral?.value ?? null;

/** Whether the other has the number without its unit: "a life of 20 years" and "in 3 years, against a life of 20 or more". */
const isBareIn = (one: Reading, mine: readonly Amount[], other: Reading, theirs: readonly Amount[]): boolean =>
  mine.some((amount) =>
    theirs.some((their) => their.unit === '' && (isNumber(amount, their) || areWrittenAlike(one, amount, other, their))),
  );

function areWrittenAlike(one: Reading, amount: Amount, other: Reading, their: Amount): boolean {
  const written = numbersOf(one, amount).join();
  return written !== '' && written === numbersOf(other, their).join();
}

/** Whether each number of one is also in the other, whatever is counted: "25–35 years, and reactors 60 or more" and "60 years, against 25 to 35". */
export const tellEachOthersNumbers = (one: Reading, mine: readonly Amount[], other: Reading, theirs: readonly Amount[]): boolean =>
  areNumbersIn(one, mine, other) && areNumbersIn(other, theirs, one);
const areNumbersIn = (reading: Reading, amounts: readonly Amount[], { numbers }: Reading): boolean =>
  amounts.every((amount) => {
    const written = numbersOf(reading, amount);
    return written.length > 0 && written.every((number) => numbers.has(number));
  });
/** The numbers of an amount, as written. */
export const numbersOf = ({ tokens }: Reading, { from, to }: Amount): string[] =>
  tokens.slice(from, to).flatMap(({ word }) => word.text.match(/\d+(?:[.,]\d+)*/g) ?? []);

/** Whether one is a result and the other a change: "raised to 4.5 %" and "raised by four points". */
const moveOtherwise = (one: Amount, other: Amount): boolean =>
  one.relation !== other.relation && one.relation !== '' && other.relation !== '';

const tellsOneOf = (wanted: readonly Amount[], amounts: readonly Amount[]): boolean =>
  wanted.some((amount) => Math.abs(amount.high) >= MIN_TELLING && hasNumber(amounts, amount));
/** Whether all amounts occur in the other, whatever is counted: "Five of eleven men left" and "five men out of eleven left". */
const tellsAllOf = (wanted: readonly Amount[], amounts: readonly Amount[]): boolean => wanted.every((amount) => hasNumber(amounts, amount));
const hasNumber = (amounts: readonly Amount[], amount: Amount): boolean => amounts.some((other) => isNumber(other, amount));
const isNumber = (one: Amount, other: Amount): boolean => one.low === other.low && one.high === other.high;
/** A smaller figure may refer to anything. */
const MIN_TELLING = 100;
