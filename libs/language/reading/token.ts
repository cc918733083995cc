import type { Word } from './word';

/** A word of a text where it stands: `text.slice(start, end)` in UTF-16 units. */
export interface Token {
  /** Without a possessive ending. */
  word: Word;
  start: number;
  end: number;
  isCapitalised: boolean;
  /** What stands between it and the word before it, and the word after it: the kinds of those characters. */
  before: number;
  after: number;
}

/** It is neither a small word nor an amount, and says more than how or when. */
export const isContentWord = ({ word }: Token): boolean => !word.isStopWord && !word.isAmount && !word.verb.isAdverb;

/** A past form, as of "founded", that is neither a small word nor written as a name. */
export const isPastVerb = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && !token.word.isStopWord && token.word.verb.isPastForm;

/** It is finite or a past form, as "is", "runs" and "founded" are, and not written as a name. */
export const isFiniteOrPast = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && (token.word.verb.isPastForm || token.word.verb.isFinite);

/** It has a capital and is no small word, as "The" is. */
export const isNameWord = (token: Token | undefined): boolean => token !== undefined && token.isCapitalised && !token.word.isStopWord;

/** Whether it is one of some words, and no part of a name. */
export const isOneOf = (words: ReadonlySet<string>, token: Token | undefined): boolean =>
  token?.isCapitalised === false && words.has(token.word.text);
