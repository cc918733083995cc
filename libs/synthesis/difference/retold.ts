import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import type { Amount } from '@lib/language/reading/amounts';
import { datesConflict, type PartialDate } from '@lib/language/reading/dates';
import { areConverse, isCarrying, verbOf, verbOfDoer } from '@lib/language/reading/derivations';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import { NARROWING } from './edit-kinds';
import { isSame, meanTheSame } from './same-word';
import { areApart, limits, STRICT } from './restatement';
import { toldIn, type Told } from './sides';
import { isOfOtherTime, type Side } from './verb-sides';

/** So many words have to be the same, and at least as many as are said with others. */
const LEAST_SAME = 2;
const LEAST_TOLD = 3;
/** Whether it may be at all, by the words that nothing else says: mostly the other lacks one of them. */
export function mayBeRetoldIn(inner: Reading, outer: ReadonlySet<string>, exempt: ReadonlySet<string>): boolean {
  for (const stem of inner.firmStems) if (!outer.has(stem) && !exempt.has(stem)) return false;
  return true;
}

/** Whether the outer statement, in other words and another order, says all that the inner one says, of the same and in the same roles. */
export function isRetoldIn(inner: Reading, outer: Reading, exempt: ReadonlySet<string>): boolean {
  if (!mayBeTold(inner, outer, exempt) || !haveValuesOf(inner, outer) || isOfOtherTime(inner, outer)) return false;
  const theirs = toldIn(outer);
  const mine = toldIn(inner);
  const pairs = pairsOf(mine, theirs, placesOfValues(inner), exempt);
  if (!pairs || pairs.length < LEAST_TOLD || !areInSameRoles(pairs, theirs, inner, outer)) return false;
  const isAllTold = pairs.length === mine.length;
  return !isLimited(pairs, theirs, outer, isAllTold);
}

/** Asked first: mostly some word has no fellow. */
function mayBeTold(inner: Reading, outer: Reading, exempt: ReadonlySet<string>): boolean {
  for (const { word, isCapitalised } of inner.tokens) {
    if (word.isStopWord && NARROWING.has(word.text) && !outer.tokens.some((token) => token.word.text === word.text)) return false;
    if (word.isStopWord || word.isAmount || outer.stems.has(word.stem) || exempt.has(word.stem)) continue;
    if (word.unit || isCarrying(word.stem) || word.role === 'filler') continue;
    if (!isCapitalised && outer.tokens.some((token) => tellTheSame(word, token.word))) continue;
    return false;
  }
  return true;
}

const tellTheSame = (one: Word, other: Word): boolean =>
  one.isNegated === other.isNegated &&
  (meanTheSame(one, other) ||
    (!one.isStopWord && verbOf(one.stem) === verbOf(other.stem)) ||
    areConverse(one.stem, other.stem) ||
    isAdverbOf(one, other) ||
    isAdverbOf(other, one) ||
    (RECEIVED.has(one.stem) && RECEIVED.has(other.stem)));

/** "Formerly" of "former". */
const isAdverbOf = (one: Word, other: Word): boolean => one.verb.isAdverb && one.text === `${other.text}ly`;

/** "Was awarded" is "won": who did it is told by the sides. */
const RECEIVED = new Set(['award', 'win', 'receive'].map(stemOrStopWord));

type Pair = readonly [Told, Told];

/** Places of the words of dates and amounts, which are compared as such. */
function placesOfValues({ dates, amounts }: Reading): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { from, to } of [...dates, ...amounts]) for (let at = from; at < to; at += 1) places.add(at);
  return places;
}

/** Each word of the one with one of the other; null where some has none. */
function pairsOf(mine: readonly Told[], theirs: readonly Told[], values: ReadonlySet<number>, exempt: ReadonlySet<string>): Pair[] | null {
  const pairs: Pair[] = [];
  const taken = new Set<Told>();
  let same = 0;
  let reworded = 0;
  for (const told of mine) {
    const { word, isCapitalised } = told.token;
    const free = theirs.filter((other) => !taken.has(other));
    const exact = free.filter(({ token }) => word.stem === token.word.stem && isSame(word, token.word));
    const fellows = exact.length > 0 || isCapitalised ? exact : free.filter(({ token }) => tellTheSame(word, token.word));
    const fellow = fellows.find((other) => agree(told, other)) ?? fellows[0];
    if (!fellow) {
      if (values.has(told.at) || exempt.has(word.stem) || isCarrying(word.stem) || word.role === 'filler') continue;
      return null;
    }
    taken.add(fellow);
    pairs.push([told, fellow]);
    if (exact.length > 0) same += 1;
    else reworded += 1;
  }
  return same >= Math.max(LEAST_SAME, reworded) ? pairs : null;
}

const agree = (one: Told, other: Told): boolean => one.side === other.side && one.relation === other.relation;

const PEOPLE = new Set(['people', 'employee', 'worker', 'person'].map(stemOrStopWord));

/** "5,000 people" may be "5,000 employees": the words tell. */
const countedOf = (amount: Amount): Amount => ({ ...amount, relation: '', unit: PEOPLE.has(amount.unit) ? '' : amount.unit });

/** Every date and every amount of the one stands in the other. */
function haveValuesOf(inner: Reading, outer: Reading): boolean {
  const covers = (date: PartialDate, other: PartialDate): boolean =>
    !datesConflict(date, other) && (date.month === null || other.month !== null) && (date.day === null || other.day !== null);
  return (
    inner.dates.every((date) => outer.dates.some((other) => covers(date, other))) &&
    inner.amounts.every((amount) => outer.amounts.some((other) => compareAmounts([countedOf(amount)], [countedOf(other)]).kind === 'same'))
  );
}

function areInSameRoles(pairs: readonly Pair[], theirs: readonly Told[], inner: Reading, outer: Reading): boolean {
  const fellowAt = new Map(pairs.map(([one, other]) => [one.at, other.at]));
  return pairs.every(([one, other], place) => {
    if (!sidesAgree(one.side, other.side) || !belongAlike(one, other, fellowAt, inner, outer)) return false;
    if (one.relation !== other.relation && (isStrict(one) || isStrict(other))) return false;
    const before = pairs[place - 1]?.[1];
    if (one.token.word.isStopWord && !isFollowedAlike(one, other, inner, outer)) return false;
    const isAdjunct = other.relation !== '' || other.token.word.isAmount;
    return !before || !isAdjunct || !areApart(outer, theirs, other, before);
  });
}

/** "Only", "all" and "not" are said of what comes next: "the only clinic", "only the clinic". */
const isFollowedAlike = (one: Told, other: Told, { tokens: mine }: Reading, { tokens: theirs }: Reading): boolean =>
  mine[one.at + 1]?.word.stem === theirs[other.at + 1]?.word.stem;

/** A doer is told by its side. */
const isStrict = ({ relation, side }: Told): boolean => side !== 'doer' && STRICT.has(relation);

function sidesAgree(one: Side, other: Side): boolean {
  if (one === other || one === '' || other === '') return true;
  const both = new Set([one, other]);
  if (both.has('undergoer')) return false;
  if (both.has('complement')) return both.has('same');
  return true;
}

/** What is said to be another's own is not another's there. */
function belongAlike(one: Told, other: Told, fellowAt: ReadonlyMap<number, number>, inner: Reading, outer: Reading): boolean {
  if (one.of < 0 && other.of < 0) return true;
  if (one.of >= 0 && other.of >= 0) {
    const [mine, theirs] = [inner.tokens[one.of]?.word, outer.tokens[other.of]?.word];
    if (mine && theirs && areConverse(mine.stem, theirs.stem)) return false;
    const fellow = fellowAt.get(one.of);
    return fellow === undefined ? !one.token.isCapitalised : fellow === other.of;
  }
  const [owned, bare, ofOwned, ofBare] = one.of >= 0 ? [one, other, inner, outer] : [other, one, outer, inner];
  if (bare.relation === 'in') return true;
  const head = ofOwned.tokens[owned.of]?.word;
  if (!head) return false;
  if (ofBare.tokens.some(({ word }) => areConverse(word.stem, head.stem))) return true;
  if (/^(?:has|have|had)$/.test(ofBare.tokens[bare.at + 1]?.word.text ?? '')) return true;
  const isVerb = ofBare.tokens.some(({ word }, at) => at !== bare.at && tellTheSame(head, word) && word.verb.isPastForm);
  const follows = ofBare.tokens[bare.at + 1]?.word;
  if (follows && tellTheSame(head, follows)) return true;
  return isVerb && (verbOfDoer(head.stem) === undefined || bare.side === 'undergoer');
}

/** What the other says between those words or about them, so that they do not hold by themselves. */
function isLimited(pairs: readonly Pair[], theirs: readonly Told[], outer: Reading, isAllTold: boolean): boolean {
  const kept = new Set(pairs.map(([, { at }]) => at));
  const places = [...kept];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const isNarrowed = outer.tokens.some(
    ({ word, isCapitalised }, at) =>
      word.isStopWord && !isCapitalised && NARROWING.has(word.text) && !kept.has(at) && !isSetOff(outer, at, kept),
  );
  if (isNarrowed) return true;
  return theirs.some((told) => {
    const { at, token } = told;
    if (kept.has(at) || isSetOff(outer, at, kept)) return false;
    return limits(told) || ((!isAllTold || (at > first && at < last)) && tellsOfAnother(token));
  });
}

const tellsOfAnother = ({ word, isCapitalised }: Token): boolean =>
  !isCapitalised && (word.verb.isPastForm || word.verb.isFinite) && !isCarrying(word.stem);

/** Between two commas that hold nothing of what both say. */
function isSetOff({ tokens }: Reading, at: number, kept: ReadonlySet<number>): boolean {
  const isComma = (place: number): boolean => ((tokens[place]?.before ?? 0) & (COMMA | SEMICOLON)) !== 0;
  let from = at;
  while (from > 0 && !isComma(from)) from -= 1;
  let to = at + 1;
  while (to < tokens.length && !isComma(to)) to += 1;
  if (from === 0 || to === tokens.length) return false;
  for (let place = from; place < to; place += 1) if (kept.has(place)) return false;
  return true;
}
