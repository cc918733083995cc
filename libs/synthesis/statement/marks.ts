import { endOfWord } from '@lib/language/reading/list-items';
import type { Token } from '@lib/language/reading/token';

/** Where a word begins together with the marks that open it. */
export function openedAt(text: string, start: number): number {
  let from = start;
  while (from > 0 && /["“‘([*_]/.test(text.charAt(from - 1))) from -= 1;
  return from;
}

/** Whether what is quoted or in parentheses ends within a text: it does not where a title was cut. */
export function hasMarksInPairs(text: string): boolean {
  const times = (mark: string): number => text.split(mark).length - 1;
  const closing = times('”') + (times('„') > 0 ? times('“') : 0);
  const opening = times('„') > 0 ? times('„') : times('“');
  // The mark that closes it is an apostrophe as well.
  if ((text.match(/‘(?=\p{L})/gu)?.length ?? 0) > times('’')) return false;
  return times('"') % 2 === 0 && opening === closing && times('«') === times('»') && times('(') === times(')');
}

/** Where a word ends together with the marks that close it, before the next one begins. */
export function closedAt(text: string, last: Token | undefined, next: Token | undefined): number {
  const limit = next?.start ?? text.length;
  let end = endOfWord(text, last);
  while (end < limit && /["”’')\]*_.%]/.test(text.charAt(end))) end += 1;
  return end;
}
