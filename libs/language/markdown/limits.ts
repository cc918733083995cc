import type MarkdownIt from 'markdown-it';

import type { Environment } from './environment';

/** Most delimiters of emphasis and links in a text; further ones count as plain text, because the parser takes quadratic time for them. */
const MAX_DELIMITERS = 300;
const DELIMITERS = /[[\]*_~]/g;

/** The offset from which on the delimiters of a text count as plain text. */
export function limitOf(text: string): number {
  let seen = 0;
  DELIMITERS.lastIndex = 0;
  while (DELIMITERS.test(text)) if (++seen > MAX_DELIMITERS) return DELIMITERS.lastIndex - 1;
  return Infinity;
}

/** An inline rule that reads delimiters beyond the limit as plain text. */
export function limitInline(state: MarkdownIt.StateInline, silent: boolean): boolean {
  const { limit = Infinity } = state.env as Environment;
  if (state.pos < limit || !'[]*_~!'.includes(state.src.charAt(state.pos))) return false;
  if (!silent) state.pending += state.src.charAt(state.pos);
  state.pos += 1;
  return true;
}
