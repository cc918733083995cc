import { FORMS_OF_SAY } from '@lib/language/reading/function-words';
import { datesConflict, isInDate, monthOf } from '@lib/language/reading/dates';
import { areOpposite } from '@lib/language/reading/opposites';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { firstCellOf } from '../statement/table-row';
import { ORDINALS } from '../difference/superlatives';
import { areOfOtherVersions, VERSION_NUMBER } from './speaking-of-others';
import { countOf, countShared, isAmong, sharedWords } from '../alignment/same-word';
import { isEventVerb, tellsWhen, timesIn, type Time } from './times-of-events';

/** Least number of shared words, beyond the question's, that show a single event; two names alone only show who took part. */
const MIN_WORDS = 2;
const MIN_NAMES = 3;
/** The same if both give a day and only the year differs. */
const MIN_WORDS_OF_DAY = 1;
/** The same to be sure, if both also have the same figures. */
const MIN_SURE_WORDS = 3;
const MIN_SURE_NAMES = 2;
/** With this many things, one sentence tells everything that the other does. */
const MIN_THINGS = 3;

/**
 * Whether two claims are about one event but give different times. Different times mostly mean different events: begun in 2007, connected in 2024. It
 * is one event only if words beyond the question show it, and if the verbs beside the times can mean the same.
 */
export function tellOneEvent(one: Reading, other: Reading, asked: Reading): boolean {
  if (areOfOtherRows(one, other) || areOfOtherVersions(one, other)) return false;
  const [mine, theirs] = [tellingEvent(one), tellingEvent(other)];
  const isNamed = ({ isCapitalised }: Token): boolean => isCapitalised;
  const isOnlyNamed = sharedWords(mine, theirs, asked).every(isNamed) || sharedWords(theirs, mine, asked).every(isNamed);
  const times = conflictingTimes(one, other);
  const isOfOneDay = times.some(areOfOneDay);
  // Opposite words show two groups: "Large firms by 30 June 2025" and "small firms by 30 June 2027".
  if (isOfOneDay && mine.some((token) => theirs.some((their) => areOpposite(token.word.stem, their.word.stem)))) return false;
  const wanted = isOnlyNamed ? MIN_NAMES : isOfOneDay ? MIN_WORDS_OF_DAY : MIN_WORDS;
  if (countShared(mine, theirs, asked) >= wanted && times.some(mayBeOneEvent)) return true;
  const isOneDateEach = one.dates.length === 1 && other.dates.length === 1;
  return isOneDateEach && (isToldIn(mine, theirs) || isToldIn(theirs, mine)) && times.some(isOneEvent);
}

/** Whether everything that some words tell of an event, with its verb, is also told by the others: "Kelm was evacuated" in the question's words. */
const isToldIn = (some: readonly Token[], others: readonly Token[]): boolean =>
  some.length > 1 && some.some(isEventVerb) && some.every((token) => isAmong(token, others));

/** Rows whose first cells differ are about different things: "First delivery | 15 October 2007" and "First flight | 25 October 2007". */
function areOfOtherRows(one: Reading, other: Reading): boolean {
  const [mine, theirs] = [rowOf(one), rowOf(other)];
  return mine.length > 0 && theirs.length > 0 && !mine.some((token) => isAmong(token, theirs));
}

const rowOf = (reading: Reading): Token[] => firstCellOf(reading).filter((token) => !tellsWhen(token) && !ORDINALS.has(token.word.text));

/** Whether two times have the same day of the year: "by 7 March 2023" and "by 7 March 2024". */
const areOfOneDay = ([{ date: one }, { date: other }]: Pair): boolean =>
  one.day !== null && one.day === other.day && one.month === other.month;

/** Whether two times have the same month: "in January 2024" and "in January 2025". */
const areOfOneMonth = ([{ date: one }, { date: other }]: Pair): boolean =>
  one.month !== null && one.month === other.month && one.day === other.day;

/** Whether two periods agree at one end and differ at the other: "from 2029 to 2027" and "from 2029 to 2031". */
export const tellOtherSpans = (one: Reading, other: Reading, asked: Reading): boolean =>
  one.dates.length > 1 &&
  other.dates.length > 1 &&
  spansIn(one).some(([begin, end]) =>
    spansIn(other).some(([start, close]) => {
      const [isOtherBegin, isOtherEnd] = [datesConflict(begin, start), datesConflict(end, close)];
      // The other sentence also gives this date, so there are several periods.
      if (isOtherEnd ? isDateOf(other, end) || isDateOf(one, close) : isDateOf(other, begin) || isDateOf(one, start)) return false;
      return isOtherBegin !== isOtherEnd && countShared(tellingEvent(one), tellingEvent(other), asked) >= MIN_WORDS;
    }),
  );

const isDateOf = ({ dates }: Reading, wanted: PartialDate): boolean => dates.some((date) => !datesConflict(date, wanted));

const spansIn = ({ tokens, dates }: Reading): [PartialDate, PartialDate][] =>
  dates.flatMap((date, place): [PartialDate, PartialDate][] => {
    const end = dates[place + 1];
    const isSpan = tokens[date.from - 1]?.word.text === 'from' && end?.from === date.to + 1 && tokens[date.to]?.word.text === 'to';
    return end && isSpan ? [[date, end]] : [];
  });

/** The same for sentences that also share figures: here the verbs must be the same, or only the years differ and names are shared. */
export function surelyTellOneEvent(one: Reading, other: Reading, asked: Reading): boolean {
  const [mine, theirs] = [tellingEvent(one), tellingEvent(other)];
  if (countShared(mine, theirs, asked) < MIN_SURE_WORDS) return false;
  const isOneDateEach = one.dates.length === 1 && other.dates.length === 1;
  const shareNames = countOf(sharedWords(mine, theirs, asked).filter(({ isCapitalised }) => isCapitalised)) >= MIN_SURE_NAMES;
  return conflictingTimes(one, other).some(
    (pair) => isOneEvent(pair) || areOfOneDay(pair) || (isOneDateEach && shareNames && areOfOneMonth(pair)),
  );
}

type Pair = readonly [Time, Time];

/** Pairs of conflicting times, without those whose day the other sentence also gives. */
function conflictingTimes(one: Reading, other: Reading): Pair[] {
  const theirs = timesIn(other);
  return timesIn(one).flatMap((time) =>
    theirs
      .filter((their) => datesConflict(time.date, their.date) && !tellsDay(one, their.date) && !tellsDay(other, time.date))
      .map((their): Pair => [time, their]),
  );
}

/** Whether a sentence gives a day without its year: "On 30 July 1865 … and on 13 August". */
const tellsDay = ({ tokens, dates }: Reading, { month, day }: PartialDate): boolean =>
  day !== null &&
  tokens.some(
    ({ word }, at) =>
      monthOf(word.text) === month &&
      !isInDate(dates, at) &&
      [tokens[at - 1], tokens[at + 1]].some((beside) => beside?.word.text === String(day)),
  );

const tellingEvent = ({ tokens, inserted }: Reading): Token[] =>
  tokens
    .slice(inserted)
    .filter(
      (token) => (isContentWord(token) && !tellsWhen(token) && !FORMS_OF_SAY.has(token.word.text)) || VERSION_NUMBER.test(token.word.text),
    );

/** Whether two times may be of one event: the verbs correspond, in whatever form. The first of several events is only matched with a first one. */
const mayBeOneEvent = ([one, other]: Pair): boolean =>
  isOneEvent([one, other]) ||
  isOfOneThing(one, other) ||
  isOfOneThing(other, one) ||
  (one.isFirst === other.isFirst &&
    one.isSince === other.isSince &&
    (one.verbs.length === 0 || other.verbs.length === 0) &&
    (one.isSince || tellsNothing(one) || tellsNothing(other) || one.told.some((token) => !tellsWhen(token) && isAmong(token, other.told))));

const tellsNothing = ({ told }: Time): boolean => told.every(tellsWhen);

const isOneEvent = ([one, other]: Pair): boolean =>
  one.isFirst === other.isFirst && (tellsOneOf(one.verbs, other) || tellsOneOf(other.verbs, one));
/** Whether the other part contains everything in this one except its verb: "The dam of the lake failed" and "the lake broke through its dam". */
function isOfOneThing(one: Time, other: Time): boolean {
  const things = one.told.filter((token) => !one.verbs.includes(token) && !tellsWhen(token));
  return (
    one.isFirst === other.isFirst &&
    one.isSince === other.isSince &&
    things.length >= MIN_THINGS &&
    things.every((token) => isAmong(token, other.told))
  );
}
const tellsOneOf = (verbs: readonly Token[], { told }: Time): boolean => verbs.some((verb) => isAmong(verb, told));
