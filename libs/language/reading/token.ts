import { COMMA } from './characters';
import type { Word } from './word';

/** A word at its place in a text: `text.slice(start, end)` in UTF-16 units. */
export interface Token {
  /** Without a possessive ending. */
  word: Word;
  start: number;
  end: number;
  isCapitalised: boolean;
  /** The kinds of the characters between it and the words before and after it. */
  before: number;
  after: number;
}

/** The word at a place; empty outside of the text. */
export const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.word.text ?? '';

/** Some neighbouring words as they stand in their text. */
export const textOfWords = (text: string, tokens: readonly Token[]): string => text.slice(tokens[0]?.start, tokens.at(-1)?.end);

/** Whether a comma stands between it and the word before it. */
export const hasCommaBefore = (token: Token | undefined): boolean => token !== undefined && (token.before & COMMA) !== 0;

/** Whether it is a content word other than an adverb: neither a stop word nor an amount. */
export const isContentWord = ({ word }: Token): boolean => !word.isStopWord && !word.isAmount && !word.verb.isAdverb;

/** Whether it is no stop word: a content word, an adverb or an amount. */
export const isTelling = ({ word }: Token): boolean => !word.isStopWord;

/** Whether it is a past form such as "founded", and neither a stop word nor capitalised. */
export const isPastVerb = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && !token.word.isStopWord && token.word.verb.isPastForm;

/** Whether it is a finite verb or past form, such as "is", "runs" and "founded", and not capitalised. */
export const isFiniteOrPast = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && (token.word.verb.isPastForm || token.word.verb.isFinite);

/** Whether it is capitalised and not a stop word such as "The". */
export const isNameWord = (token: Token | undefined): boolean => token !== undefined && token.isCapitalised && !token.word.isStopWord;

/** Whether it is one of some words and not capitalised. */
export const isOneOf = (words: ReadonlySet<string>, token: Token | undefined): boolean =>
  token?.isCapitalised === false && words.has(token.word.text);
