import { POSSESSIVES } from '@lib/language/reading/function-words';
import { DASH, SPACE } from '@lib/language/reading/characters';
import type { Amount } from '@lib/language/reading/amount';
import { comparatorBefore, type Comparator } from '@lib/language/reading/comparators';
import { isNegationAt } from '@lib/language/reading/polarity';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { isVerbAt } from '../roles/verb-and-object';

/**
 * Whether a word that is no content word makes the outer statement say less than the inner one, or something else: "one of the largest", "up to 300",
 * "only", "or", "opt-out", "World War II".
 */
export const turnsOnSmallWord = (inner: Reading, outer: Reading): boolean =>
  namesPart(inner.tokens, outer.tokens) ||
  boundsOtherwise(inner.amounts, outer.amounts, outer.tokens) ||
  boundsOtherwise(outer.amounts, inner.amounts, inner.tokens) ||
  restrictsOther(inner, outer) ||
  joinsOtherwise(inner.tokens, outer.tokens) ||
  isAlternative(inner.tokens, outer.tokens) ||
  isOneOfEither(inner.tokens, outer.tokens) ||
  isExcepted(inner.tokens, outer.tokens) ||
  obligesOtherwise(inner.tokens, outer.tokens) ||
  obligesOtherwise(outer.tokens, inner.tokens) ||
  isFollowedOtherwise(inner.tokens, outer.tokens, particleAfter) ||
  isFollowedOtherwise(inner.tokens, outer.tokens, numeralAfter);

const PARTS = new Set('one part some most half many two three several'.split(' '));
/** Most words between "one of" and its noun: "one of the three most common causes". */
const MAX_MEMBER_WORDS = 6;

/** Whether `theirs` speaks of one or of a part of what `mine` speaks of whole: "one of the founders", "among the oldest", "part of the law". */
const namesPart = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  theirs.some((_, at) => {
    if (!beginsPart(theirs, at) || mine.some((_, place) => beginsPart(mine, place))) return false;
    const end = theirs.findIndex(({ word, before }, place) => place > at + 2 && ((word.isStopWord && !word.isAmount) || before !== SPACE));
    const group = theirs.slice(at + 1, Math.min(end < 0 ? theirs.length : end, at + 2 + MAX_MEMBER_WORDS)).filter(isContentWord);
    return group.length > 0 && group.every((token) => isAmong(token, mine)) && group.some((token) => isDefinite(token, mine));
  });

/** Whether a word stands near behind "the" or a possessive. */
const isDefinite = (token: Token, tokens: readonly Token[]): boolean =>
  placesOf(token, tokens).some((place) => tokens.slice(Math.max(0, place - 3), place).some(({ word }) => DEFINITE.has(word.text)));
const DEFINITE = POSSESSIVES.union(new Set(['the']));

function beginsPart(tokens: readonly Token[], at: number): boolean {
  const [token, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (!token || !next) return false;
  if (token.word.text === 'among') return next.word.text === 'the';
  return PARTS.has(token.word.text) && next.word.text === 'of' && after?.word.verb.isDeterminer === true;
}

type Bound = Comparator['kind'];

/** Whether the same figure is a bound in the one only, or another bound: "up to 300", "at least 300", "around 300". "Over 300" may be said as "300". */
const boundsOtherwise = (mine: readonly Amount[], theirs: readonly Amount[], tokens: readonly Token[]): boolean =>
  mine.some((own) => {
    if (boundOf(own) !== 'at most' && boundOf(own) !== 'at least') return false;
    const same = theirs.filter(
      ({ unit, low, high }) => unit === own.unit && [low, high].some((end) => end === own.low || end === own.high),
    );
    return same.length > 0 && same.every((other) => areOtherBounds(boundOf(own), boundOf(other, tokens)));
  });

const boundOf = ({ low, high, from, to }: Amount, tokens: readonly Token[] = []): Bound => {
  if (low === -Infinity) return 'at most';
  if (high === Infinity) return 'at least';
  const number = tokens.findIndex(({ word }, at) => at >= from && at < to && word.isAmount);
  return number < 0 ? 'none' : comparatorBefore(tokens, number).kind;
};

const areOtherBounds = (one: Bound, other: Bound): boolean => one !== other && (one === 'at most' || other !== 'none');

const ONLY = new Set('only solely exclusively'.split(' '));

/** Whether "only" restricts something else: "Only the Pro supports 5G" and "The Pro supports only 5G". Before a verb it may restrict what follows. */
function restrictsOther({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  const [own, others] = [restrictedIn(mine), restrictedIn(theirs)];
  if (!own || !others) return false;
  if (own.isSubject !== others.isSubject) return true;
  return own.word !== null && others.word !== null && !areAlike(own.word, others.word);
}

/** What the first "only" restricts; null if nothing. The word is null if it is not certain which one. */
function restrictedIn(tokens: readonly Token[]): { word: Token | null; isSubject: boolean } | null {
  const at = tokens.findIndex(({ word }, place) => ONLY.has(word.text) && tokens[place - 1]?.word.verb.isDeterminer !== true);
  const following = tokens[at + 1]?.word;
  if (at < 0 || (following?.isAmount && !/\p{L}/u.test(following.text))) return null;
  const next = tokens.findIndex((token, place) => place > at && (isContentWord(token) || token.word.hasDigit));
  const word = next < 0 || isVerbAt(tokens, next) ? null : (tokens[next] ?? null);
  return { word, isSubject: at === 0 };
}

/** Words before a choice, where "and" and "or" say the same: "can be paid by card or cash". */
const CHOOSING = new Set('can could may might'.split(' '));

/** Whether two words are joined by "and" in the one and by "or" in the other. After a negation both exclude either. */
const joinsOtherwise = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some(({ word: { text } }, at) => {
    if (text !== 'and' && text !== 'or') return false;
    if (mine.some(({ word }, place) => place < at && (CHOOSING.has(word.text) || isNegationAt(mine, place)))) return false;
    const [before, after] = [mine[at - 1], mine.find((token, place) => place > at && isContentWord(token))];
    if (!before || !after) return false;
    return placesOf(before, theirs).some((place) => {
      const joint = theirs[place + 1]?.word.text;
      const next = theirs.find((token, other) => other > place + 1 && isContentWord(token));
      return joint === (text === 'and' ? 'or' : 'and') && next !== undefined && areAlike(next, after);
    });
  });

/** Whether `theirs` names the last word of `mine` only as one of two: "need a visa or a bank statement". */
const isAlternative = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  !mine.some(({ word }) => word.text === 'or') &&
  theirs.some(({ word, before }, at) => {
    const [last, other] = [theirs[at - 1], theirs.find((token, place) => place > at && isContentWord(token))];
    if (word.text !== 'or' || before !== SPACE || !last || !other || !isContentWord(last) || isAmong(other, mine)) return false;
    return isAmong(last, mine.slice(-1)) && !theirs.some((_, place) => isNegationAt(theirs, place));
  });

/** "Run by a firm" is not said by "run either by the state or by a firm". */
function isOneOfEither(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const either = theirs.findIndex(({ word }) => word.text === 'either');
  const or = theirs.findIndex(({ word }, at) => at > either && word.text === 'or');
  if (either < 0 || or < 0 || mine.some(({ word }) => word.text === 'or')) return false;
  const ways = [theirs.slice(either + 1, or), theirs.slice(or + 1, or + (or - either))].map((way) => way.filter(isContentWord));
  return ways.filter((way) => way.some((token) => !isAmong(token, mine))).length === 1;
}

/** "Kelm collects its own tax" is not said by "every region except Kelm collects its own tax". */
const isExcepted = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  theirs.some(({ word }, at) => {
    const excepted = theirs[textAt(theirs, at + 1) === 'the' || textAt(theirs, at + 1) === 'for' ? at + 2 : at + 1];
    if (!EXCEPTING.has(word.text) || !excepted || mine.some((token) => EXCEPTING.has(token.word.text))) return false;
    return isAmong(excepted, mine) && placesOf(excepted, theirs).length === 1;
  });
const EXCEPTING = new Set('except excepting excluding unlike'.split(' '));

/** "Birds must recover" is not said by "birds should recover". */
const obligesOtherwise = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some(({ word }) => word.text === 'must') &&
  theirs.some(({ word }) => word.text === 'should' || word.text === 'ought') &&
  !theirs.some(({ word }) => OBLIGING.has(word.text));
const OBLIGING = new Set('must shall has have had required obliged mandatory needs need'.split(' '));

const PARTICLES = new Set('in out on off up down'.split(' '));

/** Whether each word that says the same is followed by another one of a kind: "opt-in" and "opt-out", "World War I" and "World War II". */
const isFollowedOtherwise = (mine: readonly Token[], theirs: readonly Token[], wordAfter: WordAfter): boolean =>
  mine.some((token, at) => {
    const own = wordAfter(mine, at);
    if (own === null) return false;
    const others = placesOf(token, theirs).map((place) => wordAfter(theirs, place));
    return others.length > 0 && others.every((other) => other !== null && other !== own);
  });
type WordAfter = (tokens: readonly Token[], at: number) => string | null;

/** The particle that is joined to a word. */
function particleAfter(tokens: readonly Token[], at: number): string | null {
  const next = tokens[at + 1];
  return next && PARTICLES.has(next.word.text) && (next.before & DASH) !== 0 && (next.before & SPACE) === 0 ? next.word.text : null;
}

const NUMERAL = /^(?:i{1,3}|iv|vi{0,3}|ix|xi{0,3}|xiv|xvi{0,3})$/;

/** The number that ends a name. */
function numeralAfter(tokens: readonly Token[], at: number): string | null {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token?.isCapitalised || !next?.isCapitalised || next.before !== SPACE) return null;
  return NUMERAL.test(next.word.text) ? next.word.text : null;
}
