import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { countShared, isAmong } from '../alignment/same-word';

/** Words of time before "before" and "after". */
const HOW_LONG = new Set(
  'second seconds minute minutes hour hours day days week weeks month months year years shortly just soon'.split(' '),
);
/** So many words both have to tell of what is before or after it. */
const MIN_SHARED = 2;
/** So many words behind "before" name what it is before. */
const MAX_WORDS = 2;

/** Whether something is told to be before a thing by the one and after it by the other: "opened days after the games" and "opened nine days before the games". */
export const tellOtherOrder = (one: Reading, other: Reading, asked: Reading): boolean =>
  standsAgainst(one.tokens, 'before', other.tokens, 'after', asked) || standsAgainst(one.tokens, 'after', other.tokens, 'before', asked);

function standsAgainst(tokens: readonly Token[], word: string, others: readonly Token[], opposite: string, asked: Reading): boolean {
  const [at, place] = [placeOf(word, tokens), placeOf(opposite, others)];
  if (at < 0 || place < 0) return false;
  const [thing, their] = [tokens.slice(at), others.slice(place)].map((words) => words.filter(isContentWord).slice(0, MAX_WORDS));
  if (!thing?.some((token) => isAmong(token, their ?? []))) return false;
  const isContent = (token: Token): boolean => isContentWord(token) || token.word.hasDigit;
  return countShared(tokens.slice(0, at).filter(isContent), others.slice(0, place).filter(isContent), asked) >= MIN_SHARED;
}

/** Behind "days before"; -1 where that is not told. */
function placeOf(word: string, tokens: readonly Token[]): number {
  const at = tokens.findIndex((token, place) => token.word.text === word && HOW_LONG.has(tokens[place - 1]?.word.text ?? ''));
  return at < 0 ? -1 : at + 1;
}
