import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { ARTICLES } from '@lib/language/reading/articles';
import { APOSTROPHE, SPACE } from '@lib/language/reading/characters';
import { isNameWord, isPastVerb, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';

/**
 * Whether two names exchange their roles in an of-relation: "Ivo’s uncle was Ada" and "Ivo was the uncle of Ada", "Kelm acquired Weil" and "the
 * acquisition of Kelm by Weil".
 */
export const exchangesOwners = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => {
    const own = ownerOf(mine, at);
    if (!own) return false;
    const owners = placesOf(token, theirs).map((place) => ownerOf(theirs, place));
    return owners.length > 0 && owners.every((owner) => owner && !areAlike(owner, own) && isAmong(owner, mine) && isAmong(own, theirs));
  });

/** The last word of the name that a noun belongs to, or of the object of a verb: "the uncle of Ada Roth", "Roth’s uncle", "acquired Roth". */
function ownerOf(tokens: readonly Token[], at: number): Token | null {
  const token = tokens[at];
  if (!token || token.isCapitalised || token.word.isStopWord) return null;
  if (tokens[at + 1]?.word.text === 'of') return endOfName(tokens, ARTICLES.has(textAt(tokens, at + 2)) ? at + 3 : at + 2);
  const before = tokens[at - 1];
  if (before && isNameWord(before) && isPossessive(before)) return isLastListed(tokens, at - 1) ? null : before;
  return isPastVerb(token) && !FORMS_OF_BE.has(before?.word.text ?? '') ? endOfName(tokens, at + 1) : null;
}

/** Whether a possessive ending ("Roth’s") follows; the ending is not part of the word. */
export const isPossessive = ({ start, end, word, after }: Token): boolean => end - start > word.text.length || (after & APOSTROPHE) !== 0;

/** Null if there is no name, or if it is the first of several: "Kelm and Sund". */
function endOfName(tokens: readonly Token[], from: number): Token | null {
  if (!isNameWord(tokens[from])) return null;
  let end = from + 1;
  while (isNameWord(tokens[end]) && tokens[end]?.before === SPACE) end += 1;
  const isFirstListed = (tokens[end]?.word.text === 'and' || hasCommaBefore(tokens[end])) && tokens.slice(end, end + 3).some(isNameWord);
  return isFirstListed ? null : (tokens[end - 1] ?? null);
}

/** Whether a name is the last of several: "Sund" in "Kelm and Sund’s founder". */
function isLastListed(tokens: readonly Token[], end: number): boolean {
  let at = end;
  while (isNameWord(tokens[at])) at -= 1;
  return tokens[at]?.word.text === 'and';
}
