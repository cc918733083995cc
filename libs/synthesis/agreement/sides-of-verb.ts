import { COMMA, DASH, SPACE } from '@lib/language/reading/characters';
import type { Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';
import { COPULAS } from '../difference/items';
import { isAmong, meanTheSame } from '../difference/same-word';
import { isVerb } from './own-doer';

const PREPOSITIONS = new Set(
  'in at on for with from to by of as against since until during after before under over between among into through'.split(' '),
);

/** Where the word itself stands, or else one that means the same. */
export function placesOf({ word }: Token, tokens: readonly Token[]): number[] {
  const same = tokens.flatMap((other, place) => (other.word.stem === word.stem ? [place] : []));
  return same.length > 0 ? same : tokens.flatMap((other, place) => (meanTheSame(word, other.word) ? [place] : []));
}

/** "Wages outpaced prices" and "prices outpaced wages": what stands before the verb of the one stands after that of the other, and the other way. */
export const exchangesSides = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isVerbAt(mine, at)) return false;
    const place = theirs.findIndex((token, other) => isVerbAt(theirs, other) && meanTheSame(token.word, verb.word));
    if (place < 0 || isPassive(mine, at) !== isPassive(theirs, place)) return false;
    return (
      mine.some((_, own) => own < at && standsOnly(mine, own, theirs, (other) => other > place)) &&
      mine.some((_, own) => own > at && standsOnly(mine, own, theirs, (other) => other < place))
    );
  });

function standsOnly(mine: readonly Token[], at: number, theirs: readonly Token[], isThere: (place: number) => boolean): boolean {
  const token = mine[at];
  if (!token || token.word.isStopWord || token.word.isAmount || token.word.verb.isAdverb || isAdjunct(mine, at)) return false;
  const places = placesOf(token, theirs);
  return places.length > 0 && places.every(isThere);
}

/** A preposition stands before it, with nothing but its own words between. */
function isAdjunct(tokens: readonly Token[], at: number): boolean {
  for (let place = at; place > 0; place -= 1) {
    const [token, before] = [tokens[place], tokens[place - 1]];
    if (!token || !before || token.before & COMMA || isVerb(before)) return false;
    if (PREPOSITIONS.has(before.word.text)) return true;
    if ((before.isCapitalised && !token.isCapitalised) || (before.word.isStopWord && !before.word.verb.isDeterminer)) return false;
  }
  return false;
}

const isPassive = (tokens: readonly Token[], verb: number): boolean =>
  tokens.slice(Math.max(0, verb - 2), verb).some(({ word }) => COPULAS.has(word.text));

/** "Deno runs TypeScript and Node runs JavaScript" with the two languages exchanged: of one verb, what had the one subject has the other. */
export function exchangesObjects(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const others = statedIn(theirs);
  return statedIn(mine).some(({ subject, verb, object }) => {
    const ofVerb = others.filter((other) => areAlike(other.verb, verb));
    const ofObject = ofVerb.filter((other) => areAlike(other.object, object));
    if (ofObject.length === 0 || ofObject.some((other) => areAlike(other.subject, subject))) return false;
    return ofVerb.some((other) => areAlike(other.subject, subject));
  });
}

/** Each verb with the last word before it and the first behind it that tell something. */
const statedIn = (tokens: readonly Token[]): { subject: Token; verb: Token; object: Token }[] =>
  tokens.flatMap((verb, at) => {
    if (!isVerbAt(tokens, at)) return [];
    const subject = tokens.findLast((token, place) => place < at && tells(token));
    const object = tokens.find((token, place) => place > at && (tells(token) || token.word.isAmount));
    return subject && object ? [{ subject, verb, object }] : [];
  });

/** "Wrote and directed Sund" is not "wrote Kelm and directed Sund": what the verbs share, one of them does not have there. */
export const dividesObject = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => {
    if (token.word.text !== 'and' || !isFormOfVerb(mine[at - 1]) || !isFormOfVerb(mine[at + 1])) return false;
    const object = objectAfter(mine, at);
    let first = at - 1;
    while (((mine[first]?.before ?? 0) & COMMA) !== 0 && isFormOfVerb(mine[first - 1])) first -= 1;
    const verbs = [...mine.slice(first, at), ...mine.slice(at + 1, at + 2)];
    return object.length > 0 && verbs.some((verb) => hasOtherObject(verb, object, theirs));
  });

function hasOtherObject(verb: Token, object: readonly Token[], theirs: readonly Token[]): boolean {
  const places = placesOf(verb, theirs).filter((place) => isFormOfVerb(theirs[place]));
  return (
    places.length > 0 &&
    places.every((place) => {
      const others = objectAfter(theirs, place);
      return others.length > 0 && !others.some((other) => isAmong(other, object));
    })
  );
}

/** What tells something up to the next comma, preposition or "and", behind a verb and those that are joined to it. */
function objectAfter(tokens: readonly Token[], verb: number): readonly Token[] {
  let from = verb + 1;
  while (isFormOfVerb(tokens[from]) || (tokens[from]?.word.text === 'and' && isFormOfVerb(tokens[from + 1]))) from += 1;
  const end = tokens.findIndex(
    ({ before, word }, at) => at >= from && ((before & COMMA) !== 0 || (word.isStopWord && !word.verb.isDeterminer)),
  );
  return tokens.slice(from, end < 0 ? tokens.length : end).filter(tells);
}

const isFormOfVerb = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && (token.word.verb.isPastForm || token.word.verb.endsInIng || BASES.has(token.word.text));

/** Also in the present: "exports" between two words that tell something. */
const isVerbAt = (tokens: readonly Token[], at: number): boolean => {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (isVerb(token)) return true;
  if (!before || !token || !next || token.isCapitalised || token.word.isStopWord || !token.word.verb.endsInS) return false;
  return tells(before) && token.before === SPACE && (token.after & DASH) === 0;
};

const tells = ({ word }: Token): boolean => !word.isStopWord && !word.isAmount && !word.verb.isAdverb;
const areAlike = (one: Token, other: Token): boolean => meanTheSame(one.word, other.word);
