import type { Token } from './token';

/** Least number of words with which a part of a sentence can state something. */
export const MIN_WORDS = 3;

const ENCLOSED = /\([^()]*\)|\[[^\][]*\]|“[^“”]*”|"[^"]*"|`[^`]*`/g;
const MAY_ENCLOSE = /[([“"`]/;

/** Whether an offset is outside of brackets and quotation marks, within which nothing is cut. */
export type IsOpen = (place: number) => boolean;

const ALWAYS: IsOpen = () => true;

export function openIn(text: string): IsOpen {
  if (!MAY_ENCLOSE.test(text)) return ALWAYS;
  const closed = new Uint8Array(text.length);
  for (const { 0: enclosed, index } of text.matchAll(ENCLOSED)) closed.fill(1, index + 1, index + enclosed.length);
  return (place) => closed[place] !== 1;
}

/** Whether at least this many of the words stand outside of brackets. */
export function hasWords(tokens: readonly Token[], isOpen: IsOpen, from: number, to: number, least: number): boolean {
  let count = 0;
  for (let at = from; at < to && count < least; at += 1) if (isOpen(tokens[at]?.start ?? 0)) count += 1;
  return count >= least;
}

/** The end of the text before a word, without its opening bracket and the white space, commas and semicolons between. */
export function endBefore(text: string, start: number): number {
  let end = /["“([]/.test(text.charAt(start - 1)) ? start - 1 : start;
  while (end > 0 && /[\s,;]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
