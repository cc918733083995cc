import type { Token } from './token';

/** The fewest words that a part of a sentence states something with. */
export const MIN_WORDS = 3;

const ENCLOSED = /\([^()]*\)|\[[^\][]*\]|“[^“”]*”|"[^"]*"|`[^`]*`/g;
const MAY_ENCLOSE = /[([“"`]/;

/** Whether a place of the text is outside of brackets and quotation marks: nothing is cut inside of them. */
export type IsOpen = (place: number) => boolean;

const ALWAYS: IsOpen = () => true;

export function openIn(text: string): IsOpen {
  if (!MAY_ENCLOSE.test(text)) return ALWAYS;
  const closed = new Uint8Array(text.length);
  for (const { 0: enclosed, index } of text.matchAll(ENCLOSED)) closed.fill(1, index + 1, index + enclosed.length);
  return (place) => closed[place] !== 1;
}

/** Whether so many of the words stand outside of brackets. */
export function hasWords(tokens: readonly Token[], isOpen: IsOpen, from: number, to: number, least: number): boolean {
  let count = 0;
  for (let at = from; at < to && count < least; at += 1) if (isOpen(tokens[at]?.start ?? 0)) count += 1;
  return count >= least;
}

/** Where what stands before the word ends, without what opens the word and the white space, comma or semicolon between. */
export function endBefore(text: string, start: number): number {
  let end = /["“([]/.test(text.charAt(start - 1)) ? start - 1 : start;
  while (end > 0 && /[\s,;]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
