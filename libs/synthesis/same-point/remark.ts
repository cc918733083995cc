import { COLON, COMMA } from '@lib/language/reading/characters';
import type { Amount } from '@lib/language/reading/amount';
import type { Reading } from '@lib/language/reading/reading';
import { isOfTime } from '@lib/language/reading/units';
import { standAgainstEachOther } from '../difference/opposed-words';
import { areOfOtherYears } from './clauses';
import { denialBetween, deniesItsVerb } from './denial-between';
import { isDenied } from '../difference/denials';
import { exchangeValues } from './exchanged-values';
import { moveAgainst, tellAllAndSome, tellFiguresOtherwise } from '../difference/figures-stated-otherwise';
import { areEqual, areOfOtherTimes, boundOf, mayBeRounded, meet, tellsValuesOf } from '../difference/values';
import { maySpeakOfOne, surelySpeakOfOne, surelySpeakOfOthers } from '../comparison/headings';
import { surelyTellOneEvent, tellOneEvent, tellOtherSpans } from './event-times';
import { giveRoleToOthers } from './stated-roles';
import { countSharedContentWords } from '../alignment/same-word';
import { differInOnePlace } from './figures-in-place';
import { tellOtherFrequencies } from './frequencies';
import { dateDeedOtherwise } from './dated-deeds';
import { differBesideShared, haveOtherFigures, tellEachOthersNumbers } from './other-figures';
import { areOfOtherPlaces, areRowsOfOthers, beginWithOtherNames, speakOfOthers, tellPartAndWhole } from './speaking-of-others';
import { haveOthersInOnePlace, ownNames, type WithNames } from './names-in-place';
import { compareOtherwise } from './compared-otherwise';
import { tellOtherOrder } from './before-and-after';
import { rankOtherwise } from './ranks';
import { differOnlyInValue, tellAlikeOfOthers, type Differing } from './same-shape';
import { mayBeOneFigure } from './one-figure';
import { answerOtherwise } from './answering-figure';
import { areOfOthersAsked, tellOtherCase } from './other-case';
import { isEndOfRange } from './end-of-range';
import { sharedFigures } from './shared-figures';
import type { ComparedClaim, ClaimFeatures } from './claim-features';
import { areOfOnePeriod, statedOtherwise } from './stated-values';
import { namesAnotherOf } from './field-in-sentence';
import { areUnrelatedRows } from './field-in-record';
import { toldInRecord } from './told-in-record';

/** A remark on two claims on the same point. It shows neither that they agree nor that they exclude each other; that is left to the reader. */
export type Remark = Differing | 'a model sees a contradiction' | Alike;
/** Nothing distinguishes the two, except for names that are not in the question. */
type StatedAlike = 'same figures' | 'same year' | 'figures in common';
type Alike = StatedAlike | 'other names' | `${StatedAlike}, other names` | 'a model sees an agreement';

const ALIKE: ReadonlySet<Remark> = new Set<Alike>([
  'same figures',
  'same year',
  'figures in common',
  'other names',
  'same figures, other names',
  'same year, other names',
  'figures in common, other names',
  'a model sees an agreement',
]);

/** @param asked the question: its figures neither separate two claims nor connect them */
export function remarkBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): Differing | Alike | null {
  const [one, other] = [left.reading, right.reading];
  const seen = seenBetween(left, right, asked);
  if (seen === null || isAlike(seen)) return differOnlyInValue(one, other) ?? seen;
  if (!tellAlikeOfOthers(one, other, seen) && !(seen === 'figures differ' && tellOtherCase(one, other))) return seen;
  return alike(null, nameOthers(...ownNames(one, other, asked)));
}

/** Whether two claims tell of different things, since a row says which one it is about. */
const tellOfOthers = (left: ClaimFeatures, right: ClaimFeatures): boolean =>
  areRowsOfOthers(left.reading, right.reading) ||
  areUnrelatedRows(left, right) ||
  namesAnotherOf(left, right) ||
  namesAnotherOf(right, left);

function seenBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): Differing | Alike | null {
  const [one, other] = [left.reading, right.reading];
  if (asksOnly(one) || asksOnly(other) || tellOfOthers(left, right) || areOfOthersAsked(left, right, asked)) return null;
  const told = toldInRecord(left, right);
  if (told !== null && told !== 'same figures') return told;
  const denied = denialBetween(left, right, asked);
  if (denied) return denied;
  const areApart = areOfOtherTimes(one, other);
  const shareNoFigure = areApart && sharedFigures(left.figuresAndDays, right.figuresAndDays) === 0;
  const exchanged = areApart ? null : exchangeValues(one, other);
  if (exchanged) return exchanged;
  if ((areApart && haveOtherTimes(left, right, asked, shareNoFigure)) || tellOtherSpans(one, other, asked)) return 'dates differ';
  if (areApart && dateDeedOtherwise(one, other)) return 'dates differ';
  if (shareNoFigure) return alike(null, nameOthers(...ownNames(one, other, asked)));
  const [own, others] = [left.figures, right.figures];
  const isShared = own.some((amount) => others.some((their) => areEqual(amount, their)));
  const areOfOnePlace = !areOfOtherPlaces(one, other, asked);
  if (areOfOnePlace && haveOtherValues(left, right, asked, { areApart, isShared })) return 'figures differ';
  if (areOfOnePlace && !areApart && answerOtherwise(left, right)) return 'figures differ';
  const areDeniedAlike = isDenied(left.main) === isDenied(right.main);
  if (areDeniedAlike && (standAgainstEachOther(one, other, asked) || (isShared && moveAgainst(one, other)))) return 'opposite words';
  if (rankOtherwise(one, other, asked) || tellOtherFrequencies(one, other, asked)) return 'figures differ';
  if (tellOtherOrder(one, other, asked) || compareOtherwise(left.comparison, right.comparison)) return 'opposite words';
  const mayTellOfOne =
    areOfOnePlace && !(speakOfOthers(one, other) && beginWithOtherNames(one, other)) && surelySpeakOfOneThing(left, right);
  const otherwise = mayTellOfOne ? statedOtherwise(left.values, right.values) : null;
  if (otherwise) return otherwise;
  if (areDeniedAlike && giveRoleToOthers(left, right, asked)) return 'names differ';
  const names = ownNames(one, other, asked);
  const areOthers = nameOthers(...names);
  if (areOthers && haveOthersInOnePlace(...names, asked)) return 'names differ';
  const denyAnother = deniesItsVerb(left.main) !== deniesItsVerb(right.main);
  const areAll = !denyAnother && (areValuesIn(one, own, other) || areValuesIn(other, others, one));
  return alike(areAll ? sameValues(left, right) : isShared ? 'figures in common' : null, areOthers);
}

/** Many things share a year. Claims with no more in common may be the same or opposites. */
const sameValues = (one: ClaimFeatures, other: ClaimFeatures): StatedAlike =>
  [one, other].some(({ figures }) => figures.length === 0) && sharedFigures(one.figuresAndDays, other.figuresAndDays) === 0
    ? 'same year'
    : 'same figures';

/**
 * Whether two claims with different times are about one event. With shared figures more is required, since a claim may compare them with those of
 * another year.
 */
function haveOtherTimes(left: ClaimFeatures, right: ClaimFeatures, asked: Reading, shareNoFigure: boolean): boolean {
  const [one, other] = [left.reading, right.reading];
  if (beginWithOtherNames(one, other)) return false;
  // Each year has its own figure: "2015: 17 %" and "2021: 64.5 %".
  if (haveOtherFigures(one, notOfTime(left.figures), other, notOfTime(right.figures))) return false;
  return shareNoFigure ? tellOneEvent(one, other, asked) : surelyTellOneEvent(one, other, asked);
}

function haveOtherValues(
  { reading: one, figures: own, values }: ClaimFeatures,
  { reading: other, figures: others, values: theirValues }: ClaimFeatures,
  asked: Reading,
  { areApart, isShared }: { areApart: boolean; isShared: boolean },
): boolean {
  if (tellPartAndWhole(one, other) || beginWithOtherNames(one, other)) return false;
  const areOfOneTime = !areApart && areOfOnePeriod(values, theirValues) && !areOfOtherYears(one.tokens, other.tokens);
  if (
    areOfOneTime &&
    !speakOfOthers(one, other) &&
    haveOtherFigures(one, own, other, others) &&
    !tellEachOthersNumbers(one, own, other, others)
  )
    return true;
  if (differBeside(own, others) || (isShared && tellFiguresOtherwise(one, other))) return true;
  if (!areApart && differInOnePlace({ reading: one, figures: own }, { reading: other, figures: others }, isShared)) return true;
  return ((!areApart && differBesideShared(own, others)) || tellAllAndSome(one, other)) && shareMuch(one, other, asked);
}

/** Whether two claims share so many words beyond the question's that they are surely about the same thing. */
const shareMuch = (one: Reading, other: Reading, asked: Reading): boolean => countSharedContentWords(one, other, asked) >= MIN_SHARED;
const MIN_SHARED = 5;

/** Durations are left out, since they are not values of a year. */
const notOfTime = (figures: readonly Amount[]): Amount[] => figures.filter(({ unit }) => !isOfTime(unit));

/** Whether a claim only poses a question and so states nothing: "How quickly other owners will pay". */
const asksOnly = ({ tokens }: Reading): boolean =>
  ASKING.has(tokens[0]?.word.text ?? '') && !tokens.some(({ before }) => (before & (COMMA | COLON)) !== 0);
const ASKING = new Set('how whether'.split(' '));

const alike = (figures: StatedAlike | null, areOtherNames: boolean): Alike | null =>
  areOtherNames ? (figures === null ? 'other names' : `${figures}, other names`) : figures;

/** Whether each has a name that is neither in the other nor in the question. */
const nameOthers = (one: WithNames, other: WithNames): boolean => one.own.length > 0 && other.own.length > 0;

/** Whether the headings above two claims show beyond doubt that both are about one thing. */
export const surelySpeakOfOneThing = (one: ComparedClaim, other: ComparedClaim): boolean => someSpeakOfOne(one, other, surelySpeakOfOne);
/** Whether the headings above two claims show that they are about different things. */
export const surelySpeakOfOtherThings = ({ supporting: mine }: ComparedClaim, { supporting: theirs }: ComparedClaim): boolean =>
  mine.some((one) => theirs.some((other) => surelySpeakOfOthers(one, other)));
/** Whether the headings above two claims allow that both are about one thing. */
export const maySpeakOfOneThing = (one: ComparedClaim, other: ComparedClaim): boolean => someSpeakOfOne(one, other, maySpeakOfOne);

const someSpeakOfOne = ({ supporting: mine }: ComparedClaim, { supporting: theirs }: ComparedClaim, speak: typeof maySpeakOfOne): boolean =>
  mine.length === 0 || mine.some((one) => theirs.some((other) => speak(one, other)));

/** Whether a remark says that one claim has all figures and dates of the other. */
export const tellsAlike = (seen: Remark | null): boolean => seen === 'same figures' || seen === 'same year';

/** Whether a remark says that two claims may conflict. */
export const tellsApart = (seen: Remark | null): boolean => seen !== null && !isAlike(seen);
const isAlike = (seen: Remark): seen is Alike => ALIKE.has(seen);

/** Whether the first has figures or dates and the other has all of them. */
const areValuesIn = (own: Reading, figures: readonly Amount[], other: Reading): boolean =>
  own.dates.length + figures.length > 0 &&
  tellsValuesOf(other, own) &&
  !figures.some((amount) => isWithinBound(amount, other.amounts) || isEndOfRange(amount, other));

/** Whether a figure only lies within a bound, such as 10,000 within "up to 15,000": both may hold, but they are not the same figure. */
const isWithinBound = (amount: Amount, amounts: readonly Amount[]): boolean =>
  amounts.length > 0 &&
  amounts.every((other) => isBound(amount) !== isBound(other) && !mayBeRounded(boundOf(amount), boundOf(other)) && meet(amount, other));
const isBound = ({ low, high }: Amount): boolean => low === -Infinity || high === Infinity;

/** Whether each has a different figure of a unit after the same word, whatever else they share: "Cut by $9,800" and "cut by $7,600". */
function differBeside(mine: readonly Amount[], theirs: readonly Amount[]): boolean {
  const isOwn = (amount: Amount, others: readonly Amount[]): boolean =>
    amount.relation !== '' && !others.some((other) => other.unit === amount.unit && mayBeOneFigure(amount, other));
  const others = theirs.filter((amount) => isOwn(amount, mine));
  return mine.some(
    (amount) => isOwn(amount, theirs) && others.some(({ unit, relation }) => unit === amount.unit && relation === amount.relation),
  );
}
