import type { Amount } from '@lib/language/reading/amounts';
import { ABOUT_TOLERANCE } from '@lib/language/reading/quantities';
import type { Reading } from '@lib/language/reading/reading';
import { boundOf, mayBeRounded, meet } from '../difference/values';

/** "3 to 4 days" and "4 to 6 days", "more than five" and "more than ten" are two limits, though one figure may lie within both. */
export function mayBeOneFigure(one: Amount, other: Amount): boolean {
  if (mayBeRounded(boundOf(one), boundOf(other)) && mayBeRounded(one.low, other.low)) return true;
  if (areOneRounded(one, other) || isAbout(one, other) || isAbout(other, one) || isFall(one, other) || isFall(other, one)) return true;
  if (isRoundBelow(one, other) || isRoundBelow(other, one)) return true;
  const areBounds = (one.high === Infinity && other.high === Infinity) || (one.low === -Infinity && other.low === -Infinity);
  const areRanges = one.low < one.high && other.low < other.high && one.high < Infinity && other.high < Infinity;
  return !areBounds && meet(one, other) && (!areRanges || (one.unit !== AGE && (isWithin(one, other) || isWithin(other, one))));
}

/** "About 400 years" and "407 years". */
const isAbout = (one: Amount, other: Amount): boolean =>
  one.tolerance >= ABOUT_TOLERANCE * Math.abs(one.high) && Math.abs(one.high - other.high) <= NEARLY * Math.abs(one.high);
const NEARLY = 0.03;

/** "More than 200" of "at least 218": a round number below it, and near. "More than ten" is not that of "more than 15". */
const isRoundBelow = (round: Amount, other: Amount): boolean =>
  round.high === Infinity && other.low > round.low && other.low <= NEAR * round.low && ROUND.test(String(round.low));
const ROUND = /^[1-9][05]?0+$/;
const NEAR = 1.15;

/** "Fell by 0.3 points" and "−0.3 points". */
const isFall = (told: Amount, signed: Amount): boolean => signed.high < 0 && signed.high === -told.low && signed.low === -told.high;

/** 3 for 3.2, and "1 to 2 hours" for "1.2 to 2.4". */
function areOneRounded(one: Amount, other: Amount): boolean {
  const most = Math.max(one.rounding, other.rounding);
  return [
    [one.low, other.low],
    [one.high, other.high],
  ].every(([mine = 0, theirs = 0]) => mine === theirs || Math.abs(mine - theirs) < most);
}

/** Who is between 50 and 75 is between 40 and 75 too, but whom a rule is for is told by both ends. */
const AGE = 'age';

const isWithin = (inner: Amount, outer: Amount): boolean => inner.low >= outer.low && inner.high <= outer.high;

/** The unit of "version 8.0": what is told of one version may be told of another one too. */
export const VERSION = 'version';

/** "Seven years late": not how long it took. */
export const isDelay = ({ tokens }: Reading, { to }: Amount): boolean => DELAYED.has(tokens[to]?.word.text ?? '');
const DELAYED = new Set('late behind older younger'.split(' '));

/** "More than $50 million apiece": what each of several gave, and not what all did. */
export const isPerOne = ({ tokens }: Reading, { to }: Amount): boolean => PER_ONE.has(tokens[to]?.word.text ?? '');
const PER_ONE = new Set('apiece each'.split(' '));
