import type { Nodes, Root } from 'mdast';
import { flatBlocksOf, flatRowText, flatText, type FlatBlock } from './flat-markdown';
import { countLineEnds, partsOf, type MarkdownPart } from './markdown-parts';
import { parseBounded, restoreMarkup } from './hostile-markdown';
import { collapseWhiteSpace } from './white-space';

export type BlockKind = 'heading' | 'paragraph' | 'listItem' | 'tableHeader' | 'tableRow' | 'code' | 'quote' | 'html' | 'definition';

/** A stretch of a Markdown document that reads as one unit: a heading, a paragraph of a list item, one row of a table … */
export interface Block {
  kind: BlockKind;
  /** Plain text: inline markup dropped, white space collapsed (not in code), table cells joined by ` | `. */
  text: string;
  /** UTF-16 offsets in the source; end is exclusive. */
  start: number;
  end: number;
  /** Lines of the source, both inclusive, counted from 1. */
  startLine: number;
  endLine: number;
  /** 1 to 6 for a heading, otherwise 0. */
  depth: number;
  /** Titles of the headings above, outermost first. */
  headings: string[];
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * The blocks of a Markdown document (CommonMark with the GitHub extensions) in order; YAML front matter is left out.
 * Time and depth are bounded for any input: see `partsOf` and `parseBounded`.
 */
export function parseBlocks(markdown: string): Block[] {
  const frontMatterEnd = FRONT_MATTER.exec(markdown)?.[0].length ?? 0;
  const blocks: Block[] = [];
  const above: { title: string; depth: number }[] = [];
  for (const block of partsOf(markdown).flatMap(blocksOfPart)) {
    if (block.end <= frontMatterEnd) continue;
    if (block.kind === 'heading') while ((above.at(-1)?.depth ?? 0) >= block.depth) above.pop();
    block.headings = above.map(({ title }) => title);
    if (block.kind === 'heading') above.push({ title: block.text, depth: block.depth });
    if (block.text !== '') blocks.push(block);
  }
  return blocks;
}

/** Headings above are not known yet: a part does not know what came before it. */
function* blocksOfPart({ text, lead, start, startLine }: MarkdownPart): Generator<Block> {
  const leadLines = countLineEnds(text.slice(0, lead));
  for (const block of readFlat(text) ?? readAny(text)) {
    if (block.end <= lead) continue;
    const lines = startLine - 1 - leadLines;
    yield {
      ...block,
      start: block.start - lead + start,
      end: block.end - lead + start,
      startLine: block.startLine + lines,
      endLine: block.endLine + lines,
    };
  }
}

/** Null for a part that is not flat. What it says is left to the parser where it has markup. */
function readFlat(markdown: string): Block[] | null {
  const marked: Block[] = [];
  const blocks = flatBlocksOf(markdown)?.map((block): Block => {
    const source = markdown.slice(block.start, block.end);
    const text = flatTextOf(block, source);
    const read = { ...block, text: collapseWhiteSpace(text ?? source), headings: [] };
    if (text === null) marked.push(read);
    return read;
  });
  if (!blocks || marked.length === 0) return blocks ?? null;
  // A cell makes sense to the parser only inside its table.
  if (marked.some(({ kind }) => kind === 'tableHeader' || kind === 'tableRow')) return null;
  const sources = marked.map(({ start, end }) => markdown.slice(start, end));
  const texts = readAny(sources.join('\n\n')).map(({ text }) => text);
  if (texts.length !== marked.length) return null;
  for (const [position, block] of marked.entries()) block.text = texts[position] ?? '';
  return blocks;
}

function flatTextOf({ kind, depth }: FlatBlock, source: string): string | null {
  if (kind === 'tableHeader' || kind === 'tableRow') return flatRowText(source);
  return flatText(source.slice(depth));
}

function readAny(markdown: string): Block[] {
  return Array.from(readableNodes(parseBounded(markdown), 'paragraph'), ({ node, kind }) => blockOf(node, kind));
}

interface ReadableNode {
  node: Exclude<Nodes, Root>;
  kind: BlockKind;
}

/** `paragraphKind` is what a paragraph counts as inside the containers met so far. */
function* readableNodes(node: Nodes, paragraphKind: BlockKind): Generator<ReadableNode> {
  switch (node.type) {
    case 'heading':
    case 'code':
    case 'html':
    case 'definition':
      yield { node, kind: node.type };
      return;
    case 'paragraph':
      yield { node, kind: paragraphKind };
      return;
    case 'table':
      for (const [index, row] of node.children.entries()) yield { node: row, kind: index === 0 ? 'tableHeader' : 'tableRow' };
      return;
    case 'root':
      for (const child of node.children) yield* readableNodes(child, paragraphKind);
      return;
    case 'list':
    case 'listItem':
      for (const child of node.children) yield* readableNodes(child, 'listItem');
      return;
    case 'blockquote':
      for (const child of node.children) yield* readableNodes(child, 'quote');
      return;
    case 'footnoteDefinition':
      for (const child of node.children) yield* readableNodes(child, 'definition');
      return;
    default: // The others say nothing on their own or stand inside a paragraph.
  }
}

function blockOf(node: ReadableNode['node'], kind: BlockKind): Block {
  const { start, end } = node.position ?? { start: { line: 1, offset: 0 }, end: { line: 1, offset: 0 } };
  const text = restoreMarkup(plainText(node));
  return {
    kind,
    text: kind === 'code' ? text : collapseWhiteSpace(text),
    start: start.offset ?? 0,
    end: end.offset ?? 0,
    startLine: start.line,
    endLine: end.line,
    depth: node.type === 'heading' ? node.depth : 0,
    headings: [],
  };
}

function plainText(node: Nodes): string {
  switch (node.type) {
    case 'break':
      return ' ';
    case 'html':
      return node.value.replace(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g, ' ');
    case 'image':
      return node.alt ?? '';
    case 'definition':
      return [node.label, node.title, node.url].filter(Boolean).join(' ');
    case 'tableRow':
      return node.children.map(plainText).join(' | ');
    default:
      if ('children' in node) return node.children.map(plainText).join('');
      return 'value' in node ? node.value : '';
  }
}
