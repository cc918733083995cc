import type MarkdownIt from 'markdown-it';

import type { Environment } from './environment';

/** Delimiters of emphasis and links that one text may have; the rest are text. The parser takes quadratic time for them. */
const MAX_DELIMITERS = 300;
const DELIMITERS = /[[\]*_~]/g;

/** The offset from which on the delimiters of a text are text. */
export function limitOf(text: string): number {
  let seen = 0;
  DELIMITERS.lastIndex = 0;
  while (DELIMITERS.test(text)) if (++seen > MAX_DELIMITERS) return DELIMITERS.lastIndex - 1;
  return Infinity;
}

/** Takes a delimiter beyond the limit for text. */
export function limitInline(state: MarkdownIt.StateInline, silent: boolean): boolean {
  const { limit = Infinity } = state.env as Environment;
  if (state.pos < limit || !'[]*_~!'.includes(state.src.charAt(state.pos))) return false;
  if (!silent) state.pending += state.src.charAt(state.pos);
  state.pos += 1;
  return true;
}
