import { verbCertaintyInS } from '@lib/language/known-words';
import { ARTICLES_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { isContentWord, isFiniteOrPast, type Token } from '@lib/language/reading/token';
import { isPassive } from '@lib/language/reading/verbs';
import { placesOf } from '../alignment/same-word';
import { isPossessive } from './owners';
import { isFormOfVerb } from './verb-and-object';

/** Whether a verb of `mine` has the other voice in `theirs`, or is a noun there, which turns the words around it: "Ada composed it", "the composer is Ada". */
export const isTurnedByVerb = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, own) => {
    if (!isContentWord(token) || !(isFormOfVerb(token) || verbCertaintyInS(token.word.text) === 'verb') || isNounAt(mine, own))
      return false;
    const places = placesOf(token, theirs);
    return places.length > 0 && places.every((at) => isNounAt(theirs, at) || isPassiveAt(mine, own) !== isPassiveAt(theirs, at));
  });

/** Whether a verb is a passive or has an agent: "was built", "built by Ada". */
const isPassiveAt = (tokens: readonly Token[], at: number): boolean =>
  isFormOfVerb(tokens[at]) && (isPassive(tokens, at) || tokens.slice(at + 1, at + 3).some(({ word }) => word.text === 'by'));

function isNounAt(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!before || !token || isFiniteOrPast(token)) return false;
  return ARTICLES_AND_POSSESSIVES.has(before.word.text) || isPossessive(before) || ENDS_NOUN.test(token.word.text);
}
const ENDS_NOUN = /(?:[eo]rs?|[st]ions?|ments?|als?)$/;
