import { verbCertaintyInS } from '@lib/language/known-words';
import { APOSTROPHE, DASH, SPACE } from '@lib/language/reading/characters';
import { hasCommaBefore, isContentWord, isFiniteOrPast, isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isVerbAt, MARKING_PARTICIPANTS } from '../roles/verb-and-object';
import { JOINING } from './listed-items';

/**
 * Whether two words belong to one phrase in which they may change places: beside each other, a name or an amount and what it tells of, or the second is what the
 * first is of ("the anthem of Sund").
 */
export function isOfOnePhrase(tokens: readonly Token[], first: number, second: number): boolean {
  const phrase = tokens.slice(first, second + 1);
  const ends = [tokens[first], tokens[second]];
  if (phrase.some((_, at) => isDoingAt(tokens, first + at))) return false;
  if (ends.some((token) => token?.word.isAmount)) return true;
  if (phrase.some(({ word }) => word.text === 'and')) return false;
  const prepositions = phrase.filter(({ word }) => MARKING_PARTICIPANTS.has(word.text));
  if (prepositions.length === 0 || (ends.some(isNameWord) && (first === 0 || !ends.every(isNameWord)))) return true;
  return prepositions.every(({ word }) => word.text === 'of') && endsPhrase(tokens, second);
}

/** Whether the second of two nouns tells more of the first, behind a preposition: "guidance on revenue", as in "revenue guidance". */
export const isOfOther = (tokens: readonly Token[], first: number, second: number): boolean =>
  MARKING_PARTICIPANTS.has(textAt(tokens, first + 1)) &&
  (second === first + 2 || (second === first + 3 && isDeterminer(tokens[first + 2]))) &&
  endsPhrase(tokens, second);
const isDeterminer = (token: Token | undefined): boolean => token?.word.verb.isDeterminer === true;

/** Whether a word is a verb or its form in "ing", not an adjective or noun as in "the investigating judge", "a $20 cost". */
function isDoingAt(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  // Nor in "best-selling".
  if (!token || before?.word.verb.isDeterminer || before?.word.isAmount || (at > 0 && (token.before & DASH) !== 0)) return false;
  if (token.word.verb.endsInS) return verbCertaintyInS(token.word.text) === 'verb' || isFiniteVerbAt(tokens, at);
  return isFiniteOrPast(token) || isVerbAt(tokens, at) || token.word.verb.endsInIng;
}

/** Whether no further noun follows in the phrase of a word. */
function endsPhrase(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return !next || !isContentWord(next) || next.isCapitalised || next.before !== SPACE || isFiniteOrPast(next) || isVerbAt(tokens, at + 1);
}

/** Whether two items of one list have only names between. */
export function areListed(tokens: readonly Token[], first: number, second: number): boolean {
  const between = tokens.slice(first + 1, second);
  const isJoined = between.some((token) => JOINING.has(token.word.text) || hasCommaBefore(token)) || hasCommaBefore(tokens[second]);
  const isItem = (token: Token): boolean => token.isCapitalised || token.word.isAmount || (token.word.isStopWord && !isFiniteOrPast(token));
  return isJoined && between.every(isItem);
}
/** Whether the order of a list tells something: "Ada and Bea won gold and silver, respectively", "in order of cost". */
export const ordersLists = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word }, at) => BY_PLACE.has(word.text) || isTheFormer(tokens, at) || isOrder(tokens, at));
/** Not "in order to". */
const isOrder = (tokens: readonly Token[], at: number): boolean => textAt(tokens, at) === 'order' && textAt(tokens, at + 1) !== 'to';
const isTheFormer = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at) === 'former' &&
  textAt(tokens, at - 1) === 'the' &&
  (isDoingAt(tokens, at + 1) || tokens[at + 1]?.word.isStopWord !== false);
const BY_PLACE = new Set('respectively latter rank ranks ranked ranking sequence successively ascending descending'.split(' '));

/** "Chocolate milk" is not "milk chocolate". */
export const isCompound = (tokens: readonly Token[], first: number, second: number): boolean =>
  tokens.slice(first, second + 1).every((token, at) => isNoun(token) && (at === 0 || (token.before & ~(SPACE | APOSTROPHE)) === 0));
const isNoun = (token: Token): boolean =>
  !token.isCapitalised &&
  isContentWord(token) &&
  !isFiniteOrPast(token) &&
  !token.word.verb.endsInIng &&
  !ENDS_ADJECTIVE.test(token.word.text);
const ENDS_ADJECTIVE = /(?:al|ous|ful|ive|ic|able|ible|ary|less|ish)$/;
