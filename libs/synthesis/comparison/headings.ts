import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import { initialsOf, isNamedIn, isNamedInFull, isSaidOfHeading, namesItself } from '../statement/above';
import { NONE, type Statement } from '../statement/statement';
import { isSurelyName, NO_HEADINGS, type Heading, type Headings } from '../subject/heading';

/**
 * Whether two statements may be about the same, judging by their headings: "Shares fell by 9 %" below "Tesla" and below "Ford" are not. A thing named
 * in one statement's heading must be named by the other report too, in a heading or in the sentence. Only sentences that both name their subject do
 * without this, unless the headings name different things.
 */
export function maySpeakOfOne(one: Statement, other: Statement): boolean {
  if (one.headings === null && other.headings === null) return true;
  if (areOfOtherDays(one, other) || isOfOtherHeading(one, other) || isOfOtherHeading(other, one)) return false;
  const mine = namesNotSaid(one, other);
  const theirs = namesNotSaid(other, one);
  if (mine.length > 0 && theirs.length > 0) return false;
  if ((isUnsaid(mine, one) || isUnsaid(theirs, other)) && !(namesItself(one) && namesItself(other))) return false;
  return !(isApartFrom(one, other) && isApartFrom(other, one));
}

/**
 * Whether the headings surely show different subjects, as neither statement names the other's, or different days or opposites: "Tesla" and "Ford",
 * "Public" and "Private".
 */
export const surelySpeakOfOthers = (one: Statement, other: Statement): boolean =>
  areOfOtherDays(one, other) ||
  [one, other].some(({ headings }, at) => headings !== null && isOfOpposite(headings, at === 0 ? other : one)) ||
  (namesNotSaid(one, other).length > 0 && namesNotSaid(other, one).length > 0);

/**
 * Whether a heading's date conflicts: "The bridge was closed" below "11 February 2025", and "The bridge was closed on 21 February 2025". Dates in
 * both sentences are compared elsewhere.
 */
function areOfOtherDays(one: Statement, other: Statement): boolean {
  if (one.reading.dates.length > 0 && other.reading.dates.length > 0) return false;
  const [mine, theirs] = [daysOf(one), daysOf(other)];
  return mine.length > 0 && theirs.length > 0 && mine.every((date) => theirs.every((day) => datesConflict(date, day)));
}

const daysOf = ({ headings, reading: { dates } }: Statement): readonly PartialDate[] =>
  dates.length > 0 ? dates : (headings?.days ?? NO_DAYS);
const NO_DAYS: readonly PartialDate[] = [];

/**
 * Whether the headings show another subject: "They are free" has its subject only in the heading, or the headings are opposites, such as "Public
 * schools" and "Private schools".
 */
function isOfOtherHeading(one: Statement, other: Statement): boolean {
  const { headings } = one;
  if (headings === null) return false;
  return (isSaidOfHeading(one) && !areAllSaidBy(other, headings)) || (headings.opposed.length > 0 && isOfOpposite(headings, other));
}

const areAllSaidBy = (statement: Statement, headings: Headings): boolean =>
  headings.names.every((level) => isSaidBy(statement, level, headings));

function isOfOpposite(headings: Headings, other: Statement): boolean {
  const isSaid = (stem: string): boolean => other.stems.has(stem) || (other.headings?.stems.has(stem) ?? false);
  return headings.opposed.some(({ stem, others }) => !isSaid(stem) && others.some(isSaid));
}

/** Whether the headings leave no doubt that both are about the same, so that they can contradict each other. */
export const surelySpeakOfOne = (one: Statement, other: Statement): boolean =>
  maySpeakOfOne(one, other) && !isUnsaid(namesNotSaid(one, other), one) && !isUnsaid(namesNotSaid(other, one), other);

/** Whether a heading above one of them may mean that they are about different things, because it is unclear whether it names a thing. */
export const mayStandForOthers = (one: Statement, other: Statement, question: ReadonlySet<string>): boolean =>
  !(namesItself(one) && namesItself(other)) &&
  !(speaksOfAsked(one, question) && speaksOfAsked(other, question)) &&
  (hasDoubtfulAbove(one, other) || hasDoubtfulAbove(other, one));

/** Whether the subject is what was asked about: "Battery prices fell". Not after "the": "the bank" may be any of several. */
const speaksOfAsked = ({ head, reading: { tokens } }: Statement, question: ReadonlySet<string>): boolean =>
  tokens[0]?.word.text !== 'the' && !head.isDisjointFrom(question);

function hasDoubtfulAbove({ headings }: Statement, other: Statement): boolean {
  if (headings === null || headings.hasTopic) return false;
  return headings.levels.some((level) => !level.isAspect && /\p{Script=Latin}/u.test(level.text) && !isSaidBy(other, level, headings));
}

/** The headings above a statement that surely name something that neither the other statement nor its headings name. */
function namesNotSaid({ headings }: Statement, other: Statement): readonly Heading[] {
  if (headings === null || headings.names.length === 0) return NO_HEADINGS;
  return headings.names.filter((level) => isSurelyName(level, headings) && !isSaidBy(other, level, headings));
}

/** Whether the sentence does not name what its heading names. */
const isUnsaid = (levels: readonly Heading[], { headings, stems }: Statement): boolean =>
  headings !== null && levels.some((level) => !isNamedIn(level, stems, headings));

/** Whether a statement names what another report's heading names: in the sentence, in a heading or in its context. */
export function isSaidBy(statement: Statement, level: Heading, own: Headings): boolean {
  const { headings, stems } = statement;
  if (level.names.length === 0 && !level.isNaming) return [...level.told].every((stem) => stems.has(stem) || headings?.stems.has(stem));
  if (isNamedIn(level, stems, own) || isSaidBefore(level, statement)) return true;
  if (headings === null) return false;
  const saidOrAbove = { has: (stem: string) => stems.has(stem) || headings.stems.has(stem) };
  return isNamedInFull(level, saidOrAbove) || headings.levels.some((theirs) => isAlsoCalled(level, own, theirs, headings));
}

/** What one statement names itself and the other only in its heading: "Tesla" for "Tesla’s shares fell" and "Shares fell" below "Tesla". */
export function saidAbove(one: Statement, other: Statement): ReadonlySet<string> {
  const { headings, stems } = other;
  if (headings === null || headings.names.length === 0 || namesItself(other)) return NONE;
  return new Set(headings.names.flatMap(({ names }) => names.filter((name) => one.stems.has(name) && !stems.has(name))));
}

/** Whether one statement refers to its heading by a noun: "The company employs 100 people" below "Tesla", and a statement about Tesla. */
export const callByHeading = (one: Statement, other: Statement): boolean => isCalledAbove(one, other) || isCalledAbove(other, one);

function isCalledAbove({ headings, head, reading: { tokens } }: Statement, other: Statement): boolean {
  const [article, noun] = tokens;
  if (headings === null || article?.word.text !== 'the' || !noun || noun.isCapitalised || head.size !== 1 || !head.has(noun.word.stem))
    return false;
  return other.head.size > 0 && headings.names.some(({ names }) => names.every((name) => other.head.has(name)));
}

/** Whether two headings name the same: "Semaglutide (Ozempic)" and "Ozempic", "UK" and "United Kingdom", "Ford Motor" and "Ford". */
function isAlsoCalled(mine: Heading, own: Headings, theirs: Heading, others: Headings): boolean {
  const { aliases, names } = mine;
  if (theirs.names.length === 0) return false;
  if (theirs.names.every((name) => aliases.has(name)) || (names.length === 1 && names[0] === initialsOf(theirs))) return true;
  return isShortFor(theirs, mine, own) || isShortFor(mine, theirs, others);
}

/**
 * Whether a heading is a short form of another: its first or last words, without leaving out a distinguishing number. "Tesla" is not short for "Tesla
 * Energy" if the latter's report has both.
 */
function isShortFor({ names: short, key }: Heading, { names: long }: Heading, { ofReport }: Headings): boolean {
  if (ofReport.byKey.has(key)) return false;
  const rest = long.filter((name) => !short.includes(name));
  if (short.length === 0 || rest.length === 0 || rest.length + short.length !== long.length || rest.some((name) => /\d/.test(name)))
    return false;
  return short.every((name, at) => long[at] === name) || short.every((name, at) => long[rest.length + at] === name);
}

/** Whether the context names it, while neither the statement nor its headings name anything else. */
function isSaidBefore({ names }: Heading, { context, headings, reading }: Statement): boolean {
  if (context === null || reading.names.length > 0 || (headings !== null && headings.names.length > 0)) return false;
  const said = ` ${context.toLowerCase()}`;
  return names.every((name) => said.includes(` ${name}`));
}

/** Whether this report has a separate section for the other's heading, and the statement is not in it: "Adults" and "Children". */
function isApartFrom({ headings, stems }: Statement, other: Statement): boolean {
  if (headings === null || other.headings === null) return false;
  return elsewhere(headings, other.headings).some(({ told }) => ![...told].every((stem) => headings.stems.has(stem) || stems.has(stem)));
}

/** The headings of the other statement that this report has too, but not above this statement. */
function elsewhere(own: Headings, others: Headings): readonly Heading[] {
  const found = (own.elsewhere ??= new Map<Headings, readonly Heading[]>());
  let levels = found.get(others);
  if (!levels) {
    levels = others.levels.filter((level) => {
      const isInReport = !level.isAspect && own.ofReport.byKey.has(level.key) && !level.told.isSubsetOf(own.stems);
      return isInReport && !own.levels.some((mine) => isAlsoCalled(level, others, mine, own));
    });
    found.set(others, levels);
  }
  return levels;
}
