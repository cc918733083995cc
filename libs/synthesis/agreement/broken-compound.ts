import { COLON, SPACE } from '@lib/language/reading/characters';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isAmong, placesOfItselfElseAlike } from '../alignment/same-word';
import { isPossessive } from '../roles/owners';
import { isVerbAt, MARKING_PARTICIPANTS } from '../roles/verb-and-object';

/**
 * Whether two nouns that stand together in `mine` stand apart in `theirs`, one of them with another noun: "hospital patients" are not named by "hospital
 * staff on patient safety", nor "Japanese grammar" by "English grammar in Japanese".
 */
export const breaksCompound = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  !mine.some(({ before }) => (before & COLON) !== 0) && mine.some((_, at) => isCompoundAt(mine, at) && standsApart(mine, at, theirs));

/** Whether a noun stands right behind another one. */
function isCompoundAt(tokens: readonly Token[], at: number): boolean {
  const [first, second] = [tokens[at - 1], tokens[at]];
  if (!first || !second || second.before !== SPACE || second.isCapitalised || isPossessive(first)) return false;
  return [first, second].every((token) => isContentWord(token)) && !isVerbAt(tokens, at - 1) && !isVerbAt(tokens, at);
}

function standsApart(mine: readonly Token[], at: number, theirs: readonly Token[]): boolean {
  const [first, second] = mine.slice(at - 1, at + 1).map((token) => placesOfItselfElseAlike(token, theirs));
  const [place, other] = [first?.[0], second?.[0]];
  if (first?.length !== 1 || second?.length !== 1 || place === undefined || other === undefined) return false;
  if (textAt(theirs, place + 1) === 'of') return false;
  const between = theirs.slice(Math.min(place, other) + 1, Math.max(place, other));
  const isOther = (token: number): boolean => isContentWordAt(theirs, token) && !isAmong(theirs[token], mine);
  return (
    between.some(({ word }) => MARKING_PARTICIPANTS.has(word.text) || word.text === 'about') &&
    ((theirs[place + 1]?.before === SPACE && isOther(place + 1)) || (theirs[other]?.before === SPACE && isOther(other - 1)))
  );
}

const isContentWordAt = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at];
  return token !== undefined && isContentWord(token) && !isVerbAt(tokens, at);
};
