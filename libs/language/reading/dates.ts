import { ABOUT, COMMA, CURRENCY, DASH, OPENING, PERCENT, SPACE, STOP } from './characters';
import { dateInNumbersAt } from './numeric-dates';
import { dayOf, DECADE, ORDINAL, yearOf } from './numeral';
import type { PartialDate } from './partial-date';
import { ARTICLES_AND_POSSESSIVES } from './function-words';
import { isContentWord, isFiniteOrPast, textAt, type Token } from './token';
import { isFiniteVerbAt } from './verbs';

const MONTHS: ReadonlyMap<string, number> = new Map(
  'january jan;february feb;march mar;april apr;may;june jun;july jul;august aug;september sept sep;october oct;november nov;december dec'
    .split(';')
    .flatMap((names, month) => names.split(' ').map((name): [string, number] => [name, month + 1])),
);

/** 1 to 12; undefined for a word that is not a month. */
export const monthOf = (word: string): number | undefined => MONTHS.get(word);
export const isMonth = (word: string): boolean => MONTHS.has(word);
/** After such a word a number of four digits is a year, whatever follows. */
const BEFORE_YEAR = new Set('in since until till during from by before after between early late mid year'.split(' '));
/** If none of those precedes it, a number is a year only before one of these, or where nothing follows that it could count. */
const AFTER_YEAR = new Set(
  `and in at as by to when where with after before for on of but or until while due from the was is has had aged`.split(' '),
);
const BEFORE_APPROXIMATE_YEAR = new Set('c ca circa about around'.split(' '));
/** Characters between the parts of a date; others rule out a date before the year. */
const WITHIN_DATE = SPACE | COMMA | STOP;

const CENTURY = /^centur(?:y|ies)$/;
const BEFORE_CHRIST = /^bce?$/;

const NO_DATES: readonly PartialDate[] = [];
const APPROXIMATE_YEARS = 5;

/** The dates with a year, in order. English. */
export function datesOf(tokens: readonly Token[]): readonly PartialDate[] {
  let dates: PartialDate[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const date = tokens[at]?.word.hasDigit ? (dateInNumbersAt(tokens, at) ?? dateEndingAt(tokens, at) ?? ageAt(tokens, at)) : null;
    if (!date) continue;
    (dates ??= []).push(date);
    at = date.to - 1;
  }
  return dates ?? NO_DATES;
}

function dateEndingAt(tokens: readonly Token[], at: number): PartialDate | null {
  const token = tokens[at];
  const year = yearOf(token?.word.numeral ?? null);
  if (!token || year === null || token.after & PERCENT || token.before & CURRENCY) return null;
  const { month, day, from } = monthBefore(tokens, at);
  if (month === null && !isYear(tokens, at)) return null;
  const first = tokens[from];
  const isApproximate = ((first?.before ?? 0) & ABOUT) !== 0 || BEFORE_APPROXIMATE_YEAR.has(textAt(tokens, from - 1));
  return { year, month, day, isApproximate, years: 1, from, to: at + 1 };
}

/** A period such as "the 1930s" or "the 19th century"; "the 1800s" may also be the century. */
function ageAt(tokens: readonly Token[], at: number): PartialDate | null {
  const token = tokens[at];
  const numeral = token?.word.numeral;
  if (!token || !numeral || numeral.digits === '' || numeral.hasDollar) return null;
  const age = { month: null, day: null, isApproximate: false, from: at };
  if (numeral.suffix === DECADE && numeral.digits.length === 4 && numeral.value % 10 === 0 && numeral.value < 2100)
    return { ...age, year: numeral.value, years: numeral.value % 100 === 0 ? 100 : 10, to: at + 1 };
  const [next, after] = [tokens[at + 1]?.word.text, tokens[at + 2]?.word.text];
  if (!CENTURY.test(next ?? '') || BEFORE_CHRIST.test(after ?? '') || numeral.digits.length > 2 || !ORDINAL.test(numeral.suffix))
    return null;
  return { ...age, year: 100 * (numeral.value - 1), years: 100, to: at + 2 };
}

/** The month and day before a year: "12 May 1990", "12th of May 1990", "May 12, 1990", "May 1990". */
function monthBefore(tokens: readonly Token[], year: number): Pick<PartialDate, 'month' | 'day' | 'from'> {
  const none = { month: null, day: null, from: year };
  if (!isWithinDate(tokens[year])) return none;
  const dayAfterMonth = dayOf(tokens[year - 1]?.word.numeral ?? null);
  const place = dayAfterMonth === null ? year - 1 : year - 2;
  const month = MONTHS.get(textAt(tokens, place));
  if (month === undefined || (place < year - 1 && !isWithinDate(tokens[year - 1]))) return none;
  if (dayAfterMonth !== null) return { month, day: dayAfterMonth, from: place };
  const before = tokens[place - 1]?.word.text === 'of' ? place - 2 : place - 1;
  const dayBeforeMonth = isWithinDate(tokens[place]) ? dayOf(tokens[before]?.word.numeral ?? null) : null;
  return dayBeforeMonth === null ? { month, day: null, from: place } : { month, day: dayBeforeMonth, from: before };
}

function isWithinDate(token: Token | undefined): boolean {
  return token !== undefined && (token.before & SPACE) !== 0 && (token.before & ~WITHIN_DATE) === 0;
}

function isYear(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const token = tokens[at];
  const after = tokens[at + 1];
  if (!token) return false;
  if (token.before & (OPENING | DASH)) return true;
  if (before && BEFORE_YEAR.has(before.word.text) && token.before === SPACE) return true;
  if ((before?.word.text === 'the' || before?.word.text === 'a') && token.before === SPACE && after?.isCapitalised) return true;
  if ((before?.word.text === 'of' || before?.word.text === 'for') && isFiniteVerbAt(tokens, at + 1)) return true;
  if (before && ARTICLES_AND_POSSESSIVES.has(before.word.text) && token.before === SPACE && cannotCount(tokens, at)) return true;
  return !after || (token.after & ~SPACE) !== 0 || AFTER_YEAR.has(after.word.text);
}

/** Whether a number stands before a single thing, which it cannot count: "the 1952 act". Not in "the 1500 dead were", nor in "a 2014 seat hall". */
function cannotCount(tokens: readonly Token[], at: number): boolean {
  const [token, noun, next] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (!token || !noun || token.after !== SPACE || !isContentWord(noun) || noun.word.unit !== null || MAY_BE_MANY.test(noun.word.text))
    return false;
  // What is counted is often given in hundreds, and years are not.
  if ((token.word.numeral?.value ?? 0) % 100 === 0 || OF_MANY.has(next?.word.text ?? '')) return false;
  return !next || noun.after !== SPACE || !isContentWord(next) || isFiniteOrPast(next);
}
const MAY_BE_MANY =
  /[^isu]s$|^(?:people|men|women|children|staff|police|cattle|sheep|fish|troops|personnel|aircraft|crew|workforce|audience|offspring|dead|wounded|homeless|injured|unemployed)$/;
const OF_MANY = new Set('were are have do'.split(' '));

/** Whether a word belongs to a date. */
export const isInDate = (dates: readonly PartialDate[], at: number): boolean => dates.some(({ from, to }) => from <= at && at < to);

/** Whether two dates exclude each other; not if one is only less precise. */
export function datesConflict(one: PartialDate, other: PartialDate): boolean {
  if (one.years > 1 || other.years > 1) return one.year + one.years <= other.year || other.year + other.years <= one.year;
  if (one.isApproximate || other.isApproximate) return Math.abs(one.year - other.year) > APPROXIMATE_YEARS;
  if (one.year !== other.year) return true;
  if (one.month === null || other.month === null) return false;
  if (one.month !== other.month) return true;
  return one.day !== null && other.day !== null && one.day !== other.day;
}

/** Whether both sentences have the same dates, or both none. */
export function sameDates(left: readonly PartialDate[], right: readonly PartialDate[]): boolean {
  if (left.length === 0 || right.length === 0) return left.length === right.length;
  const covers = (some: readonly PartialDate[], all: readonly PartialDate[]): boolean =>
    some.every((date) => all.some((other) => !datesConflict(date, other)));
  return covers(left, right) && covers(right, left);
}
