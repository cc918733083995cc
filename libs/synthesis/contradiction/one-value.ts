import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Amount } from '@lib/language/reading/amounts';
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

/** They only say that a value is there. */
const MEASURING = new Set(
  `reached reaches stood stands totalled totaled totals amounted amounts came comes hit hits cost costs measured measures weighed weighs kept keeps held holds
retained retains lasted lasts took takes paid pays reported reports posted posts recorded records priced launched provides imposes gives`.split(
    /\s+/,
  ),
);
/** What has to be: who must keep it for two years need not for five. */
const OBLIGING = new Set('must shall should required requires require mandatory minimum obliged'.split(' '));
/** So many words may stand in one of the two alone. */
const MAX_APART = 2;
const MIN_SHARED = 2;
/** By what share two figures differ at least: of what is only told about, and of what nobody measures. */
const MIN_ABOUT = 0.1;
/** What floating-point numbers lose: a third and 30 % are a tenth apart. */
const ROUNDED_OFF = 1e-9;
const MIN_EXACT = 0.005;
/** Money and shares. */
const EXACT = new Set('dollars euros pounds yen share'.split(' '));

/**
 * The cue by which two statements cannot both hold that are the same but for one figure, whatever one of them tells behind it: "The reports are kept
 * for at least ten years" and "… for at least five, which is the rule". Null where a place, a time, a group, a condition or another measure may
 * explain the difference.
 */
export function differInOneValue(one: MainPart | null, other: MainPart | null): ContradictionCue | null {
  if (one === null || other === null) return null;
  const [{ reading: left, telling: mine }, { reading: right, telling: theirs }] = [one, other];
  const cue = cueOfAmounts(left, right);
  if (
    cue === null ||
    mayRestrict(one, other) ||
    !sameDates(left.dates, right.dates) ||
    !denyAlike(left, right) ||
    !areOfOneCase(left.tokens, right.tokens)
  )
    return null;
  const onlyMine = mine.filter((item) => !isAmong(item, theirs));
  const onlyTheirs = theirs.filter((item) => !isAmong(item, mine));
  // "The admin server" is not "the server".
  if (onlyMine.some(({ at }) => at < left.subjectEnd) || onlyTheirs.some(({ at }) => at < right.subjectEnd)) return null;
  const shared = mine.length - onlyMine.length;
  const apart = onlyMine.length + onlyTheirs.length;
  if (shared < (apart === 0 ? 1 : MIN_SHARED) || Math.max(onlyMine.length, onlyTheirs.length) > MAX_APART || shared < apart) return null;
  if (tellOppositeDirections(onlyMine, onlyTheirs)) return 'direction';
  return explainsNothing(onlyMine, onlyTheirs) ? cue : null;
}

/** False for most pairs, at little cost: of one unit each has a figure that the other does not have. */
export const mayDifferInOneValue = ({ amounts: mine }: Reading, { amounts: theirs }: Reading): boolean =>
  mine.some((amount) => theirs.some((other) => other.unit === amount.unit && (other.low !== amount.low || other.high !== amount.high)));

/** Each tells besides what may restrict it, and not the same: "…, which held for men" and "…, which held for women". */
function mayRestrict(one: MainPart, other: MainPart): boolean {
  if (one.restriction !== '' && other.restriction !== '' && one.restriction !== other.restriction) return true;
  return !areTheSame(one.which, other.which);
}

/** In what the only two amounts differ that are not in both; null where there are none or several, or both can hold. */
function cueOfAmounts(left: Reading, right: Reading): ContradictionCue | null {
  const onlyLeft = left.amounts.filter((amount) => !right.amounts.some((other) => isOneAmount(amount, other)));
  const onlyRight = right.amounts.filter((amount) => !left.amounts.some((other) => isOneAmount(amount, other)));
  const [mine, theirs] = [onlyLeft[0], onlyRight[0]];
  if (!mine || !theirs || onlyLeft.length > 1 || onlyRight.length > 1) return null;
  if (!isStated(mine, left) || !isStated(theirs, right) || !areComparable(mine, theirs)) return null;
  return mine.unit === '' ? 'value' : 'quantity';
}

/** A figure, "up to" one, or at least what has to be: more than five are at least two, and less than five are less than twenty. */
function isStated({ low, high, from }: Amount, { tokens }: Reading): boolean {
  if (low === -Infinity) return tokens[from]?.word.text === 'up';
  return high !== Infinity || tokens.some(({ word }) => OBLIGING.has(word.text));
}

function isOneAmount(one: Amount, other: Amount): boolean {
  if (one.unit !== other.unit || boundsOf(one) !== boundsOf(other)) return false;
  return mayBeRounded(boundOf(one), boundOf(other)) || (boundsOf(one) === 'as many' && meet(one, other));
}

/** Two of one unit, of which each is a figure or both are bounds to the same side, too far apart for what is told about or rounded. */
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

/** "Rose" stands in the place of "fell", and nothing else is in one of the two alone. */
function tellOppositeDirections([mine, ...more]: readonly ContentWord[], [theirs, ...others]: readonly ContentWord[]): boolean {
  if (!mine || !theirs || more.length + others.length > 0) return false;
  const [one, other] = [mine.token.word.stem, theirs.token.word.stem];
  return (RISING.has(one) && FALLING.has(other)) || (FALLING.has(one) && RISING.has(other));
}

/** Whether what stands in one of the two alone is no name, place, time or group, no other verb, and not what is measured: "a revenue" and "an income". */
function explainsNothing(mine: readonly ContentWord[], theirs: readonly ContentWord[]): boolean {
  if ([mine, theirs].every((items) => items.some(({ token }) => !MEASURING.has(token.word.text)))) return false;
  return [...mine, ...theirs].every(({ token, relation }) => {
    const { text, isStopWord, isNegation, isAmount, verb } = token.word;
    if (MEASURING.has(text)) return true;
    if (token.isCapitalised || isStopWord || isNegation || isAmount || relation !== '') return false;
    return !(verb.isFinite || verb.isPastForm || verb.endsInS);
  });
}
