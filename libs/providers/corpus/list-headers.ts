import type { Block } from '@lib/language/markdown/block';

import { indentOf } from './lists';

/** The innermost items that one stands under which are kept with it. */
const MAX_PARENTS = 4;
const MAX_LENGTH = 2_000;

/** What leads to a list and the innermost items that one stands under, outermost first: a hostile document has thousands of them. */
export const underParents = <Line>([leadIn, ...parents]: readonly Line[]): Line[] =>
  leadIn === undefined ? [] : [leadIn, ...parents.slice(-MAX_PARENTS)];

/**
 * What leads to an item of a list, as it stands in the document, by the line in which the item begins. A list may go on where a passage begins;
 * without what leads to it that could say the opposite.
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

/** With a blank line behind it. */
const sourceOf = ({ startLine, endLine }: Block, lines: readonly string[]): string =>
  `${lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .slice(-MAX_LENGTH)}\n\n`;
