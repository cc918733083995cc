import { verbCertaintyInS } from '@lib/language/known-words';
import { hasCommaBefore, isContentWord, isFiniteOrPast, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAmong, placesOf } from '../alignment/same-word';

export const JOINING: ReadonlySet<string> = new Set(['and', 'or']);

/** Whether two words of `mine` belong to items of one list in both statements, and each item has the same words: "toxic gas, explosives or fuel". */
export function changeItemsPlaces(
  mine: readonly Token[],
  theirs: readonly Token[],
  one: Token | undefined,
  other: Token | undefined,
): boolean {
  const [first, second] = [placesIn(mine, theirs, one), placesIn(mine, theirs, other)];
  if (!first || !second || !areInOneList(mine, first.here, second.here) || !areInOneList(theirs, first.there, second.there)) return false;
  return [first, second].every(({ here, there }) => haveSameWords(itemAround(mine, here), itemAround(theirs, there)));
}

/** Where a word stands in both; null if it is not there once. */
function placesIn(mine: readonly Token[], theirs: readonly Token[], token: Token | undefined): { here: number; there: number } | null {
  const [there, ...others] = token ? placesOf(token, theirs) : [];
  return token && there !== undefined && others.length === 0 ? { here: mine.indexOf(token), there } : null;
}

/** Whether only whole items without verbs and prepositions stand between two words, joined by commas, "and" or "or". */
function areInOneList(tokens: readonly Token[], one: number, other: number): boolean {
  const [first, last] = one < other ? [one, other] : [other, one];
  let isJoined = false;
  for (let at = first; at <= last; at += 1) {
    isJoined ||= at > first && beginsItem(tokens, at);
    if (!JOINING.has(tokens[at]?.word.text ?? '') && !mayBeInNounPhrase(tokens, at)) return false;
  }
  return isJoined;
}

const beginsItem = (tokens: readonly Token[], at: number): boolean =>
  hasCommaBefore(tokens[at]) || JOINING.has(tokens[at - 1]?.word.text ?? '');

/** Whether it is a content word and hardly a verb. */
function mayBeInNounPhrase(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || !isContentWord(token) || isFiniteOrPast(token)) return false;
  return token.word.verb.endsInS ? verbCertaintyInS(token.word.text) !== 'verb' : !isFiniteVerbAt(tokens, at);
}

/** The words of the item of a word. */
function itemAround(tokens: readonly Token[], at: number): readonly Token[] {
  let [from, to] = [at, at + 1];
  while (from > 0 && !beginsItem(tokens, from) && mayBeInNounPhrase(tokens, from - 1)) from -= 1;
  while (to < tokens.length && !beginsItem(tokens, to) && mayBeInNounPhrase(tokens, to)) to += 1;
  return tokens.slice(from, to);
}

/** The first item of a list may seem to begin with a verb: "carry toxic gas". */
function haveSameWords(one: readonly Token[], other: readonly Token[]): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.every((token) => isAmong(token, longer));
}
