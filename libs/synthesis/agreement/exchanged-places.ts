import { isContentWord, type Token } from '@lib/language/reading/token';
import { areAlike } from '../alignment/same-word';
import { endOfPhrase, isPassive, isVerbAt, prepositionOf } from './sides-of-verb';

/** A word with its role: the preposition before it, or null for an object. */
interface Place {
  token: Token;
  preposition: string | null;
}

/** Whether two words have exchanged their roles: "from bats to pigs" and "from pigs to bats", "turns starch into sugar" and "sugar into starch". */
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
    // "With" is symmetric: if a thing is mixed with water, water is mixed with it.
    if (preposition === 'with') return [];
    const isObject = at > verb && at < object;
    return preposition !== null || isObject ? [{ token, preposition }] : [];
  });
}
