import MarkdownIt from 'markdown-it';

import type { Environment } from './environment';
import { footnoteCall, footnoteDefinition } from './footnotes';
import { limitInline } from './limits';
import { linkLabelEnd } from './link-label';

/** Deepest nesting of containers, where a quote or footnote counts one and a list two. Anything deeper is read as text. */
const MAX_LEVEL = 24;

export type Token = MarkdownIt.Token;

const parser = new MarkdownIt({ html: true, maxNesting: 100 });
// Links are neither followed nor shown here, so no address needs to be rejected or rewritten.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;
parser.helpers.parseLinkLabel = linkLabelEnd;
parser.block.ruler.before('table', 'place', place);
parser.block.ruler.before('reference', 'footnote', footnoteDefinition, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
parser.inline.ruler.before('text', 'limit', limitInline);
parser.inline.ruler.before('link', 'footnote', footnoteCall);

/** The block tokens of a document with `\n` as its only line ending. */
export function blockTokens(markdown: string, environment: Environment): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(markdown, parser, environment, tokens);
  return tokens;
}

/** The character that a reference such as "&nbsp;" or "&#8211;" stands for; an unknown reference is returned unchanged. */
export const decoded = (reference: string): string => parser.utils.unescapeAll(reference);

/** The inline tokens of a block's text. */
export function inlineTokens(text: string, environment: Environment): Token[] {
  const tokens: Token[] = [];
  parser.inline.parse(text, parser, environment, tokens);
  return tokens;
}

/** Called wherever a block may begin. Records the place, and reads content nested too deeply as text up to the next blank line. */
function place(state: MarkdownIt.StateBlock, startLine: number, endLine: number): boolean {
  const environment = state.env as Environment;
  environment.lineEnds = state.eMarks;
  environment.starts[startLine] = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.level < MAX_LEVEL) return false;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line)) line += 1;
  state.line = line;
  const token = state.push('inline', '', 0);
  token.map = [startLine, line];
  token.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  return true;
}
