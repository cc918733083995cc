import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { countShared, isAmong } from '../alignment/same-word';

/** Words of duration that stand before "before" and "after". */
const HOW_LONG = new Set(
  'second seconds minute minutes hour hours day days week weeks month months year years shortly just soon'.split(' '),
);
/** Least shared words about the thing that is placed in time. */
const MIN_SHARED = 2;
/** How many words after "before" name the reference event. */
const MAX_WORDS = 2;

/** Whether one says before and the other says after the same event: "opened days after the games" and "opened nine days before the games". */
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

/** The index after "days before"; -1 if there is none. */
function placeOf(word: string, tokens: readonly Token[]): number {
  const at = tokens.findIndex((token, place) => token.word.text === word && HOW_LONG.has(textAt(tokens, place - 1)));
  return at < 0 ? -1 : at + 1;
}
