import { isContentWord, hasCommaBefore, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOfItselfElseAlike } from '../alignment/same-word';
import { isFormOfVerb, isVerbAt, objectAfter, type VerbObject } from './verb-and-object';

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
