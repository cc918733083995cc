import { textAt, textOfWords } from '@lib/language/reading/token';
import type { Amount } from '@lib/language/reading/amount';
import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import { sameName, type NameRun } from '@lib/language/reading/names';
import { isOfTime } from '@lib/language/reading/units';
import type { Reading } from '@lib/language/reading/reading';
import { areOfOtherTimes } from '../difference/values';
import { isDelay, mayBeOneFigure, VERSION } from './one-figure';
import { partOfName, statedStems, statedOf } from './stated-of';

/** Words for a particular period: "Q3", "the half year". */
const PERIODS = new Set('q1 q2 q3 q4 h1 h2 quarter half fourth monthly month week weekend season semester'.split(' '));
/** These make it a relative time: "a month later". */
const FROM_THEN = new Set('later earlier ago on'.split(' '));
/** With these words, others may have the same role. */
const OF_SEVERAL = new Set('one also other others another include includes including such among like example examples'.split(' '));
/** A smaller number without a unit is mostly a rank, a score or a part of a name. */
const MIN_BARE = 10;

/** A value, and what it measures as sorted stems: "gross margin" for "The gross margin fell to 42.7 %"; empty if unknown. */
interface StatedOf<Value> {
  value: Value;
  of: string;
}

/** The figures, days and names of a claim that are not in the question, each with what it measures. English. */
export interface StatedValues {
  reading: Reading;
  figures: readonly StatedOf<Amount>[];
  days: readonly StatedOf<PartialDate>[];
  names: readonly StatedOf<NameRun>[];
  period: string;
}

/** @param figures those of `figuresOf` */
export function statedValuesOf(reading: Reading, asked: Reading, figures: readonly Amount[]): StatedValues {
  const { tokens } = reading;
  const of = (at: number): string => statedOf(reading, at, asked);
  return {
    reading,
    figures: figures
      .filter(
        (amount) =>
          !isDelay(reading, amount) &&
          (amount.unit !== VERSION || figures.length === 1) &&
          (amount.unit !== '' || amount.low !== amount.high || Math.abs(amount.high) >= MIN_BARE),
      )
      .map((value) => ({ value, of: of(value.from) })),
    days: reading.dates.filter(({ month }) => month !== null).map((value) => ({ value, of: of(value.from) })),
    names: statedNames(reading, asked),
    period: statedStems(
      tokens.filter(({ word }, at) => PERIODS.has(word.text) && !FROM_THEN.has(textAt(tokens, at + 1)) && !isDuration(reading, at)),
      null,
    ),
  };
}

/** Whether a word belongs to a duration: "within a month". */
const isDuration = ({ amounts }: Reading, at: number): boolean =>
  amounts.some(({ unit, from, to }) => isOfTime(unit) && from <= at && at < to);

/** Whether two claims name the same period, if any: "in the fourth quarter" differs from "in the second half". */
export const areOfOnePeriod = (one: StatedValues, other: StatedValues): boolean => one.period === other.period;

/**
 * How two claims differ about the same thing: "Gross margin fell to 42.7 %" and "Gross margin: 43.7 %, down from 44.6 %". Null if they do not, or are
 * about different times.
 */
export function statedOtherwise(one: StatedValues, other: StatedValues): 'figures differ' | 'dates differ' | 'names differ' | null {
  if (!areOfOnePeriod(one, other)) return null;
  const [mine, theirs] = [one.reading.dates, other.reading.dates];
  if (tellOtherFigures(one, other)) return 'figures differ';
  const isOfNone = ({ value }: StatedOf<PartialDate>, days: readonly PartialDate[]): boolean =>
    days.every((day) => datesConflict(value, day));
  if (someDiffer(one.days, other.days, (day, their) => isOfNone(day, theirs) && isOfNone(their, mine))) return 'dates differ';
  const areTwo = (name: StatedOf<NameRun>, their: StatedOf<NameRun>): boolean =>
    !isSaidIn(name, other) && !isSaidIn(their, one) && !areShortOfOne(writtenIn(one, name), writtenIn(other, their));
  return someDiffer(one.names, other.names, areTwo) ? 'names differ' : null;
}

/** Whether both have a value of the same thing, and these differ. */
function someDiffer<Value>(
  mine: readonly StatedOf<Value>[],
  theirs: readonly StatedOf<Value>[],
  differ: (one: StatedOf<Value>, other: StatedOf<Value>) => boolean,
): boolean {
  for (const one of mine) for (const other of theirs) if (one.of !== '' && one.of === other.of && differ(one, other)) return true;
  return false;
}

/** Whether both give figures of the same measure, unit and time, and none of one's figures occurs in the other at all. */
export const tellOtherFigures = (one: StatedValues, other: StatedValues): boolean =>
  // Checked first, because most claims have no figure, and a large job compares twenty thousand pairs.
  one.figures.length > 0 &&
  other.figures.length > 0 &&
  areOfOnePeriod(one, other) &&
  !areOfOtherTimes(one.reading, other.reading) &&
  haveFiguresOfTheirOwn(one, other);

function haveFiguresOfTheirOwn(one: StatedValues, other: StatedValues): boolean {
  // A row can have dozens of figures of one measure, so each measure is asked about once.
  const asked = new Set<string>();
  return someDiffer(one.figures, other.figures, ({ value: mine, of }, { value: theirs }) => {
    if (mine.unit !== theirs.unit || (mine.relation !== theirs.relation && mine.relation !== '' && theirs.relation !== '')) return false;
    const measure = `${of}\n${mine.unit}`;
    if (asked.has(measure)) return false;
    asked.add(measure);
    return areAllNew(one, other, of, mine.unit) && areAllNew(other, one, of, mine.unit);
  });
}

/** Whether none of the first claim's figures for a thing occurs in the second one, for whatever thing. */
const areAllNew = ({ figures }: StatedValues, { reading }: StatedValues, thing: string, unit: string): boolean =>
  figures.every(
    ({ value, of }) =>
      of !== thing || value.unit !== unit || !reading.amounts.some((amount) => amount.unit === value.unit && mayBeOneFigure(value, amount)),
  );

function isSaidIn({ value }: StatedOf<NameRun>, { reading }: StatedValues): boolean {
  if (reading.names.some(({ parts }) => sameName(parts, value.parts))) return true;
  return value.tokens.some(({ word }) => word.isNaming && reading.tokens.some((token) => token.word.text === word.text));
}

const writtenIn = ({ reading }: StatedValues, { value: { tokens } }: StatedOf<NameRun>): string => textOfWords(reading.text, tokens);

/** Whether one abbreviation contains the letters of the other, in order and with the same ends: "BSL" and "BUSL". */
function areShortOfOne(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (!SHORT_FORM.test(short) || !SHORT_FORM.test(long) || short.at(-1) !== long.at(-1)) return false;
  return new RegExp(`^${[...short].join('.*')}$`).test(long);
}
const SHORT_FORM = /^[A-Z]{2,6}$/;

/** If a sentence is about one of several, its names are ignored, since another name may be as true. */
function statedNames({ tokens, names }: Reading, asked: Reading): StatedOf<NameRun>[] {
  if (tokens.some(({ word }) => OF_SEVERAL.has(word.text))) return [];
  return names.flatMap((value) => {
    const [first, last] = [value.tokens[0], value.tokens.at(-1)].map((token) => (token ? tokens.indexOf(token) : -1)) as [number, number];
    if (first < 1 || value.tokens.some(({ word }) => asked.stems.has(word.stem))) return [];
    const before = tokens[first - 1]?.word.text === 'the' ? first - 1 : first;
    const of = partOfName(tokens, before, last, asked);
    return of === '' ? [] : [{ value, of }];
  });
}
