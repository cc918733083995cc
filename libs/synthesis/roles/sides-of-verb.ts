import { isNameWord, isContentWord, type Token } from '@lib/language/reading/token';
import { isPassive } from '@lib/language/reading/verbs';
import { areAlike, isAmong, placesOfItselfElseAlike } from '../alignment/same-word';
import { isVerbAt, MUTUAL, prepositionOf } from './verb-and-object';

/**
 * Whether words before and behind one verb, which both sentences have in the same voice, have exchanged their sides: "Wages outpaced prices" and "prices
 * outpaced wages", "Kelm exports timber to Ulm" and "Ulm exports timber to Kelm".
 */
export const exchangesSidesOfVerb = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
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
