import type { Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';

/** Whether one can stand for the other. Numbers are compared first, which tells most words apart. */
export function meanTheSame(mine: Word, yours: Word): boolean {
  if (mine.stemHash === yours.stemHash && mine.stem === yours.stem) return true;
  return mine.synonyms !== null && yours.synonyms !== null && mine.synonyms.has(yours.stem);
}

export const isAmong = (token: Token | undefined, tokens: readonly Token[]): boolean =>
  token !== undefined && tokens.some(({ word }) => meanTheSame(word, token.word));

/** They also affirm or negate alike. */
export const isSame = (mine: Word, yours: Word): boolean => mine.isNegated === yours.isNegated && meanTheSame(mine, yours);
