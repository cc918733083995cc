import { COLON, COMMA } from '@lib/language/reading/characters';
import type { Amount } from '@lib/language/reading/amounts';
import { verbCertaintyInS } from '@lib/language/known-words';
import { areOpposite } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { standAgainstEachOther } from '../difference/opposed-words';
import { areOfOtherYears } from './clauses';
import { denyEachOther } from './denied-things';
import { deniedIn, denyAlike, isDenied } from '../difference/denials';
import { moveAndKeep } from './moved-and-kept';
import { exchangeValues } from './exchanged-values';
import { ruleOut } from './ruled-out';
import { isOfDifference, moveAgainst, tellAllAndSome, tellFiguresOtherwise, tellNoDifference } from '../difference/figures-told-otherwise';
import { areEqual, boundOf, mayBeRounded, meet, tellsValuesOf, valuesOnlyIn } from '../difference/values';
import { maySpeakOfOne, surelySpeakOfOne, surelySpeakOfOthers } from '../comparison/headings';
import { surelyTellOneEvent, tellOneEvent, tellOtherSpans } from './event-times';
import { giveRoleToOthers } from './roles-told';
import { countToldByBoth } from '../alignment/same-word';
import { differBesideShared, haveOtherFigures, tellEachOthersNumbers } from './other-figures';
import { speakOfOthers } from './speaking-of-others';
import { haveOthersInOnePlace } from './names-in-place';
import { tellOtherOrder } from './before-and-after';
import { rankOtherwise } from './ranks';
import { mayBeOneFigure } from './one-figure';
import { sharedFigures } from './shared-figures';
import type { ComparedClaim, ClaimFeatures } from './claim-features';
import { areOfOnePeriod, areOfOtherTimes, toldOtherwise } from './values-told';

/** What a report remarks on two claims on the same point. It shows neither that they agree nor that they cannot both hold: the reader judges. */
export type Remark = 'one denies it' | 'dates differ' | 'figures differ' | 'names differ' | 'opposite words' | Alike;
/** Nothing tells the two apart, but for names that the question does not tell. */
type Alike = 'same figures' | 'figures in common' | 'other names' | `${'same figures' | 'figures in common'}, other names`;

const ALIKE: ReadonlySet<Remark> = new Set<Alike>([
  'same figures',
  'figures in common',
  'other names',
  'same figures, other names',
  'figures in common, other names',
]);

/** @param asked the question: its figures neither tell two claims apart nor bring them together */
export function remarkBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): Remark | null {
  const [one, other] = [left.reading, right.reading];
  if (asksOnly(one) || asksOnly(other)) return null;
  const denied = denialBetween(left, right, asked);
  if (denied) return denied;
  const areApart = areOfOtherTimes(one, other);
  const shareNoFigure = areApart && sharedFigures(left.told, right.told) === 0;
  const exchanged = areApart ? null : exchangeValues(one, other);
  if (exchanged) return exchanged;
  if ((areApart && haveOtherTimes(left, right, asked, shareNoFigure)) || tellOtherSpans(one, other, asked)) return 'dates differ';
  if (shareNoFigure) return alike(null, nameOthers(one, other, asked));
  const [own, others] = [left.figures, right.figures];
  const isShared = own.some((amount) => others.some((their) => areEqual(amount, their)));
  if (haveOtherValues(left, right, asked, { areApart, isShared })) return 'figures differ';
  const areDeniedAlike = isDenied(left.main) === isDenied(right.main);
  if (areDeniedAlike && (standAgainstEachOther(one, other, asked) || (isShared && moveAgainst(one, other)))) return 'opposite words';
  if (rankOtherwise(one, other, asked)) return 'figures differ';
  if (tellOtherOrder(one, other, asked)) return 'opposite words';
  const otherwise = surelySpeakOfOneThing(left, right) ? toldOtherwise(left.values, right.values) : null;
  if (otherwise) return otherwise;
  const areOthers = nameOthers(one, other, asked);
  if (areDeniedAlike && giveRoleToOthers(left, right, asked)) return 'names differ';
  if (areOthers && haveOthersInOnePlace(one, other, asked)) return 'names differ';
  const denyAnother = deniesItsVerb(left.main) !== deniesItsVerb(right.main);
  const areAll = !denyAnother && (areValuesIn(one, own, other) || areValuesIn(other, others, one));
  return alike(areAll ? 'same figures' : isShared ? 'figures in common' : null, areOthers);
}

/** Whether one denies what the other tells, or tells the plain opposite. */
function denialBetween(left: ClaimFeatures, right: ClaimFeatures, asked: Reading): 'one denies it' | 'opposite words' | null {
  const [one, other, mine, theirs] = [left.reading, right.reading, left.main, right.main];
  const isDeniedHere =
    deniesItsVerb(mine) !== deniesItsVerb(theirs) &&
    !denyAlike(mine, theirs) &&
    // What is closed is not open.
    !deniesOpposite(mine, theirs) &&
    !deniesOpposite(theirs, mine) &&
    denyEachOther(one, other, asked);
  if (isDeniedHere || (areOfOneStudy(one, other, asked) && tellNoDifference(one, other))) return 'one denies it';
  return contradictingPlainly(one, other, asked);
}

/** Of two that tell other times, whether they tell one event. Who tells the same figures compares them with those of another year, and says it in words of his own. */
function haveOtherTimes(left: ClaimFeatures, right: ClaimFeatures, asked: Reading, shareNoFigure: boolean): boolean {
  const [one, other] = [left.reading, right.reading];
  // "2015: 17 %" and "2021: 64.5 %": each year has its own.
  if (haveOtherFigures(one, notOfTime(left.figures), other, notOfTime(right.figures))) return false;
  return shareNoFigure ? tellOneEvent(one, other, asked) : surelyTellOneEvent(one, other, asked);
}

function haveOtherValues(
  { reading: one, figures: own, values }: ClaimFeatures,
  { reading: other, figures: others, values: theirValues }: ClaimFeatures,
  asked: Reading,
  { areApart, isShared }: { areApart: boolean; isShared: boolean },
): boolean {
  const areOfOneTime = !areApart && areOfOnePeriod(values, theirValues) && !areOfOtherYears(one.tokens, other.tokens);
  if (
    areOfOneTime &&
    !speakOfOthers(one, other) &&
    haveOtherFigures(one, own, other, others) &&
    !tellEachOthersNumbers(one, own, other, others)
  )
    return true;
  if (differBeside(own, others) || (isShared && tellFiguresOtherwise(one, other))) return true;
  return ((!areApart && differBesideShared(own, others)) || tellAllAndSome(one, other)) && shareMuch(one, other, asked);
}

/** So many words besides those of the question that nobody doubts of what both speak. */
const shareMuch = (one: Reading, other: Reading, asked: Reading): boolean => countToldByBoth(one, other, asked) >= MIN_SHARED;
const MIN_SHARED = 5;

/** How long something took is no value of a year. */
const notOfTime = (figures: readonly Amount[]): Amount[] => figures.filter(({ unit }) => unit !== 'time' && unit !== 'calendar');

/** "How quickly other owners will pay": what is asked, or not known, is told by nobody. */
const asksOnly = ({ tokens }: Reading): boolean =>
  ASKING.has(tokens[0]?.word.text ?? '') && !tokens.some(({ before }) => (before & (COMMA | COLON)) !== 0);
const ASKING = new Set('how whether'.split(' '));

/** Both name something that the question does not, as studies are named, and not only as the first word of a sentence. */
const areOfOneStudy = (one: Reading, other: Reading, asked: Reading): boolean =>
  one.tokens.some((token, at) =>
    other.tokens.some(
      (their, place) =>
        token.isCapitalised &&
        their.word.text === token.word.text &&
        !token.word.isStopWord &&
        !asked.stems.has(token.word.stem) &&
        (isNamedHere(token, at, one.tokens) || isNamedHere(their, place, other.tokens)),
    ),
  );
const isNamedHere = ({ isCapitalised }: Token, at: number, tokens: readonly Token[]): boolean =>
  isCapitalised && (at > 0 || ((tokens[at + 1]?.before ?? 0) & COLON) !== 0);

/** Told so plainly that it counts also where two claims share few words; null where nothing is. */
export function contradictingPlainly(one: Reading, other: Reading, asked: Reading): 'one denies it' | 'opposite words' | null {
  if (ruleOut(one, other, asked)) return 'one denies it';
  return moveAndKeep(one, other) ? 'opposite words' : null;
}

const alike = (figures: 'same figures' | 'figures in common' | null, areOtherNames: boolean): Alike | null =>
  areOtherNames ? (figures === null ? 'other names' : `${figures}, other names`) : figures;

/** Each has a name that is not in the other, nor in the question: who bought it, where it was built. */
const nameOthers = (one: Reading, other: Reading, asked: Reading): boolean =>
  hasOwnName(one, other, asked) && hasOwnName(other, one, asked);

const hasOwnName = (mine: Reading, yours: Reading, asked: Reading): boolean =>
  valuesOnlyIn(mine, yours).names.some(({ tokens }) => !tokens.some(({ word }) => asked.stems.has(word.stem)));

/** Whether the headings above two claims leave no doubt that both are of one thing. */
export const surelySpeakOfOneThing = (one: ComparedClaim, other: ComparedClaim): boolean => someSpeakOfOne(one, other, surelySpeakOfOne);
/** Whether what stands above two claims tells that they are of two things. */
export const surelySpeakOfOtherThings = ({ supporting: mine }: ComparedClaim, { supporting: theirs }: ComparedClaim): boolean =>
  mine.some((one) => theirs.some((other) => surelySpeakOfOthers(one, other)));
/** Whether the headings above two claims leave it open. */
export const maySpeakOfOneThing = (one: ComparedClaim, other: ComparedClaim): boolean => someSpeakOfOne(one, other, maySpeakOfOne);

const someSpeakOfOne = ({ supporting: mine }: ComparedClaim, { supporting: theirs }: ComparedClaim, speak: typeof maySpeakOfOne): boolean =>
  mine.length === 0 || mine.some((one) => theirs.some((other) => speak(one, other)));

/** "It does not support …", "no report says …"; "at no cost", "without an adapter" and "cut by 25 %, and is not recommended for …" tell something beside it. */
const deniesItsVerb = ({ tokens, polarity }: Reading): boolean => polarity.negations.some((at) => deniesAt(tokens, at));

function deniesAt(tokens: readonly Token[], at: number): boolean {
  const [before, word, next] = [tokens[at - 1]?.word, tokens[at]?.word.text, tokens[at + 1]?.word];
  if (word === 'without') return false;
  if (word === 'cannot' || (word !== 'no' && (next?.verb.isPastForm || next?.text === 'been'))) return true;
  if (at === 0) return tokens.some((_, place) => isFiniteVerbAt(tokens, place));
  if (word !== 'no' || next?.text === 'longer')
    return tokens.some((_, place) => Math.abs(at - place) <= NEAR && isFiniteVerbAt(tokens, place));
  // "Found no leak"; "there was no significant difference" tells that two are alike.
  const isAlike = isOfDifference(tokens, at);
  const isVerb = isFiniteVerbAt(tokens, at - 1) || before?.verb.isPastForm === true || verbCertaintyInS(before?.text ?? '') !== undefined;
  return !isAlike && isVerb;
}
/** Words between a verb and what denies it. */
const NEAR = 3;

/** "Not open" and "closed": the first word that is denied is the opposite of one that is told. */
const deniesOpposite = (denied: Reading, told: Reading): boolean =>
  deniedIn(denied.tokens, 1).some(({ word }) => told.tokens.some((other) => areOpposite(word.stem, other.word.stem)));

/** Whether what is seen tells that two claims may not fit together. */
export const tellsApart = (seen: Remark | null): boolean => seen !== null && !ALIKE.has(seen);

/** Every figure and date of the first, which has one, is told by the other too. */
const areValuesIn = (own: Reading, figures: readonly Amount[], other: Reading): boolean =>
  own.dates.length + figures.length > 0 && tellsValuesOf(other, own) && !figures.some((amount) => isWithinBound(amount, other.amounts));

/** 10,000 where the other tells "up to 15,000": both may hold, and are not the same figure. */
const isWithinBound = (amount: Amount, amounts: readonly Amount[]): boolean =>
  amounts.length > 0 &&
  amounts.every((other) => isBound(amount) !== isBound(other) && !mayBeRounded(boundOf(amount), boundOf(other)) && meet(amount, other));
const isBound = ({ low, high }: Amount): boolean => low === -Infinity || high === Infinity;

/** "Cut by $9,800" and "cut by $7,600", whatever else both tell: behind one word each has a figure of one unit that the other has otherwise. */
function differBeside(mine: readonly Amount[], theirs: readonly Amount[]): boolean {
  const isOwn = (amount: Amount, others: readonly Amount[]): boolean =>
    amount.relation !== '' && !others.some((other) => other.unit === amount.unit && mayBeOneFigure(amount, other));
  const others = theirs.filter((amount) => isOwn(amount, mine));
  return mine.some(
    (amount) => isOwn(amount, theirs) && others.some(({ unit, relation }) => unit === amount.unit && relation === amount.relation),
  );
}
