import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';

/** Whether one word can stand for the other. The hashes are compared first, which suffices for most pairs. */
export function meanTheSame(mine: Word, yours: Word): boolean {
  if (mine.stemHash === yours.stemHash && mine.stem === yours.stem) return true;
  if (mine.unit !== null && mine.unit === yours.unit) return true;
  return mine.synonyms !== null && yours.synonyms !== null && mine.synonyms.has(yours.stem);
}

/** Like `meanTheSame`, for tokens. */
export const areAlike = (one: Token, other: Token): boolean => meanTheSame(one.word, other.word);

export const isAmong = (token: Token | undefined, tokens: readonly Token[]): boolean =>
  token !== undefined && tokens.some(({ word }) => meanTheSame(word, token.word));

/** The indexes of words that can stand for this one, including the word itself. */
export const placesOf = ({ word }: Token, tokens: readonly Token[]): number[] =>
  tokens.flatMap((other, place) => (meanTheSame(other.word, word) ? [place] : []));

/** The indexes of the word itself or, if it does not occur, of words that can stand for it. */
export function placesOfItselfElseAlike(token: Token, tokens: readonly Token[]): number[] {
  const same = tokens.flatMap(({ word }, place) => (word.stem === token.word.stem ? [place] : []));
  return same.length > 0 ? same : placesOf(token, tokens);
}

/** Whether the words mean the same and are both affirmed or both negated. */
export const isSame = (mine: Word, yours: Word): boolean => mine.isNegated === yours.isNegated && meanTheSame(mine, yours);

/** The tokens that also occur in `others`, literally or by a synonym, without the words of the question. */
export const sharedWords = (some: readonly Token[], others: readonly Token[], asked: Reading): Token[] =>
  some.filter((token) => !asked.stems.has(token.word.stem) && isAmong(token, others));

/** The number of distinct words. */
export const countOf = (tokens: readonly Token[]): number => new Set(tokens.map(({ word }) => word.stem)).size;

/**
 * The number of distinct words in both, the same for either order: one word on one side may match two on the other, so the smaller count is taken.
 */
export const countShared = (some: readonly Token[], others: readonly Token[], asked: Reading): number =>
  Math.min(countOf(sharedWords(some, others, asked)), countOf(sharedWords(others, some, asked)));

/** How many content words both sentences share, apart from those of the question. */
export const countSharedContentWords = (one: Reading, other: Reading, asked: Reading): number =>
  countShared(one.tokens.filter(isContentWord), other.tokens.filter(isContentWord), asked);
