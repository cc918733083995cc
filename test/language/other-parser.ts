import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** What another parser of the same Markdown makes of a document. */
export interface OtherBlock {
  kind: string;
  text: string;
  start: number;
  end: number;
  startLine: number;
  depth: number;
}

const LITERAL_ADDRESSES = { disable: { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] } };
const TREE = gfmFromMarkdown().filter(({ transforms }) => !transforms);

export function otherBlocks(markdown: string): OtherBlock[] {
  const root = fromMarkdown(markdown, { extensions: [gfm(), LITERAL_ADDRESSES], mdastExtensions: [TREE] });
  return [...blocksIn(root, 'paragraph')].filter(({ text }) => text !== '');
}

function* blocksIn(node: Nodes, paragraphKind: string): Generator<OtherBlock> {
  if (node.type === 'paragraph') yield blockOf(node, paragraphKind);
  else if (node.type === 'heading' || node.type === 'code' || node.type === 'html') yield blockOf(node, node.type);
  else if (node.type === 'table') {
    for (const [index, row] of node.children.entries()) yield blockOf(row, index === 0 ? 'tableHeader' : 'tableRow');
  } else if ('children' in node) {
    const inside = { list: 'listItem', listItem: 'listItem', blockquote: 'quote', footnoteDefinition: 'definition' } as Partial<
      Record<string, string>
    >;
    for (const child of node.children) yield* blocksIn(child, inside[node.type] ?? paragraphKind);
  }
}

function blockOf(node: Exclude<Nodes, Root>, kind: string): OtherBlock {
  const text = plainText(node);
  return {
    kind,
    text: kind === 'code' ? text : text.replace(/\s+/g, ' ').trim(),
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? 0,
    startLine: node.position?.start.line ?? 0,
    depth: node.type === 'heading' ? node.depth : 0,
  };
}

function plainText(node: Nodes): string {
  if (node.type === 'break') return ' ';
  if (node.type === 'html') return node.value.replace(/<!--[\s\S]*?(?:-->|$)|<[^<>]*>/g, ' ');
  if (node.type === 'image') return node.alt ?? '';
  if (node.type === 'tableRow') return rowText(node.children.map(plainText));
  if ('children' in node) return node.children.map(plainText).join('');
  return 'value' in node ? node.value : '';
}

/** Empty cells at the end say nothing. */
function rowText(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  return cells
    .slice(0, last + 1)
    .map((cell) => cell.trim())
    .join(' | ');
}
