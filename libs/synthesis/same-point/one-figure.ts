import { textAt } from '@lib/language/reading/token';
import type { Amount } from '@lib/language/reading/amount';
import type { Reading } from '@lib/language/reading/reading';
import { areOtherCounts, boundOf, isAbout, mayBeRounded, meet } from '../difference/values';

/**
 * Whether two amounts can be the same figure. "3 to 4 days" and "4 to 6 days", or "more than five" and "more than ten", are different limits,
 * although one figure may satisfy both.
 */
export function mayBeOneFigure(one: Amount, other: Amount): boolean {
  if (areOtherCounts(one, other)) return false;
  if (mayBeRounded(boundOf(one), boundOf(other)) && mayBeRounded(one.low, other.low)) return true;
  if (areOneRounded(one, other) || isNearly(one, other) || isNearly(other, one) || isFall(one, other) || isFall(other, one)) return true;
  if (isRoundBelow(one, other) || isRoundBelow(other, one)) return true;
  const areBounds = (one.high === Infinity && other.high === Infinity) || (one.low === -Infinity && other.low === -Infinity);
  const areRanges = one.low < one.high && other.low < other.high && one.high < Infinity && other.high < Infinity;
  return !areBounds && meet(one, other) && (!areRanges || (one.unit !== AGE && (isWithin(one, other) || isWithin(other, one))));
}

/** Whether one is an approximation of the other: "about 400 years" and "407 years". */
const isNearly = (one: Amount, other: Amount): boolean => isAbout(one) && Math.abs(one.high - other.high) <= NEARLY * Math.abs(one.high);
const NEARLY = 0.03;

/** Whether one is a round lower bound near the other: "more than 200" for "at least 218", but not "more than ten" for "more than 15". */
const isRoundBelow = (round: Amount, other: Amount): boolean =>
  round.high === Infinity && other.low > round.low && other.low <= MAX_RATIO_TO_ROUND * round.low && ROUND.test(String(round.low));
const ROUND = /^[1-9][05]?0+$/;
/** How many times the round bound the other figure may be. */
const MAX_RATIO_TO_ROUND = 1.15;

/** Whether both are the same decrease: "fell by 0.3 points" and "−0.3 points". */
const isFall = (told: Amount, signed: Amount): boolean => signed.high < 0 && signed.high === -told.low && signed.low === -told.high;

/** Whether both are equal after rounding: 3 and 3.2, "1 to 2 hours" and "1.2 to 2.4". */
function areOneRounded(one: Amount, other: Amount): boolean {
  const most = Math.max(one.rounding, other.rounding);
  return [
    [one.low, other.low],
    [one.high, other.high],
  ].every(([mine = 0, theirs = 0]) => mine === theirs || Math.abs(mine - theirs) < most);
}

/** For ages, a range within another (50 to 75 in 40 to 75) is a different one: both ends tell whom a rule is for. */
const AGE = 'age';

const isWithin = (inner: Amount, outer: Amount): boolean => inner.low >= outer.low && inner.high <= outer.high;

/** The unit of "version 8.0": what holds for one version may also hold for another. */
export const VERSION = 'version';

/** Whether a time is a delay and not a duration: "seven years late". */
export const isDelay = ({ tokens }: Reading, { to }: Amount): boolean => DELAYED.has(textAt(tokens, to));
const DELAYED = new Set('late behind older younger'.split(' '));

/** Whether an amount is for each of several: "more than $50 million apiece". */
export const isPerOne = ({ tokens }: Reading, { to }: Amount): boolean => PER_ONE.has(textAt(tokens, to));
const PER_ONE = new Set('apiece each'.split(' '));
