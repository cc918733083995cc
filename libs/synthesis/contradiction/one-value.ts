import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Amount } from '@lib/language/reading/amount';
import { FALLING, RISING } from '@lib/language/reading/movements';
import { NAMED } from '@lib/language/reading/measures';
import { sameDates } from '@lib/language/reading/dates';
import { areTheSame } from '@lib/language/sets';
import type { Reading } from '@lib/language/reading/reading';
import { denyAlike } from '../difference/denials';
import { areOfOneCase } from '../difference/scope';
import type { ContentWord } from '../difference/content-words';
import { isSame } from '../alignment/same-word';
import { boundOf, mayBeRounded, meet } from '../difference/values';
import type { MainPart } from './main-part';

/** Verbs that only introduce a value. */
const MEASURING = new Set(
  `reached reaches stood stands totalled totaled totals amounted amounts came comes hit hits cost costs measured measures weighed weighs kept keeps held holds
retained retains lasted lasts took takes paid pays reported reports posted posts recorded records priced launched provides imposes gives`.split(
    /\s+/,
  ),
);
/** Words for an obligation, which make lower bounds comparable: a duty to keep something for two years is not one for five. */
const OBLIGING = new Set('must shall should required requires require mandatory minimum obliged'.split(' '));
/** Most words that one of the two may have alone. */
const MAX_APART = 2;
const MIN_SHARED = 2;
/** The least relative difference between two figures: for approximate figures, and for exact ones. */
const MIN_ABOUT = 0.1;
/** Tolerance for floating-point errors: a third and 30 % differ by exactly a tenth, which must not count as more. */
const ROUNDED_OFF = 1e-9;
const MIN_EXACT = 0.005;
/** Units of money and shares, which are known exactly. */
const EXACT = new Set('dollars euros pounds yen share'.split(' '));

/**
 * The cue by which two statements cannot both hold that are the same except for one figure and for additional information: "The reports are kept for
 * at least ten years" and "… for at least five, which is the rule". Null if a place, a time, a group, a condition or another measure may explain the
 * difference.
 */
export function differInOneValue(one: MainPart | null, other: MainPart | null): ContradictionCue | null {
  if (one === null || other === null) return null;
  const [{ reading: left, telling: mine }, { reading: right, telling: theirs }] = [one, other];
  // First what most pairs of a long report fail, and what costs least.
  const onlyMine = apartFrom(theirs, mine);
  const onlyTheirs = onlyMine && apartFrom(mine, theirs);
  if (!onlyMine || !onlyTheirs) return null;
  const shared = mine.length - onlyMine.length;
  const apart = onlyMine.length + onlyTheirs.length;
  if (shared < (apart === 0 ? 1 : MIN_SHARED) || shared < apart) return null;
  // An extra word in the subject means a different thing: "the admin server" is not "the server".
  if (onlyMine.some(({ at }) => at < left.subjectEnd) || onlyTheirs.some(({ at }) => at < right.subjectEnd)) return null;
  const cue = cueOfAmounts(left, right);
  if (
    cue === null ||
    mayRestrict(one, other) ||
    !sameDates(left.dates, right.dates) ||
    !denyAlike(left, right) ||
    !areOfOneCase(left.tokens, right.tokens)
  )
    return null;
  if (tellOppositeDirections(onlyMine, onlyTheirs)) return 'direction';
  return explainsNothing(onlyMine, onlyTheirs) ? cue : null;
}

/** The words that the others lack; null if there are more than `MAX_APART`. */
function apartFrom(others: readonly ContentWord[], items: readonly ContentWord[]): readonly ContentWord[] | null {
  const apart: ContentWord[] = [];
  for (const item of items) if (!isAmong(item, others) && apart.push(item) > MAX_APART) return null;
  return apart;
}

/** A cheap check that is false for most pairs: whether they have different figures of the same unit. */
export const mayDifferInOneValue = ({ amounts: mine }: Reading, { amounts: theirs }: Reading): boolean =>
  mine.some((amount) => theirs.some((other) => other.unit === amount.unit && (other.low !== amount.low || other.high !== amount.high)));

/** Whether the two have different restrictions, such as "…, which held for men" and "…, which held for women", or are about different measures. */
function mayRestrict(one: MainPart, other: MainPart): boolean {
  if (one.restriction !== '' && other.restriction !== '' && one.restriction !== other.restriction) return true;
  return !areTheSame(one.which, other.which);
}

/** The kind of the difference if each statement has exactly one amount that the other lacks; null otherwise, or if both can hold. */
function cueOfAmounts(left: Reading, right: Reading): ContradictionCue | null {
  const onlyLeft = left.amounts.filter((amount) => !right.amounts.some((other) => isOneAmount(amount, other)));
  const onlyRight = right.amounts.filter((amount) => !left.amounts.some((other) => isOneAmount(amount, other)));
  const [mine, theirs] = [onlyLeft[0], onlyRight[0]];
  if (!mine || !theirs || onlyLeft.length > 1 || onlyRight.length > 1) return null;
  if (!isStated(mine, left) || !isStated(theirs, right) || !areComparable(mine, theirs)) return null;
  return mine.unit === '' ? 'value' : 'quantity';
}

/**
 * Whether an amount is definite enough: a figure, "up to" one, or a required minimum. Other bounds do not exclude each other: more than five can be
 * at least two, and less than five is less than twenty.
 */
function isStated({ low, high, from }: Amount, { tokens }: Reading): boolean {
  if (low === -Infinity) return tokens[from]?.word.text === 'up';
  return high !== Infinity || tokens.some(({ word }) => OBLIGING.has(word.text));
}

function isOneAmount(one: Amount, other: Amount): boolean {
  if (one.unit !== other.unit || boundsOf(one) !== boundsOf(other)) return false;
  return mayBeRounded(boundOf(one), boundOf(other)) || (boundsOf(one) === 'as many' && meet(one, other));
}

/** Whether two amounts can be compared: they have the same unit, both are figures or bounds on the same side, and differ by more than rounding. */
function areComparable(one: Amount, other: Amount): boolean {
  if (one.unit !== other.unit || one.relation !== other.relation || one.unit.startsWith(NAMED) || boundsOf(one) !== boundsOf(other))
    return false;
  const [low, high] = [Math.min(boundOf(one), boundOf(other)), Math.max(boundOf(one), boundOf(other))];
  const isAbout = [one, other].some((amount) => amount.tolerance > MIN_ABOUT * boundOf(amount));
  if (isAbout) return high - low > MIN_ABOUT * high + ROUNDED_OFF;
  const least = EXACT.has(one.unit) ? MIN_EXACT * high : Math.max(one.tolerance, other.tolerance);
  return high - low > least;
}

const boundsOf = ({ low, high }: Amount): string => (low === -Infinity ? 'at most' : high === Infinity ? 'at least' : 'as many');

const isAmong = ({ token }: ContentWord, items: readonly ContentWord[]): boolean =>
  items.some((item) => isSame(item.token.word, token.word));

/** Whether one word of rising stands in place of one of falling, and nothing else differs. */
function tellOppositeDirections([mine, ...more]: readonly ContentWord[], [theirs, ...others]: readonly ContentWord[]): boolean {
  if (!mine || !theirs || more.length + others.length > 0) return false;
  const [one, other] = [mine.token.word.stem, theirs.token.word.stem];
  return (RISING.has(one) && FALLING.has(other)) || (FALLING.has(one) && RISING.has(other));
}

/**
 * Whether the words that only one of them has explain no difference: they are no name, place, time, group or other verb, and only one statement has
 * such words. "A revenue" and "an income" are different measures.
 */
function explainsNothing(mine: readonly ContentWord[], theirs: readonly ContentWord[]): boolean {
  if ([mine, theirs].every((items) => items.some(({ token }) => !MEASURING.has(token.word.text)))) return false;
  return [...mine, ...theirs].every(({ token, relation }) => {
    const { text, isStopWord, isNegation, isAmount, verb } = token.word;
    if (MEASURING.has(text)) return true;
    if (token.isCapitalised || isStopWord || isNegation || isAmount || relation !== '') return false;
    return !(verb.isFinite || verb.isPastForm || verb.endsInS);
  });
}
