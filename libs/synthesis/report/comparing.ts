import type { Amount } from '@lib/language/reading/amounts';
import { verbCertaintyInS } from '@lib/language/known-words';
import { areOpposite } from '@lib/language/reading/opposites';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import { tells, type Token } from '@lib/language/reading/token';
import { isMonth } from '@lib/language/reading/dates';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { standAgainstEachOther } from '../difference/against';
import { denyEachOther } from '../difference/denied-things';
import { deniedIn, denyAlike, isDenied } from '../difference/denials';
import { isAmong } from '../difference/same-word';
import { moveAndKeep } from '../difference/moved-and-kept';
import { ruleOut } from '../difference/ruled-out';
import { moveAgainst, tellFiguresOtherwise } from '../difference/figures-told-otherwise';
import { areEqual, boundOf, mayBeRounded, meet, tellsValuesOf, valuesOnlyIn } from '../difference/values';
import { maySpeakOfOne, surelySpeakOfOne } from '../comparison/headings';
import { mayBeOneFigure } from './one-figure';
import { sharedFigures } from './shared-figures';
import type { Compared, Sight } from './sight';
import { areOfOnePeriod, areOfOtherTimes, toldOtherwise } from './values-told';

/** What a reader sees at first sight who compares two claims on the same point; it shows neither that they agree nor that they cannot both hold. */
export type AtFirstSight = 'one denies it' | 'dates differ' | 'figures differ' | 'names differ' | 'opposite words' | Alike;
/** Nothing that is seen tells the two apart, but for names that the question does not tell. */
type Alike = 'same figures' | 'figures in common' | 'other names' | `${'same figures' | 'figures in common'}, other names`;

const ALIKE: ReadonlySet<AtFirstSight> = new Set<Alike>([
  'same figures',
  'figures in common',
  'other names',
  'same figures, other names',
  'figures in common, other names',
]);

/** @param asked the question: its figures neither tell two claims apart nor bring them together */
export function comparing(left: Sight, right: Sight, asked: Reading): AtFirstSight | null {
  const [one, other] = [left.reading, right.reading];
  const [mine, theirs] = [left.main, right.main];
  const denyAnother = deniesItsVerb(mine) !== deniesItsVerb(theirs);
  // What is closed is not open.
  const isDeniedHere =
    denyAnother &&
    !denyAlike(mine, theirs) &&
    !deniesOpposite(mine, theirs) &&
    !deniesOpposite(theirs, mine) &&
    denyEachOther(one, other, asked);
  if (isDeniedHere) return 'one denies it';
  const plainly = contradictingPlainly(one, other, asked);
  if (plainly) return plainly;
  // Who tells the same figures compares them with those of another year, and says it in words of his own.
  if (areOfOtherTimes(one, other) && sharedFigures(left.told, right.told) === 0)
    return tellOneEvent(one, other, asked) ? 'dates differ' : alike(null, nameOthers(one, other, asked));
  const [own, others] = [left.figures, right.figures];
  const isShared = own.some((amount) => others.some((their) => areEqual(amount, their)));
  if (
    (areOfOnePeriod(left.values, right.values) && haveOtherFigures(own, others) && !tellEachOthersNumbers(one, own, other, others)) ||
    differBeside(own, others) ||
    (isShared && tellFiguresOtherwise(one, other))
  )
    return 'figures differ';
  if (isDenied(mine) === isDenied(theirs) && (standAgainstEachOther(one, other, asked) || (isShared && moveAgainst(one, other))))
    return 'opposite words';
  const otherwise = surelySpeakOfOneThing(left, right) ? toldOtherwise(left.values, right.values) : null;
  if (otherwise) return otherwise;
  const areAll = !denyAnother && (areValuesIn(one, own, other) || areValuesIn(other, others, one));
  return alike(areAll ? 'same figures' : isShared ? 'figures in common' : null, nameOthers(one, other, asked));
}

/**
 * Begun in 2007 and connected in 2024: of two times two events are told, unless words beside the question's tell that it is one. Two names alone tell
 * only of whom.
 */
function tellOneEvent(one: Reading, other: Reading, asked: Reading): boolean {
  const told = tellingEvent(other);
  const shared = tellingEvent(one).filter((token) => !asked.stems.has(token.word.stem) && isAmong(token, told));
  const isOnlyNamed = shared.every(({ isCapitalised }) => isCapitalised);
  return new Set(shared.map(({ word }) => word.stem)).size >= (isOnlyNamed ? MIN_NAMES : MIN_WORDS);
}
const MIN_WORDS = 2;
const MIN_NAMES = 3;
const tellingEvent = ({ tokens, inserted }: Reading): Token[] =>
  tokens.slice(inserted).filter((token) => (tells(token) && !tellsWhen(token)) || VERSION.test(token.word.text));
const VERSION = /^v?\d+\.\d/;
const tellsWhen = ({ word }: Token): boolean => word.hasDigit || isMonth(word.text) || OF_TIME.has(word.text);
const OF_TIME = new Set('end beginning start early late mid year month week day quarter half'.split(' '));

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
export const surelySpeakOfOneThing = (one: Compared, other: Compared): boolean => someSpeakOfOne(one, other, surelySpeakOfOne);
/** Whether the headings above two claims leave it open. */
export const maySpeakOfOneThing = (one: Compared, other: Compared): boolean => someSpeakOfOne(one, other, maySpeakOfOne);

const someSpeakOfOne = ({ supporting: mine }: Compared, { supporting: theirs }: Compared, speak: typeof maySpeakOfOne): boolean =>
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
  const isAlike = tokens.slice(at + 1, at + 3).some((token) => token.word.stem === DIFFERENCE);
  const isVerb = isFiniteVerbAt(tokens, at - 1) || before?.verb.isPastForm === true || verbCertaintyInS(before?.text ?? '') !== undefined;
  return !isAlike && isVerb;
}
const DIFFERENCE = stemOrStopWord('difference');
/** Words between a verb and what denies it. */
const NEAR = 3;

/** "Not open" and "closed": the first word that is denied is the opposite of one that is told. */
const deniesOpposite = (denied: Reading, told: Reading): boolean =>
  deniedIn(denied.tokens, 1).some(({ word }) => told.tokens.some((other) => areOpposite(word.stem, other.word.stem)));

/** Whether what is seen tells that two claims may not fit together. */
export const tellsApart = (seen: AtFirstSight | null): boolean => seen !== null && !ALIKE.has(seen);

/** Of one unit each has a figure, and none that can be one of the other's, whatever that counts: "9,000 people were hurt" and "1,950 people died and 9,000 were injured". */
function haveOtherFigures(mine: readonly Amount[], theirs: readonly Amount[]): boolean {
  return [...new Set(mine.map(({ unit }) => unit))].some((unit) => {
    // Of what a bare number is, nobody can tell: a score, a rank, the bounds of an interval.
    if (unit === '') return false;
    const [ones = [], others = []] = [mine, theirs].map((amounts) => amounts.filter((amount) => amount.unit === unit));
    if (others.length === 0 || ones.some((one) => others.some((other) => moveOtherwise(one, other) || mayBeOneFigure(one, other))))
      return false;
    return !tellsOneOf(ones, theirs) && !tellsOneOf(others, mine) && !(tellsAllOf(ones, theirs) && tellsAllOf(others, mine));
  });
}

/** "25–35 years, and reactors 60 or more" and "60 years, against 25 to 35": each number of the one is one of the other, whatever it counts. */
const tellEachOthersNumbers = (one: Reading, mine: readonly Amount[], other: Reading, theirs: readonly Amount[]): boolean =>
  areNumbersIn(one, mine, other) && areNumbersIn(other, theirs, one);
const areNumbersIn = ({ tokens }: Reading, amounts: readonly Amount[], { numbers }: Reading): boolean =>
  amounts.every(({ from, to }) => {
    const written = tokens.slice(from, to).flatMap(({ word }) => word.text.match(/\d+(?:[.,]\d+)*/g) ?? []);
    return written.length > 0 && written.every((number) => numbers.has(number));
  });

/** "Raised to 4.5 %" and "raised by four points". */
const moveOtherwise = (one: Amount, other: Amount): boolean =>
  one.relation !== other.relation && one.relation !== '' && other.relation !== '';

const tellsOneOf = (wanted: readonly Amount[], amounts: readonly Amount[]): boolean =>
  wanted.some((amount) => Math.abs(amount.high) >= MIN_TELLING && hasNumber(amounts, amount));
/** "Five of eleven men left" and "five men out of eleven left": each tells both, whatever it counts with them. */
const tellsAllOf = (wanted: readonly Amount[], amounts: readonly Amount[]): boolean => wanted.every((amount) => hasNumber(amounts, amount));
const hasNumber = (amounts: readonly Amount[], { low, high }: Amount): boolean =>
  amounts.some((other) => other.low === low && other.high === high);
/** A smaller figure may be of anything. */
const MIN_TELLING = 100;

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
