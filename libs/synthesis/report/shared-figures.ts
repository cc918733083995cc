import { NAMED, type Amount } from '@lib/language/reading/amounts';
import type { Reading } from '@lib/language/reading/reading';
import { areEqual, areOfOneTime, isYear } from '../difference/values';

/** A bare number that is smaller may be anything. */
const LEAST_BARE = 100;
/** Those of a text that the question does not tell and that are no year and no part of a name: not the 5 of "Ioniq 5 owners" where it was asked about. 1,950 is no year. */
export const figuresOf = ({ amounts, tokens }: Reading, asked: Reading): readonly Amount[] =>
  amounts.filter(
    (amount) =>
      !amount.unit.startsWith(NAMED) &&
      (!isYear(amount) || tokens.slice(amount.from, amount.to).some(({ word }) => word.text.includes(','))) &&
      !(amount.low === amount.high && asked.numbers.has(String(amount.low))) &&
      !asked.amounts.some((other) => areEqual(amount, other)),
  );

/** How many figures and days or months two texts tell alike, each counted once and none of the question. */
export function sharedFigures(one: Reading, other: Reading, asked: Reading): number {
  const theirs = figuresOf(other, asked);
  const amounts = figuresOf(one, asked).filter(
    (amount, place, own) =>
      own.findIndex((earlier) => areEqual(earlier, amount)) === place &&
      isFigure(amount) &&
      theirs.some((their) => areEqual(amount, their)),
  );
  const days = one.dates.filter(
    (date) =>
      date.month !== null && other.dates.some((their) => areOfOneTime(date, their)) && !asked.dates.some((day) => areOfOneTime(date, day)),
  );
  return amounts.length + days.length;
}

const isFigure = ({ unit, high }: Amount): boolean => unit !== '' || Math.abs(high) >= LEAST_BARE;
