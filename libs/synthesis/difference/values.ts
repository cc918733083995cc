import { isKnownName } from '@lib/language/known-words';
import type { Amount } from '@lib/language/reading/amounts';
import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import { type NameRun, sameName } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { unitOf } from '@lib/language/reading/units';
import { isSame } from '../alignment/same-word';

/** Values that one statement has and another does not, in whatever words both are told. */
export interface Values {
  amounts: readonly Amount[];
  dates: readonly PartialDate[];
  names: readonly NameRun[];
}

/** What of one statement's amounts, dates and names the other does not say, however it writes them. */
export function valuesOnlyIn(mine: Reading, yours: Reading): Values {
  return {
    amounts: mine.amounts.filter((amount) => !isNumberIn(amount, yours) && !yours.amounts.some((other) => saysAmount(other, amount))),
    dates: mine.dates.filter((date) => !yours.dates.some((other) => saysDate(other, date))),
    names: namesIn(mine).filter((name) => !saysName(yours, name, mine.text)),
  };
}

/** Whether the first tells every figure and date of the second. */
export function tellsValuesOf(first: Reading, second: Reading): boolean {
  const { amounts, dates } = valuesOnlyIn(second, first);
  return amounts.length + dates.length === 0;
}

/** The very same figure or interval of one unit. */
export const areEqual = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit && one.low === other.low && one.high === other.high;

const DIMENSIONS = new Set(
  ['m', 'g', 's', 'year', 'byte', 'l', '%', '°c', '°f', 'mph', '$', '€', '£', '¥'].map((name) => unitOf(name)?.dimension ?? ''),
);

/** Amounts of one unit of measure, or of things counted, whatever they are called. */
function areOfOneKind(one: Amount, other: Amount): boolean {
  return one.unit === other.unit || (!DIMENSIONS.has(one.unit) && !DIMENSIONS.has(other.unit));
}

/** A year that is read as a count: "its 2022 revenue". */
const isNumberIn = ({ low, high, unit }: Amount, { numbers }: Reading): boolean =>
  low === high && !DIMENSIONS.has(unit) && numbers.has(String(low));

/** Whether an amount of the one stands where the other has another amount of that kind. */
export const differInAmounts = ({ amounts: mine }: Values, { amounts: yours }: Values): boolean =>
  mine.some(
    (amount) =>
      !isYear(amount) && yours.some((other) => !isYear(other) && areOfOneKind(amount, other) && !mayBeRounded(amount.high, other.high)),
  );

/** Whether both tell when, and no time of the one can be one of the other. */
export const areOfOtherTimes = ({ dates: mine }: Reading, { dates: theirs }: Reading): boolean =>
  mine.length > 0 && theirs.length > 0 && mine.every((date) => theirs.every((other) => datesConflict(date, other)));

/** Whether both tell when, and not the same; also as in "the 2016 data". */
export const differInTime = (mine: Values, yours: Values): boolean => tellsWhen(mine) && tellsWhen(yours);

const tellsWhen = ({ amounts, dates }: Values): boolean => dates.length > 0 || amounts.some(isYear);

/** As in "the 2016 data". */
export const isYear = ({ low, high, unit }: Amount): boolean =>
  low === high && Number.isInteger(low) && low >= FIRST_YEAR && low < AFTER_LAST_YEAR && !DIMENSIONS.has(unit);
const FIRST_YEAR = 1000;
const AFTER_LAST_YEAR = 2100;

function saysAmount(one: Amount, wanted: Amount): boolean {
  if (!areOfOneKind(one, wanted)) return false;
  const isOpen = ({ low, high }: Amount): boolean => low === -Infinity || high === Infinity;
  if (!isOpen(wanted)) return !isOpen(one) && isRoundedTo(wanted.low, one.low) && isRoundedTo(wanted.high, one.high);
  if (!isOpen(one)) return one.low >= wanted.low && one.high <= wanted.high && isNear(one, wanted);
  return isRoundedTo(wanted.low, one.low) && isRoundedTo(wanted.high, one.high);
}

/** 1.6 million are more than 1.4 million; of 49 million nobody would say that. */
function isNear({ low, high }: Amount, wanted: Amount): boolean {
  const bound = Number.isFinite(wanted.low) ? wanted.low : wanted.high;
  return (
    Math.max(Math.abs(low), Math.abs(high)) <= FARTHEST * Math.abs(bound) &&
    Math.abs(bound) <= FARTHEST * Math.min(Math.abs(low), Math.abs(high))
  );
}
const FARTHEST = 1.5;

/** Whether the first is the second, or that rounded: 4,000 for 3,962. Who reads 10 is not told of 14. */
function isRoundedTo(rounded: number, exact: number, most = MAX_ROUNDING): boolean {
  if (rounded === exact) return true;
  if (!Number.isFinite(rounded) || !Number.isFinite(exact)) return false;
  const isClose = Math.abs(rounded - exact) <= most * Math.max(Math.abs(rounded), Math.abs(exact));
  return isClose && rounded === Number(exact.toPrecision(significantDigits(rounded)));
}
const MAX_ROUNDING = 0.03;
/** What differs by less and may be rounded is no dispute. */
const MIN_DISPUTED = 0.05;

/** The figure of an amount, or the one that bounds it. */
export const boundOf = ({ low, high }: Amount): number => (high === Infinity ? low : high);

/** Whether one figure can be both: "between 60 and 100" and 72, "more than 50" and 60. */
export const meet = (one: Amount, other: Amount): boolean => Math.max(one.low, other.low) <= Math.min(one.high, other.high);

/** Whether nobody would call the two different figures. */
export const mayBeRounded = (one: number, other: number): boolean =>
  isRoundedTo(one, other, MIN_DISPUTED) || isRoundedTo(other, one, MIN_DISPUTED);

function significantDigits(value: number): number {
  const digits = value.toPrecision(15).replace(/e.*$/, '').replace('.', '').replace(/^-?0*/, '').replace(/0+$/, '');
  return Math.max(1, digits.length);
}

/** Both say the same of when, no more and no less precisely. */
export const areOfOneTime = (one: PartialDate, other: PartialDate): boolean => saysDate(one, other) && saysDate(other, one);

/** It says no less precisely when. */
function saysDate(one: PartialDate, wanted: PartialDate): boolean {
  if (datesConflict(one, wanted) || one.years > wanted.years) return false;
  return (wanted.month === null || one.month !== null) && (wanted.day === null || one.day !== null);
}

/** Of the first word nobody knows whether it is a name, unless it is known, is called after a place ("Brazilian") or another part of one follows. */
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

/** "Brazil" and "Brazilian", "Hald" and "Haldish". */
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

/** "EMA" for "European Medicines Agency"; at the beginning of a sentence "In" is no Indian Navy. */
function abbreviates(token: Token | undefined, text: string, name: readonly Token[]): boolean {
  if (!token || name.length < 2 || !ALL_CAPITALS.test(text.slice(token.start, token.end))) return false;
  return name.map(({ word }) => word.text.charAt(0)).join('') === token.word.text;
}
const ALL_CAPITALS = /^\p{Lu}{2,}/u;
