import { placeInQuote, QuoteReader } from '../sentences/citation-marks';

const READER = new QuoteReader([]);
const SAME_CHARACTER: readonly (readonly [RegExp, string])[] = [
  [/[‘’ʼ]/g, "'"],
  [/[“”„]/g, '"'],
  [/[‐‑‒–—−]/g, '-'],
];

/** The words of a text as models copy them: without citation marks and markup, with plain quotation marks and hyphens, and single spaces. */
export interface QuotedWords {
  words: string;
  /** The place in the text for a place in the words. */
  placeOf: (at: number) => number;
}

export function quotedWords(text: string): QuotedWords {
  const plain = READER.read(text);
  // Each character becomes one other, so that the places stay.
  const words = SAME_CHARACTER.reduce((said, [pattern, character]) => said.replace(pattern, character), plain.text);
  return { words, placeOf: (at) => placeInQuote(plain, at, text) };
}

/**
 * Where whole words stand in a text; -1 if they do not. A part of a sentence that a model made a sentence of, with a capital letter and a full stop,
 * still stands there.
 */
export function placeOfWords({ words: text }: QuotedWords, { words }: QuotedWords): number {
  const said = withoutStop(words);
  const at = placeOf(text, said);
  return at < 0 ? placeOf(text, said.charAt(0).toLowerCase() + said.slice(1)) : at;
}

function placeOf(text: string, said: string): number {
  const isWhole = (at: number): boolean => !IN_WORD.test(text.slice(at - 1, at + 1)) && !GOES_ON.test(text.slice(at + said.length - 1));
  let at = text.indexOf(said);
  while (at >= 0 && !isWhole(at)) at = text.indexOf(said, at + 1);
  return at;
}

export const withoutStop = (words: string): string => words.replace(/\.$/, '');

const IN_WORD = /^[\p{L}\p{N}]{2}/u;
/** What follows the last character goes on: "35" behind "3", "3.5" behind "3". */
const GOES_ON = /^[\p{L}\p{N}](?:[\p{L}\p{N}]|[.,]\p{N})/u;
