import type { Token } from './token';

/** Words from `from` to `to`, exclusive, and their range in the text, with the quotation marks of a title. */
export interface ListItem {
  from: number;
  to: number;
  start: number;
  end: number;
}

export function itemOf(text: string, tokens: readonly Token[], from: number, to: number): ListItem {
  const [start, end] = [startOf(text, tokens, from), endOf(text, tokens, to)];
  return { from, to, start: isClosedText(text.slice(start, end)) ? start : (tokens[from]?.start ?? start), end };
}

/** Whether all quotation marks are closed; in “Judwaa,” the comma stands before the closing mark. */
const isClosedText = (text: string): boolean => (text.match(/["“”]/g) ?? []).length % 2 === 0;

function startOf(text: string, tokens: readonly Token[], at: number): number {
  let start = tokens[at]?.start ?? text.length;
  while (start > 0 && /["“‘'([*_]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The end of an item with its closing marks, without commas and white space. */
function endOf(text: string, tokens: readonly Token[], past: number): number {
  const limit = tokens[past]?.start ?? text.length;
  let end = endOfWord(text, tokens[past - 1]);
  while (end < limit && /["”’')\]*_]/.test(text.charAt(end))) end += 1;
  return text.charAt(end - 1) === ',' ? end - 1 : end;
}

/** The end of a word, with a punctuation mark that is part of a name: "Hail!, De La Tierra and more", "Yahoo! was". */
export function endOfWord(text: string, token: Token | undefined): number {
  if (!token) return 0;
  return token.isCapitalised && NAME_MARK.test(text.slice(token.end, token.end + 3)) ? token.end + 1 : token.end;
}

const NAME_MARK = /^[!?](?:,| \p{Ll})/u;
