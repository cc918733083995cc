import MarkdownIt from 'markdown-it';

import type { Environment } from './environment';
import { footnoteCall, footnoteDefinition } from './footnotes';
import { limitInline } from './limits';
import { linkLabelEnd } from './link-label';

/** Containers may nest this deep: a quote or footnote counts one, a list two. What is deeper is read as text. */
const MAX_LEVEL = 24;

export type Token = MarkdownIt.Token;

const parser = new MarkdownIt({ html: true, maxNesting: 100 });
// Nothing here follows a link or shows one, so no address is refused or rewritten.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;
parser.helpers.parseLinkLabel = linkLabelEnd;
parser.block.ruler.before('table', 'place', place);
parser.block.ruler.before('reference', 'footnote', footnoteDefinition, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
parser.inline.ruler.before('text', 'limit', limitInline);
parser.inline.ruler.before('link', 'footnote', footnoteCall);

/** The blocks of a document whose lines end in `\n` alone. */
export function blockTokens(markdown: string, environment: Environment): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(markdown, parser, environment, tokens);
  return tokens;
}

/** What a character reference stands for: "&nbsp;", "&#8211;"; itself where nothing is known of it. */
export const decoded = (reference: string): string => parser.utils.unescapeAll(reference);

/** What the text of a block is made of. */
export function inlineTokens(text: string, environment: Environment): Token[] {
  const tokens: Token[] = [];
  parser.inline.parse(text, parser, environment, tokens);
  return tokens;
}

/** Called wherever a block may begin. Notes where that is, and reads what is nested too deep as text up to the next blank line. */
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
