import type { Amount } from '@lib/language/reading/amount';
import { NAMED } from '@lib/language/reading/measures';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areEqual, areOfOneTime, isYear } from '../difference/values';

/** A smaller number without a unit may refer to anything. */
const MIN_BARE = 100;

/**
 * The figures of a text that are not in the question and are neither a year nor part of a name, such as the 5 in "Ioniq 5 owners" if that was asked
 * about.
 */
export const figuresOf = ({ amounts, tokens }: Reading, asked: Reading): readonly Amount[] =>
  amounts.filter(
    (amount) =>
      !amount.unit.startsWith(NAMED) &&
      !(isYear(amount) && tellsWhen(tokens, amount)) &&
      !(amount.low === amount.high && asked.numbers.has(String(amount.low))) &&
      !asked.amounts.some((other) => areEqual(amount, other)),
  );

/** Whether a number is a year: "its 2022 revenue", "the 2016 models"; but not in "1,950 people", "2000 people died" or "has 1710 steps". */
const tellsWhen = (tokens: readonly Token[], { from, to }: Amount): boolean =>
  tokens[from - 1]?.word.isStopWord === true &&
  !isFiniteVerbAt(tokens, from - 1) &&
  !tokens.slice(from, to).some(({ word }) => word.text.includes(','));

/** The distinct figures and days or months of a text that are not in the question; no years. */
export interface FiguresAndDays {
  figures: readonly Amount[];
  days: readonly PartialDate[];
}

/** @param figures those of the reading, if known */
export const figuresAndDaysIn = (reading: Reading, asked: Reading, figures = figuresOf(reading, asked)): FiguresAndDays => ({
  figures: figures.filter((amount, place, all) => isFigure(amount) && all.findIndex((earlier) => areEqual(earlier, amount)) === place),
  days: reading.dates.filter((date) => date.month !== null && !asked.dates.some((day) => areOfOneTime(date, day))),
});

/** How many figures, days and months two texts share. Plain loops, because a large job needs it for twenty thousand pairs. */
export function sharedFigures(one: FiguresAndDays, other: FiguresAndDays): number {
  let count = 0;
  for (const amount of one.figures) {
    for (const their of other.figures) if (areEqual(amount, their)) count += 1;
  }
  for (const day of one.days) if (other.days.some((their) => areOfOneTime(day, their))) count += 1;
  return count;
}

const isFigure = ({ unit, high }: Amount): boolean => unit !== '' || Math.abs(high) >= MIN_BARE;
