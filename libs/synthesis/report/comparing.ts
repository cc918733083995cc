import { NAMED, type Amount } from '@lib/language/reading/amounts';
import { datesConflict } from '@lib/language/reading/dates';
import { areOpposite } from '@lib/language/reading/opposites';
import { wordsAlone } from '@lib/language/reading/parts';
import { contrastedIn } from '@lib/language/reading/polarity';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { standAgainstEachOther } from '../difference/against';
import { deniedIn, denyAlike, isDenied } from '../difference/denials';
import { moveAgainst, tellFiguresOtherwise } from '../difference/figures-told-otherwise';
import { boundOf, figuresInBoth, mayBeRounded, meet, tellsValuesOf } from '../difference/values';

/** What a reader sees at first sight who compares two claims on the same point; it shows neither that they agree nor that they cannot both hold. */
export type AtFirstSight = 'one denies it' | 'dates differ' | 'figures differ' | 'opposite words' | 'same figures' | 'figures in common';

const ALIKE: ReadonlySet<AtFirstSight> = new Set(['same figures', 'figures in common']);

export function comparing(one: Reading, other: Reading): AtFirstSight | null {
  const [mine, theirs] = [mainClauseOf(one), mainClauseOf(other)];
  const areDenied = deniesVerb(mine) !== deniesVerb(theirs) && !denyAlike(mine, theirs);
  // What is closed is not open.
  if (areDenied && !deniesOpposite(mine, theirs) && !deniesOpposite(theirs, mine)) return 'one denies it';
  const figures = figuresInBoth(one, other);
  // Who tells the same figures compares them with those of another year.
  if (
    figures === 0 &&
    one.dates.length > 0 &&
    other.dates.length > 0 &&
    one.dates.every((date) => other.dates.every((theirs) => datesConflict(date, theirs)))
  )
    return 'dates differ';
  if (haveOtherFigures(one.amounts, other.amounts) || (figures > 0 && tellFiguresOtherwise(one, other))) return 'figures differ';
  if (isDenied(mine) === isDenied(theirs) && (standAgainstEachOther(one, other) || (figures > 0 && moveAgainst(one, other))))
    return 'opposite words';
  if (hasValuesOf(one, other) || hasValuesOf(other, one)) return 'same figures';
  return figures > 0 ? 'figures in common' : null;
}

/** "It does not support …", "No report says …"; "runs without an adapter" and "cut by 25 %, and is not recommended for …" tell something beside it. */
function deniesVerb({ tokens, polarity }: Reading): boolean {
  const verb = tokens.findIndex((_, at) => isFiniteVerbAt(tokens, at));
  return (
    verb >= 0 && polarity.negations.some((at) => (at === 0 && tokens[at]?.word.text !== 'without') || (at >= verb - 1 && at <= verb + 2))
  );
}

/** "Not open" and "closed": the first word that is denied is the opposite of one that is told. */
const deniesOpposite = (denied: Reading, told: Reading): boolean =>
  deniedIn(denied.tokens, 1).some(({ word }) => told.tokens.some((other) => areOpposite(word.stem, other.word.stem)));

/** Whether two claims may not fit together. */
export const mayDiffer = (one: Reading, other: Reading): boolean => {
  const seen = comparing(one, other);
  return seen !== null && !ALIKE.has(seen);
};

/** Without what is told of something in it: "a leak that nobody sealed", and not "said that nobody sealed it"; nor what is only contrasted with it. */
function mainClauseOf(reading: Reading): Reading {
  const { tokens } = reading;
  const isRelative = (at: number): boolean =>
    RELATIVES.has(tokens[at]?.word.text ?? '') || (tokens[at]?.word.text === 'that' && tokens[at - 1]?.word.verb.makesSentence === false);
  const contrasted = contrastedIn(tokens);
  const end = tokens.findIndex((_, at) => at > 0 && (isRelative(at) || contrasted?.has(at)));
  return end < 0 ? reading : wordsAlone(reading, 0, end);
}
const RELATIVES = new Set('who which whose where'.split(' '));

/** Of one unit each has a figure, and none that can be one of the other's. */
function haveOtherFigures(mine: readonly Amount[], theirs: readonly Amount[]): boolean {
  const units = new Set(mine.filter(({ unit }) => !unit.startsWith(NAMED)).map(({ unit }) => unit));
  return [...units].some((unit) => {
    const [ones = [], others = []] = [mine, theirs].map((amounts) => amounts.filter((amount) => amount.unit === unit));
    return others.length > 0 && !ones.some((one) => others.some((other) => mayBeOne(one, other)));
  });
}

/** "3 to 4 days" and "4 to 6 days", "more than five" and "more than ten" are two limits, though one figure may lie within both. */
function mayBeOne(one: Amount, other: Amount): boolean {
  if (mayBeRounded(boundOf(one), boundOf(other)) && mayBeRounded(one.low, other.low)) return true;
  if (areOneRounded(one, other)) return true;
  const areBounds = (one.high === Infinity && other.high === Infinity) || (one.low === -Infinity && other.low === -Infinity);
  const areRanges = one.low < one.high && other.low < other.high && one.high < Infinity && other.high < Infinity;
  return !areBounds && meet(one, other) && (!areRanges || isWithin(one, other) || isWithin(other, one));
}

/** 3 for 3.2, and "1 to 2 hours" for "1.2 to 2.4". */
function areOneRounded(one: Amount, other: Amount): boolean {
  const most = Math.max(one.rounding, other.rounding);
  return [
    [one.low, other.low],
    [one.high, other.high],
  ].every(([mine = 0, theirs = 0]) => mine === theirs || Math.abs(mine - theirs) < most);
}

const isWithin = (inner: Amount, outer: Amount): boolean => inner.low >= outer.low && inner.high <= outer.high;

/** Every figure and date of the second, which has one, is one of the first too. */
const hasValuesOf = (first: Reading, second: Reading): boolean =>
  second.dates.length + second.amounts.filter(({ unit }) => !unit.startsWith(NAMED)).length > 0 && tellsValuesOf(first, second);
