import type { ContradictionCue } from '@lib/domain/vocabulary';
import { NAMED, type Amount } from '@lib/language/reading/amounts';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { sameDates } from '@lib/language/reading/dates';
import { areOpposite } from '@lib/language/reading/opposites';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { denyAlike } from '../difference/denials';
import { areOfOneCase, mayReserve } from '../difference/facets';
import { itemsOf, type Item } from '../difference/items';
import { isSame } from '../difference/same-word';
import { mayBeRounded } from '../difference/values';

/** What follows a comma with one of these first tells something besides: "…, which is the largest", "…, with a clear drop". */
const TAILS = new Set('which who with as after because since thanks driven compared while although though so and but whichever'.split(' '));
const ARTICLES = new Set('a an the'.split(' '));
/** They only say that a value is there. */
const MEASURING = new Set(
  `reached reaches stood stands totalled totaled totals amounted amounts came comes hit hits cost costs measured measures weighed weighs kept keeps held holds
retained retains lasted lasts took takes paid pays reported reports posted posts recorded records priced launched provides imposes gives`.split(
    /\s+/,
  ),
);
/** Around an amount they tell what its bounds tell already. */
const BOUNDING = new Set(
  'about around roughly approximately some nearly almost up least most over under than more less exactly only just record'.split(' '),
);
/** What has to be. */
const OBLIGING = new Set('must shall should required requires require mandatory minimum obliged fine fined penalty'.split(' '));
/** Of two measures that one noun names: "income" and "net income". */
const KINDS = new Set('net gross operating adjusted diluted organic nominal real annual monthly weekly daily quarterly'.split(' '));
/** So many words may stand in one of the two alone. */
const MOST_APART = 2;
const LEAST_SHARED = 2;
/** By what share two figures differ at least: of what is only told about, and of what is told exactly. */
const LEAST_ABOUT = 0.1;
const LEAST_EXACT = 0.005;
/** What nobody measures: money and shares. */
const EXACT = new Set('dollars euros pounds yen share'.split(' '));

/** A statement without what it tells besides. */
export interface MainPart {
  reading: Reading;
  /** What it tells but for its amounts and dates. */
  telling: readonly Item[];
}

/**
 * What shows that two statements cannot both hold that are the same but for one figure, whatever each tells behind it: "The reports are kept for at
 * least ten years" and "… for at least five, which is the rule". Null where a place, a time, a group or a condition may explain the difference.
 */
export function differInOneValue(one: MainPart | null, other: MainPart | null): ContradictionCue | null {
  if (one === null || other === null) return null;
  const [{ reading: left, telling: mine }, { reading: right, telling: theirs }] = [one, other];
  const amounts = differingAmounts(left, right);
  if (amounts === null || !sameDates(left.dates, right.dates) || !denyAlike(left, right) || !areOfOneCase(left.tokens, right.tokens))
    return null;
  const onlyMine = mine.filter((item) => !isAmong(item, theirs));
  const onlyTheirs = theirs.filter((item) => !isAmong(item, mine));
  // "The admin server" is not "the server".
  if (onlyMine.some(({ at }) => at < left.subjectEnd) || onlyTheirs.some(({ at }) => at < right.subjectEnd)) return null;
  const shared = mine.length - onlyMine.length;
  const apart = onlyMine.length + onlyTheirs.length;
  if (shared < (apart === 0 ? 1 : LEAST_SHARED) || Math.max(onlyMine.length, onlyTheirs.length) > MOST_APART || shared < apart) return null;
  if (areOppositeVerbs(onlyMine, onlyTheirs)) return 'direction';
  // "Reported a revenue of" and "reported a net income of": what stands in the place of each other may be what is measured.
  if ([onlyMine, onlyTheirs].every((items) => items.some(({ token }) => !MEASURING.has(token.word.text)))) return null;
  return isNothing(onlyMine, onlyTheirs) ? amounts : null;
}

/** False for most pairs, at little cost: of one unit each has a figure that the other does not have. */
export const mayDifferInOneValue = ({ amounts: mine }: Reading, { amounts: theirs }: Reading): boolean =>
  mine.some((amount) => theirs.some((other) => other.unit === amount.unit && (other.low !== amount.low || other.high !== amount.high)));

/** Null for one without an amount, and where what it tells besides may say that it holds of less. */
export function mainPartOf({ tokens }: Reading): MainPart | null {
  const end = tokens.findIndex((_, at) => at > 2 && beginsTail(tokens, at));
  const reading = new Reading('', withoutAppositions(end < 0 ? tokens : tokens.slice(0, end)));
  if (reading.amounts.length === 0 || (end >= 0 && mayReserve(tokens.slice(end)))) return null;
  return { reading, telling: tellingIn(reading) };
}

function beginsTail(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || !next || token.isCapitalised) return false;
  const { text, verb } = token.word;
  if (token.before & (COMMA | SEMICOLON)) return TAILS.has(text) || verb.endsInIng || verb.isPastForm;
  if (next.isCapitalised || next.word.isAmount || next.word.verb.isDeterminer) return false;
  if (text === 'and') return next.word.verb.isFinite || next.word.verb.isPastForm || next.word.verb.endsInS;
  // "For 450 million to get its software", and not "to 450 million".
  return text === 'to' && !next.word.isStopWord && tokens.slice(0, at).some(({ word }) => word.isAmount);
}

/** "Skylign, a maker of software, …" */
function withoutAppositions(tokens: readonly Token[]): Token[] {
  const isComma = (at: number): boolean => ((tokens[at]?.before ?? 0) & COMMA) !== 0;
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const end = at > 0 && isComma(at) && ARTICLES.has(token.word.text) ? tokens.findIndex((_, place) => place > at && isComma(place)) : -1;
    const isPlain = end > 0 && !tokens.slice(at, end).some(({ word }) => word.hasDigit || word.verb.isFinite);
    if (isPlain) at = end - 1;
    else kept.push(token);
  }
  return kept;
}

/** In what the only two amounts differ that are not in both; null where there are none or several, or one is a part of a name. */
function differingAmounts({ amounts: left, tokens }: Reading, { amounts: right }: Reading): ContradictionCue | null {
  const [onlyLeft, onlyRight] = [
    left.filter((amount) => !right.some((other) => isOneAmount(amount, other))),
    right.filter((amount) => !left.some((other) => isOneAmount(amount, other))),
  ];
  const [mine, theirs] = [onlyLeft[0], onlyRight[0]];
  // More than five are at least two, but who has to keep it for two years need not keep it for five.
  if (mine?.high === Infinity && !tokens.some(({ word }) => OBLIGING.has(word.text))) return null;
  if (!mine || !theirs || onlyLeft.length > 1 || onlyRight.length > 1 || !areComparable(mine, theirs)) return null;
  return mine.unit === '' ? 'value' : 'quantity';
}

const isOneAmount = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit && boundsOf(one) === boundsOf(other) && (meet(one, other) || mayBeRounded(boundOf(one), boundOf(other)));

/** "Between 60 and 100" holds 72. */
const meet = (one: Amount, other: Amount): boolean =>
  Number.isFinite(one.low + one.high + other.low + other.high) && Math.max(one.low, other.low) <= Math.min(one.high, other.high);

/** Two of one unit, of which each is a figure or both are bounds to the same side, too far apart for what is told about or rounded. */
function areComparable(one: Amount, other: Amount): boolean {
  if (one.unit !== other.unit || one.relation !== other.relation || one.unit.startsWith(NAMED) || boundsOf(one) !== boundsOf(other))
    return false;
  const [low, high] = [boundOf(one), boundOf(other)].sort((a, b) => a - b) as [number, number];
  const isAbout = [one, other].some((amount) => amount.tolerance > LEAST_ABOUT * boundOf(amount));
  if (isAbout) return high - low > LEAST_ABOUT * high;
  const least = EXACT.has(one.unit) ? LEAST_EXACT * high : Math.max(one.tolerance, other.tolerance);
  return high - low > least && !mayBeRounded(low, high);
}

const boundsOf = ({ low, high }: Amount): string => (low === -Infinity ? 'at most' : high === Infinity ? 'at least' : 'as many');
const boundOf = ({ low, high }: Amount): number => (high === Infinity ? low : high);

function tellingIn(reading: Reading): Item[] {
  const taken = new Set([...reading.amounts, ...reading.dates].flatMap(({ from, to }) => reading.tokens.slice(from, to)));
  return itemsOf(reading).filter(({ token }) => !taken.has(token) && !BOUNDING.has(token.word.text));
}

const isAmong = ({ token }: Item, items: readonly Item[]): boolean => items.some((item) => isSame(item.token.word, token.word));

/** One word stands in the place of its opposite, and nothing else is in one of the two alone. */
function areOppositeVerbs([mine, ...more]: readonly Item[], [theirs, ...others]: readonly Item[]): boolean {
  return (
    mine !== undefined &&
    theirs !== undefined &&
    more.length + others.length === 0 &&
    areOpposite(mine.token.word.stem, theirs.token.word.stem)
  );
}

/** Whether what stands in one of the two alone explains nothing: no name, place, time or group, and no other verb. */
function isNothing(mine: readonly Item[], theirs: readonly Item[]): boolean {
  return [...mine, ...theirs].every(({ token, relation }) => {
    const { text, isStopWord, isNegation, isAmount, verb } = token.word;
    if (MEASURING.has(text)) return true;
    if (token.isCapitalised || isStopWord || KINDS.has(text) || isNegation || isAmount || relation !== '') return false;
    return !(verb.isFinite || verb.isPastForm || verb.endsInS);
  });
}
