import { endOfWord } from '@lib/language/reading/list-items';
import type { Token } from '@lib/language/reading/token';

/** The beginning of a word with its opening marks. */
export function openedAt(text: string, start: number): number {
  let from = start;
  while (from > 0 && /["“‘([*_]/.test(text.charAt(from - 1))) from -= 1;
  return from;
}

/** Whether quotation marks and parentheses are balanced, which they are not if a title was cut. */
export function hasMarksInPairs(text: string): boolean {
  const times = (mark: string): number => text.split(mark).length - 1;
  const closing = times('”') + (times('„') > 0 ? times('“') : 0);
  const opening = times('„') > 0 ? times('„') : times('“');
  // The closing mark is also an apostrophe.
  if ((text.match(/‘(?=\p{L})/gu)?.length ?? 0) > times('’')) return false;
  return times('"') % 2 === 0 && opening === closing && times('«') === times('»') && times('(') === times(')');
}

/** The end of a word with its closing marks, before the next word. */
export function closedAt(text: string, last: Token | undefined, next: Token | undefined): number {
  const limit = next?.start ?? text.length;
  let end = endOfWord(text, last);
  while (end < limit && /["”’')\]*_.%]/.test(text.charAt(end))) end += 1;
  return end;
}
