import { sameName } from '@lib/language/reading/names';
import { datesConflict, isInDate, sameDates } from '@lib/language/reading/dates';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { numbersOf } from '@lib/language/reading/numbers';
import type { Reading } from '@lib/language/reading/reading';
import { areTheSame } from '@lib/language/sets';
import { alignTerms, saysTheSame, without, type TermAlignment } from '../alignment/term-alignment';
import { happensOnce, type Filler } from '../difference/fillers';
import { placesConflict } from '../difference/places';
import { haveSameConditions } from '../difference/same-terms';
import type { Side } from './side';
import { contradicts, type Stance } from './stance';

/** The two sentences are the same except for what fills a slot that has one value: the year of a founding, an author, a capital. */
export function differInValue(one: Side, other: Side, alignment: TermAlignment, stance: Stance): boolean {
  const [left, right] = [one.reading, other.reading];
  if (contradicts(stance) || stance.isOpposite || !haveSameConditions(left, right) || left.effects.hedge !== right.effects.hedge)
    return false;
  if (compareAmounts(left.amounts, right.amounts).kind !== 'same') return false;
  return differInDate(left, right, alignment) || differInFiller(one, other);
}

function differInDate(left: Reading, right: Reading, alignment: TermAlignment): boolean {
  const [mine, yours] = [left.dates[0], right.dates[0]];
  if (!mine || !yours || left.dates.length + right.dates.length > 2 || !happensOnce(left) || !happensOnce(right)) return false;
  if (!areTheSame(numbersBesideDates(left), numbersBesideDates(right))) return false;
  return datesConflict(mine, yours) && alignment.shared >= 2 && saysTheSame(alignment);
}

/** Numbers that may tell things apart, by value: "version 3.11", "reactor 2". */
const numbersBesideDates = ({ tokens, dates }: Reading): ReadonlySet<string> => numbersOf(tokens.filter((_, at) => !isInDate(dates, at)));

function differInFiller(one: Side, other: Side): boolean {
  const [left, right] = [one.reading, other.reading];
  if (!sameDates(left.dates, right.dates)) return false;
  return one.fillers.some((mine) =>
    other.fillers.some((yours) => {
      if (mine.kind !== yours.kind || !EXCLUDES[mine.kind](mine, yours) || (mine.kind === 'attribute' && isNegated(left, right)))
        return false;
      const rest = alignTerms(without(left, mine.stems), without(right, yours.stems));
      return rest !== null && rest.shared >= 2 && saysTheSame(rest, mine.kind === 'maker' ? 1 : 0);
    }),
  );
}

function isNegated(left: Reading, right: Reading): boolean {
  return left.polarity.isNegated || right.polarity.isNegated;
}

/** Whether two values of a kind exclude each other. */
const EXCLUDES: Readonly<Record<Filler['kind'], (mine: Filler, yours: Filler) => boolean>> = {
  maker: (mine, yours) => !mine.values.some((one) => yours.values.some((other) => sharesPart(one, other))),
  place: (mine, yours) => placesConflict(mine.text, yours.text),
  attribute: (mine, yours) => mine.stems.isDisjointFrom(yours.stems),
};

/** Titles before names, which do not identify a person. */
const TITLES = new Set(
  'judge justice president professor doctor dr sir coach minister king queen captain general colonel senator governor'.split(' '),
);

function sharesPart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return sameName(one, other) || !one.difference(TITLES).isDisjointFrom(other) || isInitial(one, other) || isInitial(other, one);
}

/** Whether a name was cut to an initial, as sentences may be cut after "by B." */
function isInitial(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((part) => part.length === 1 && [...other].some((full) => full.startsWith(part)));
}
