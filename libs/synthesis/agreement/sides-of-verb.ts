import { COMMON_PREPOSITIONS, FORMS_OF_HAVE, MODALS_AND_DO } from '@lib/language/reading/function-words';
import { verbCertainty } from '@lib/language/known-words';
import { COMMA, DASH, SPACE } from '@lib/language/reading/characters';
import { isNameWord, isPastVerb, isContentWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';
import { isPassive } from '@lib/language/reading/verbs';
import { areAlike, isAmong, placesOfItselfElseAlike } from '../alignment/same-word';

/** Prepositions that mark what takes part in a deed, or its place and time. */
export const MARKING_PARTICIPANTS = COMMON_PREPOSITIONS.union(
  new Set('against since until during after before under over between among into through'.split(' ')),
);
/** After these, the second participant is on a par with the subject: "Kelm trades with Ulm". */
export const MUTUAL = new Set('with against'.split(' '));
/** Words that precede a base form: "foxes can eat hens". */
const BEFORE_BASE_FORM = MODALS_AND_DO.union(new Set(['to']));

/**
 * Whether subject and object are exchanged: "Wages outpaced prices" and "prices outpaced wages", "Kelm exports timber to Ulm" and "Ulm exports timber
 * to Kelm".
 */
export const exchangesSides = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isVerbAt(mine, at)) return false;
    const place = theirs.findIndex((token, other) => isVerbAt(theirs, other) && areAlike(token, verb));
    if (place < 0 || isPassive(mine, at) !== isPassive(theirs, place)) return false;
    return mine.slice(0, at).some((subject, own) => {
      const places = placesOfItselfElseAlike(subject, theirs);
      if (!stateSomething(subject, places, (other) => other > place) || prepositionOf(mine, own) !== null) return false;
      // In the passive the sides may be exchanged ("whales are related to hippos"), and "oil leaks from the tank" says the same as "the tank leaks
      // oil".
      const mayExchange = isPassive(mine, at) ? [] : places.map((other) => prepositionOf(theirs, other));
      if (mine.some((_, behind) => behind > at && isSubjectOf(mine, behind, theirs, place, mayExchange))) return true;
      return (
        isNameWord(subject) &&
        mayExchange.some(isOneSided) &&
        theirs
          .slice(0, place)
          .some((token, other) => isContentWord(token) && !isAmong(token, mine) && prepositionOf(theirs, other) === null)
      );
    });
  });

/** A preposition that marks a different role from the subject's: "Graz may sell engines" differs from "Norland may sell engines to Graz". */
const isOneSided = (preposition: string | null): boolean => preposition !== null && !MUTUAL.has(preposition);

/** Whether a word after the verb in `mine`, with one of the given prepositions or none, only stands before the verb in `theirs`. */
function isSubjectOf(
  mine: readonly Token[],
  at: number,
  theirs: readonly Token[],
  verb: number,
  prepositions: readonly (string | null)[],
): boolean {
  const token = mine[at];
  const places = token ? placesOfItselfElseAlike(token, theirs) : [];
  if (!token || !stateSomething(token, places, (place) => place < verb)) return false;
  const preposition = prepositionOf(mine, at);
  if (preposition === null) return true;
  if (MUTUAL.has(preposition) || !prepositions.includes(preposition)) return false;
  return places.every((place) => prepositionOf(theirs, place) === null);
}

const stateSomething = (token: Token, places: readonly number[], isThere: (place: number) => boolean): boolean =>
  isContentWord(token) && places.length > 0 && places.every(isThere);

/** The preposition of a word, if only words of the same phrase stand between. */
export function prepositionOf(tokens: readonly Token[], at: number): string | null {
  for (let place = at; place > 0; place -= 1) {
    const [token, before] = [tokens[place], tokens[place - 1]];
    if (!token || !before || hasCommaBefore(token) || isPastVerb(before)) return null;
    if (before.word.text === 'to' && place < at && isBase(token)) return null;
    if (MARKING_PARTICIPANTS.has(before.word.text)) return before.word.text;
    if ((before.isCapitalised && !token.isCapitalised) || (before.word.isStopWord && !before.word.verb.isDeterminer)) return null;
  }
  return null;
}

/** A base form after "to" makes it an infinitive, not a preposition with an object: "to pay". */
const isBase = ({ word, isCapitalised }: Token): boolean => !isCapitalised && verbCertainty(word.text) !== undefined;

/**
 * Whether two subjects of the same verb have exchanged their objects: "Deno runs TypeScript and Node runs JavaScript" with the languages exchanged.
 */
export function exchangesObjects(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const others = statedIn(theirs);
  return statedIn(mine).some(({ subject, verb, object }) => {
    const ofVerb = others.filter((other) => areAlike(other.verb, verb));
    const ofObject = ofVerb.filter((other) => areAlike(other.object, object));
    if (ofObject.length === 0 || ofObject.some((other) => areAlike(other.subject, subject))) return false;
    return ofVerb.some((other) => areAlike(other.subject, subject));
  });
}

/** Each verb with the last content word before it and the first after it. */
const statedIn = (tokens: readonly Token[]): { subject: Token; verb: Token; object: Token }[] =>
  tokens.flatMap((verb, at) => {
    if (!isVerbAt(tokens, at)) return [];
    const subject = tokens.findLast((token, place) => place < at && isContentWord(token));
    const object = tokens.find((token, place) => place > at && (isContentWord(token) || token.word.isAmount));
    return subject && object ? [{ subject, verb, object }] : [];
  });

/** Whether two verbs have exchanged their objects: "imports oil and exports timber" with the goods exchanged. */
export function exchangesBetweenVerbs(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const others = doneIn(theirs);
  const own = doneIn(mine);
  const has = (verb: Token, object: Token): boolean => others.some((other) => areAlike(other.verb, verb) && areAlike(other.object, object));
  return own.some((one) =>
    own.some(
      (other) =>
        !areAlike(one.verb, other.verb) &&
        !areAlike(one.object, other.object) &&
        !has(one.verb, one.object) &&
        has(one.verb, other.object) &&
        has(other.verb, one.object),
    ),
  );
}

/** Each verb, including one coordinated by "and", with the first content word of its object. */
const doneIn = (tokens: readonly Token[]): { verb: Token; object: Token }[] =>
  tokens.flatMap((verb, at) => {
    const [object] = objectAfter(tokens, at).words;
    const isJoined = tokens[at - 1]?.word.text === 'and' && !verb.isCapitalised && isContentWord(verb);
    return object && (isVerbAt(tokens, at) || isJoined) ? [{ verb, object }] : [];
  });

/** Whether verbs that share an object in `mine` have different ones in `theirs`: "Wrote and directed Sund" is not "wrote Kelm and directed Sund". */
export const dividesObject = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => {
    if (token.word.text !== 'and' || !isFormOfVerb(mine[at - 1]) || !isFormOfVerb(mine[at + 1])) return false;
    const object = objectAfter(mine, at);
    let first = at - 1;
    while (hasCommaBefore(mine[first]) && isFormOfVerb(mine[first - 1])) first -= 1;
    const verbs = [...mine.slice(first, at), ...mine.slice(at + 1, at + 2)];
    return object.words.length > 0 && verbs.some((verb) => hasOtherObject(verb, object, theirs));
  });

export interface VerbObject {
  /** The preposition before the object, such as "in" in "starred in Sund". */
  preposition: string | null;
  /** The content words of the object. */
  words: readonly Token[];
}

/**
 * Whether a verb has a different object. A phrase with another preposition does not count: "worked in Paris for years" and "worked for years in
 * Paris".
 */
function hasOtherObject(verb: Token, object: VerbObject, theirs: readonly Token[]): boolean {
  const places = placesOfItselfElseAlike(verb, theirs).filter((place) => isFormOfVerb(theirs[place]));
  return (
    places.length > 0 &&
    places.every((place) => {
      const { preposition, words } = objectAfter(theirs, place);
      if (preposition !== null && preposition !== object.preposition) return false;
      return words.length > 0 && !words.some((word) => isAmong(word, object.words));
    })
  );
}

/** The object of a verb and of the verbs coordinated with it: the words up to the next comma, preposition or "and", after an optional preposition. */
export function objectAfter(tokens: readonly Token[], verb: number): VerbObject {
  let from = verb + 1;
  while (isFormOfVerb(tokens[from]) || (tokens[from]?.word.text === 'and' && isFormOfVerb(tokens[from + 1]))) from += 1;
  const next = textAt(tokens, from);
  const preposition = MARKING_PARTICIPANTS.has(next) ? next : null;
  if (preposition !== null) from += 1;
  return { preposition, words: tokens.slice(from, endOfPhrase(tokens, from)).filter(isContentWord) };
}

/** The index of the first comma, preposition or "and" from an index on, or the end. */
function endOfPhrase(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(
    ({ before, word }, at) => at >= from && ((before & COMMA) !== 0 || (word.isStopWord && !word.verb.isDeterminer)),
  );
  return end < 0 ? tokens.length : end;
}

export const isFormOfVerb = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && (token.word.verb.isPastForm || token.word.verb.endsInIng || BASES.has(token.word.text));

/** Whether a token is a verb, also in the present: "exports" between two content words, or "export" after a plural or an auxiliary. */
export const isVerbAt = (tokens: readonly Token[], at: number): boolean => {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (isPastVerb(token)) return true;
  if (!before || !token || !next || token.isCapitalised || token.word.isStopWord) return false;
  if (BEFORE_BASE_FORM.has(before.word.text)) return isContentWord(next);
  if (FORMS_OF_HAVE.has(before.word.text) && isFormOfVerb(token)) return true;
  const { endsInS, endsInIng } = token.word.verb;
  if (!endsInS && (!before.word.verb.endsInS || endsInIng || !isContentWord(next))) return false;
  return isContentWord(before) && token.before === SPACE && (token.after & DASH) === 0;
};
