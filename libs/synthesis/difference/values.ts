import { isKnownName } from '@lib/language/known-words';
import type { Amount } from '@lib/language/reading/amount';
import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import { type NameRun, sameName } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { LABELS } from '@lib/language/reading/measures';
import { ABOUT_TOLERANCE } from '@lib/language/reading/quantities';
import { unitOf } from '@lib/language/reading/units';
import { isSame } from '../alignment/same-word';

/** Values that only one of two statements has, in whatever form. */
export interface Values {
  amounts: readonly Amount[];
  dates: readonly PartialDate[];
  names: readonly NameRun[];
}

/** The amounts, dates and names of `mine` that `yours` lacks, in whatever form. */
export function valuesOnlyIn(mine: Reading, yours: Reading): Values {
  return {
    amounts: mine.amounts.filter((amount) => !isNumberIn(amount, yours) && !yours.amounts.some((other) => saysAmount(other, amount))),
    dates: mine.dates.filter((date) => !yours.dates.some((other) => saysDate(other, date))),
    names: namesIn(mine).filter((name) => !saysName(yours, name, mine.text)),
  };
}

/** Whether the first statement has every amount and date of the second. */
export function tellsValuesOf(first: Reading, second: Reading): boolean {
  const { amounts, dates } = valuesOnlyIn(second, first);
  return amounts.length + dates.length === 0;
}

/** Whether two amounts are the same figure or interval, in the same unit. */
export const areEqual = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit && one.low === other.low && one.high === other.high;

const DIMENSIONS = new Set(
  ['m', 'g', 's', 'year', 'byte', 'l', '%', '°c', '°f', 'mph', '$', '€', '£', '¥'].map((name) => unitOf(name)?.dimension ?? ''),
);

/** Whether two amounts have the same unit, or both count things, whatever these are called. */
function areOfOneKind(one: Amount, other: Amount): boolean {
  return one.unit === other.unit || (!DIMENSIONS.has(one.unit) && !DIMENSIONS.has(other.unit));
}

/** A year that was read as a count, as in "its 2022 revenue". */
const isNumberIn = ({ low, high, unit }: Amount, { numbers }: Reading): boolean =>
  low === high && !DIMENSIONS.has(unit) && numbers.has(String(low));

/** Whether both have different amounts of the same kind. */
export const differInAmounts = ({ amounts: mine }: Values, { amounts: yours }: Values): boolean =>
  mine.some(
    (amount) =>
      !isYear(amount) && yours.some((other) => !isYear(other) && areOfOneKind(amount, other) && !mayBeRounded(amount.high, other.high)),
  );

/** Whether both give times, and none of one's can match one of the other's. */
export const areOfOtherTimes = ({ dates: mine }: Pick<Reading, 'dates'>, { dates: theirs }: Pick<Reading, 'dates'>): boolean =>
  mine.length > 0 && theirs.length > 0 && mine.every((date) => theirs.every((other) => datesConflict(date, other)));

/** Whether both have a time that the other lacks; also years as in "the 2016 data". */
export const differInTime = (mine: Values, yours: Values): boolean => tellsWhen(mine) && tellsWhen(yours);

const tellsWhen = ({ amounts, dates }: Values): boolean => dates.length > 0 || amounts.some(isYear);

/** Whether an amount is really a year, as in "the 2016 data". */
export const isYear = ({ low, high, unit }: Amount): boolean =>
  low === high && Number.isInteger(low) && low >= FIRST_YEAR && low < AFTER_LAST_YEAR && !DIMENSIONS.has(unit);
const FIRST_YEAR = 1000;
const AFTER_LAST_YEAR = 2100;

function saysAmount(one: Amount, wanted: Amount): boolean {
  if (!areOfOneKind(one, wanted) || areOtherCounts(one, wanted)) return false;
  const isOpen = ({ low, high }: Amount): boolean => low === -Infinity || high === Infinity;
  if (!isOpen(wanted)) return !isOpen(one) && isRoundedTo(wanted.low, one.low) && isRoundedTo(wanted.high, one.high);
  if (!isOpen(one)) return one.low >= wanted.low && one.high <= wanted.high && isNear(one, wanted);
  return isRoundedTo(wanted.low, one.low) && isRoundedTo(wanted.high, one.high);
}

/**
 * Whether two numbers of things differ and are small enough to have been counted, or name something: 160 floors are not 163, but may be "about 160",
 * and port 8080 is not port 8081.
 */
export const areOtherCounts = (one: Amount, other: Amount): boolean =>
  one.low !== other.low && [one, other].every((amount) => isCounted(amount) && !isAbout(amount));

const isCounted = ({ low, high, unit }: Amount): boolean =>
  low === high && Number.isInteger(low) && (Math.abs(low) < COUNTED || LABELS.has(unit)) && !DIMENSIONS.has(unit);
/** From here on, numbers of things are rounded without saying so. */
const COUNTED = 1000;

/** Whether it is said to be an approximation: "about 400 years". */
export const isAbout = ({ tolerance, high }: Amount): boolean => tolerance >= ABOUT_TOLERANCE * Math.abs(high);

/** Whether a figure is near a bound: 1.6 million may be called more than 1.4 million, but 49 million would not be. */
function isNear({ low, high }: Amount, wanted: Amount): boolean {
  const bound = Number.isFinite(wanted.low) ? wanted.low : wanted.high;
  return (
    Math.max(Math.abs(low), Math.abs(high)) <= FARTHEST * Math.abs(bound) &&
    Math.abs(bound) <= FARTHEST * Math.min(Math.abs(low), Math.abs(high))
  );
}
const FARTHEST = 1.5;

/** Whether the first number equals the second or is its rounded form: 4,000 for 3,962, but not 10 for 14. */
function isRoundedTo(rounded: number, exact: number, most = MAX_ROUNDING): boolean {
  if (rounded === exact) return true;
  if (!Number.isFinite(rounded) || !Number.isFinite(exact)) return false;
  const isClose = Math.abs(rounded - exact) <= most * Math.max(Math.abs(rounded), Math.abs(exact));
  return isClose && rounded === Number(exact.toPrecision(significantDigits(rounded)));
}
const MAX_ROUNDING = 0.03;
/** A smaller relative difference that may be rounding is not a dispute. */
const MIN_DISPUTED = 0.05;

/** The figure of an amount, or its finite bound. */
export const boundOf = ({ low, high }: Amount): number => (high === Infinity ? low : high);

/** Whether one figure can satisfy both: "between 60 and 100" and 72, "more than 50" and 60. */
export const meet = (one: Amount, other: Amount): boolean => Math.max(one.low, other.low) <= Math.min(one.high, other.high);

/** Whether the two may be the same figure, rounded differently. */
export const mayBeRounded = (one: number, other: number): boolean =>
  isRoundedTo(one, other, MIN_DISPUTED) || isRoundedTo(other, one, MIN_DISPUTED);

function significantDigits(value: number): number {
  const digits = value.toPrecision(15).replace(/e.*$/, '').replace('.', '').replace(/^-?0*/, '').replace(/0+$/, '');
  return Math.max(1, digits.length);
}

/** Whether both give the same time, with the same precision. */
export const areOfOneTime = (one: PartialDate, other: PartialDate): boolean => saysDate(one, other) && saysDate(other, one);

/** Whether a date matches the wanted one and is at least as precise. */
function saysDate(one: PartialDate, wanted: PartialDate): boolean {
  if (datesConflict(one, wanted) || one.years > wanted.years) return false;
  return (wanted.month === null || one.month !== null) && (wanted.day === null || one.day !== null);
}

/**
 * The names, without a first word that may be an ordinary word: it counts if it is a known name, is derived from a place ("Brazilian"), or is
 * followed by another part of a name.
 */
function namesIn({ names, tokens }: Reading): NameRun[] {
  return names.filter(({ tokens: [first, second] }) => second || first !== tokens[0] || isSurelyName(first?.word.text ?? ''));
}

const isSurelyName = (text: string): boolean => isKnownName(text) || AFTER_PLACE.test(text);
const AFTER_PLACE = /\p{L}{3}(?:[ie]an|ese|ish)$/u;

function saysName({ names, tokens, text }: Reading, name: NameRun, textOfName: string): boolean {
  if (names.some(({ parts }) => sameName(parts, name.parts))) return true;
  if (name.tokens.every((token) => tokens.some((other) => isSame(other.word, token.word) || areOfOnePlace(other, token)))) return true;
  return (
    tokens.some((token) => abbreviates(token, text, name.tokens)) ||
    names.some((other) => abbreviates(name.tokens[0], textOfName, other.tokens))
  );
}

/** Whether one word derives from the other: "Brazil" and "Brazilian", "Hald" and "Haldish". */
function areOfOnePlace(one: Token, other: Token): boolean {
  if (!one.isCapitalised || !other.isCapitalised) return false;
  const [mine, yours] = [one.word.text, other.word.text];
  const [short, long] = mine.length <= yours.length ? [mine, yours] : [yours, mine];
  if (short.length < MIN_ROOT_LENGTH) return false;
  const root = short.slice(0, Math.max(MIN_ROOT_LENGTH, short.length - 1));
  return long.startsWith(root) && long.length - root.length <= MAX_ENDING_LENGTH;
}
const MIN_ROOT_LENGTH = 4;
const MAX_ENDING_LENGTH = 4;

/**
 * Whether a token abbreviates a name: "EMA" for "European Medicines Agency". Only in capitals: "In" at the beginning of a sentence is not the Indian
 * Navy.
 */
function abbreviates(token: Token | undefined, text: string, name: readonly Token[]): boolean {
  if (!token || name.length < 2 || !ALL_CAPITALS.test(text.slice(token.start, token.end))) return false;
  return name.map(({ word }) => word.text.charAt(0)).join('') === token.word.text;
}
const ALL_CAPITALS = /^\p{Lu}{2,}/u;
