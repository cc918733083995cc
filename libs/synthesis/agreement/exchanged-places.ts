import { isContentWord, type Token } from '@lib/language/reading/token';
import { areAlike } from '../alignment/same-word';
import { endOfPhrase, isPassive, isVerbAt, prepositionOf } from './sides-of-verb';

/** What stands in its place tells which of two it is: the preposition before it, or none for the object. */
interface Place {
  token: Token;
  preposition: string | null;
}

/** "From bats to pigs" and "from pigs to bats", "turns starch into sugar" and "sugar into starch": each of two stands where the other does. */
export function exchangesPlaces(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const own = placesIn(mine);
  const others = placesIn(theirs);
  const stands = (token: Token, preposition: string | null): boolean =>
    others.some((other) => other.preposition === preposition && areAlike(other.token, token));
  const isMoved = (one: Place, other: Place): boolean =>
    stands(one.token, other.preposition) && !stands(one.token, one.preposition) && stands(other.token, one.preposition);
  return own.some((one, at) =>
    own.some((other, place) => place > at && one.preposition !== other.preposition && isMoved(one, other) && isMoved(other, one)),
  );
}

function placesIn(tokens: readonly Token[]): Place[] {
  const verb = tokens.findIndex((_, at) => isVerbAt(tokens, at));
  const object = verb < 0 || isPassive(tokens, verb) ? 0 : endOfPhrase(tokens, verb + 1);
  return tokens.flatMap((token, at): Place[] => {
    if (!isContentWord(token) && !token.word.isAmount) return [];
    const preposition = prepositionOf(tokens, at);
    // What is mixed with water is what water is mixed with.
    if (preposition === 'with') return [];
    const isObject = at > verb && at < object;
    return preposition !== null || isObject ? [{ token, preposition }] : [];
  });
}
