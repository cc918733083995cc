import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';

/** Whether one can stand for the other. Numbers are compared first, which tells most words apart. */
export function meanTheSame(mine: Word, yours: Word): boolean {
  if (mine.stemHash === yours.stemHash && mine.stem === yours.stem) return true;
  return mine.synonyms !== null && yours.synonyms !== null && mine.synonyms.has(yours.stem);
}

/** As `meanTheSame`, of two words where they stand. */
export const areAlike = (one: Token, other: Token): boolean => meanTheSame(one.word, other.word);

export const isAmong = (token: Token | undefined, tokens: readonly Token[]): boolean =>
  token !== undefined && tokens.some(({ word }) => meanTheSame(word, token.word));

/** Where words stand that can stand for this one, itself among them. */
export const placesOf = ({ word }: Token, tokens: readonly Token[]): number[] =>
  tokens.flatMap((other, place) => (meanTheSame(other.word, word) ? [place] : []));

/** Where the word itself stands; only if it does not, where words stand that can stand for it. */
export function placesOfItselfElseAlike(token: Token, tokens: readonly Token[]): number[] {
  const same = tokens.flatMap(({ word }, place) => (word.stem === token.word.stem ? [place] : []));
  return same.length > 0 ? same : placesOf(token, tokens);
}

/** They also affirm or negate alike. */
export const isSame = (mine: Word, yours: Word): boolean => mine.isNegated === yours.isNegated && meanTheSame(mine, yours);

/** Those of some words that others have too, or that can stand for one of theirs, but for the words of the question. */
export const sharedWords = (some: readonly Token[], others: readonly Token[], asked: Reading): Token[] =>
  some.filter((token) => !asked.stems.has(token.word.stem) && isAmong(token, others));

/** How many different words they are. */
const countOf = (tokens: readonly Token[]): number => new Set(tokens.map(({ word }) => word.stem)).size;

/** How many different words both have, whoever is asked: one that the one has twice may be two words of the other. */
export const countShared = (some: readonly Token[], others: readonly Token[], asked: Reading): number =>
  Math.min(countOf(sharedWords(some, others, asked)), countOf(sharedWords(others, some, asked)));

/** How many telling words both sentences have, beside those of the question. */
export const countSharedContentWords = (one: Reading, other: Reading, asked: Reading): number =>
  countShared(one.tokens.filter(isContentWord), other.tokens.filter(isContentWord), asked);
