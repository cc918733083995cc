import type { Amount } from '@lib/language/reading/amounts';
import { NAMED } from '@lib/language/reading/measures';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areEqual, areOfOneTime, isYear } from '../difference/values';

/** A bare number that is smaller may be anything. */
const MIN_BARE = 100;

/**
 * The figures of a text that the question does not tell and that are neither a year nor a part of a name: not the 5 of "Ioniq 5 owners" where it was
 * asked about.
 */
export const figuresOf = ({ amounts, tokens }: Reading, asked: Reading): readonly Amount[] =>
  amounts.filter(
    (amount) =>
      !amount.unit.startsWith(NAMED) &&
      !(isYear(amount) && tellsWhen(tokens, amount)) &&
      !(amount.low === amount.high && asked.numbers.has(String(amount.low))) &&
      !asked.amounts.some((other) => areEqual(amount, other)),
  );

/** "Its 2022 revenue", "the 2016 models"; neither "1,950 people" nor "2000 people died" and "has 1710 steps". */
const tellsWhen = (tokens: readonly Token[], { from, to }: Amount): boolean =>
  tokens[from - 1]?.word.isStopWord === true &&
  !isFiniteVerbAt(tokens, from - 1) &&
  !tokens.slice(from, to).some(({ word }) => word.text.includes(','));

/** What a text tells of how much and when that the question does not, each once: days and months, and no years. */
export interface FiguresAndDays {
  figures: readonly Amount[];
  days: readonly PartialDate[];
}

/** @param figures its own, where they are known */
export const figuresAndDaysIn = (reading: Reading, asked: Reading, figures = figuresOf(reading, asked)): FiguresAndDays => ({
  figures: figures.filter((amount, place, all) => isFigure(amount) && all.findIndex((earlier) => areEqual(earlier, amount)) === place),
  days: reading.dates.filter((date) => date.month !== null && !asked.dates.some((day) => areOfOneTime(date, day))),
});

/** How many figures, days and months two texts tell alike. Plain loops: a large job asks for it of twenty thousand pairs. */
export function sharedFigures(one: FiguresAndDays, other: FiguresAndDays): number {
  let count = 0;
  for (const amount of one.figures) {
    for (const their of other.figures) if (areEqual(amount, their)) count += 1;
  }
  for (const day of one.days) if (other.days.some((their) => areOfOneTime(day, their))) count += 1;
  return count;
}

const isFigure = ({ unit, high }: Amount): boolean => unit !== '' || Math.abs(high) >= MIN_BARE;
