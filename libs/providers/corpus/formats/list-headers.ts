import type { Block } from '@lib/language/markdown/block';

import { indentOf } from './lists';

/** How many of the innermost parent items are kept with an item. */
const MAX_PARENTS = 4;
const MAX_LENGTH = 2_000;

/** The lead-in of a list and the innermost parents of an item, outermost first. Limited because a hostile document may nest thousands of items. */
export const underParents = <Line>([leadIn, ...parents]: readonly Line[]): Line[] =>
  leadIn === undefined ? [] : [leadIn, ...parents.slice(-MAX_PARENTS)];

/**
 * By the line in which an item begins, the text that leads to it as it stands in the document. If a passage begins in the middle of a list, the items
 * without their lead-in could say the opposite.
 */
export function listHeaders(blocks: readonly Block[], lines: readonly string[]): ReadonlyMap<number, () => string> {
  const headers = new Map<number, () => string>();
  let leadIn: Block | undefined;
  let open: { indent: number; block: Block }[] = [];
  for (const block of blocks) {
    const { kind, startLine } = block;
    if (kind === 'listItem') {
      const indent = indentOf(lines[startLine - 1] ?? '');
      if (indent === undefined) continue;
      open = open.filter((above) => above.indent < indent);
      const above = [...(leadIn ? [leadIn] : []), ...open.slice(-MAX_PARENTS).map((parent) => parent.block)];
      if (above.length > 0) headers.set(startLine, () => above.map((each) => sourceOf(each, lines)).join(''));
      open.push({ indent, block });
    } else if (kind === 'paragraph' || kind === 'quote') {
      leadIn = block;
      open = [];
    } else if (kind === 'tableHeader' || (kind === 'html' && block.text !== '')) {
      leadIn = undefined;
      open = [];
    }
  }
  return headers;
}

/** Ends with a blank line. */
const sourceOf = ({ startLine, endLine }: Block, lines: readonly string[]): string =>
  `${lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .slice(-MAX_LENGTH)}\n\n`;
