import type MarkdownIt from 'markdown-it';

import type { Environment } from './environment';

const DEFINITION = /\[\^([^\][\s]{1,999})\]:/y;
const CALL = /\[\^([^\][\s]{1,999})\]/y;
/** The indentation of a footnote's further paragraphs, in columns. */
const INDENT = 4;

/** A block rule: `[^label]: text`, which may contain further blocks. */
export function footnoteDefinition(state: MarkdownIt.StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const [bMark = 0, tShift = 0, sCount = 0] = [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]];
  if (sCount - state.blkIndent >= 4) return false;
  const label = matchAt(DEFINITION, state.src, bMark + tShift);
  if (label === undefined) return false;
  if (silent) return true;
  const { footnotes } = state.env as Environment;
  footnotes.add(label.toLowerCase());
  const afterMarker = DEFINITION.lastIndex;
  const content = Math.min(state.skipSpaces(afterMarker), state.eMarks[startLine] ?? 0);
  const { parentType } = state;
  state.push('footnote_open', '', 1).map = [startLine, startLine + 1];
  state.bMarks[startLine] = afterMarker;
  state.tShift[startLine] = content - afterMarker;
  state.blkIndent += INDENT;
  state.sCount[startLine] = state.blkIndent;
  // Declared as a quote, because a footnote is a container as well and the parser has no name for it.
  state.parentType = 'blockquote';
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent -= INDENT;
  state.bMarks[startLine] = bMark;
  state.tShift[startLine] = tShift;
  state.sCount[startLine] = sCount;
  state.push('footnote_close', '', -1);
  return true;
}

/** An inline rule: `[^label]`, if the label is defined. It produces no text. */
export function footnoteCall(state: MarkdownIt.StateInline, silent: boolean): boolean {
  const label = matchAt(CALL, state.src, state.pos);
  if (label === undefined || !(state.env as Environment).footnotes.has(label.toLowerCase())) return false;
  if (!silent) state.push('footnote_call', '', 0);
  state.pos = CALL.lastIndex;
  return true;
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[1];
}
