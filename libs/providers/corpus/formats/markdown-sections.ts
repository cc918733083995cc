import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { withoutTags } from '@lib/language/markdown/inline';
import { collapseWhiteSpace } from '@lib/language/white-space';

import { askedHeadingOf } from './asked-headings';
import { listHeaders } from './list-headers';
import { chunkOfLines, PASSAGE_LENGTH, splitAtBlankLines, type Chunk } from './passages';

/** Many documents begin with a heading in HTML, often inside of other tags. */
const HTML_HEADING = /<h([1-6])[^<>]{0,500}>([\s\S]{0,500}?)<\/h\1>/gi;

/** Metadata before a document. Sites show the document under the title given in it. */
const FRONT_MATTER = /^---[ \t]*\r?\n([^]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const TITLE = /^title:[ \t]*(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([^\s|>[{&*!"'][^\r\n]{0,300}))[ \t]*\r?$/m;

interface Heading {
  title: string;
  depth: number;
}

/** The depth of a heading below every other heading. */
const BELOW_ALL = 7;

interface Section {
  headings: readonly string[];
  blocks: Block[];
}

/** The sections of a Markdown document, cut at blank lines outside code. */
export function markdownChunks(markdown: string): Chunk[] {
  const lines = markdown.split(/\r\n|\r|\n/);
  return sectionsOf(parseBlocks(markdown), lines, titleOf(markdown)).flatMap((section) => chunksOf(section, lines));
}

function titleOf(markdown: string): string | undefined {
  const [, double, single, plain] = TITLE.exec(FRONT_MATTER.exec(markdown)?.[1] ?? '') ?? [];
  return (double ?? single ?? plain)?.trim();
}

/** @param title of the document, for use if it has no top-level heading of its own */
function sectionsOf(blocks: readonly Block[], lines: readonly string[], title: string | undefined): Section[] {
  const hasOwn = blocks.some(({ kind, depth }) => kind === 'heading' && depth === 1);
  const above: Heading[] = title === undefined || hasOwn ? [] : [{ title, depth: 1 }];
  let section: Section = { headings: above.map((heading) => heading.title), blocks: [] };
  const sections = [section];
  for (const block of blocks) {
    const asked = block.kind === 'paragraph' ? askedHeadingOf(lines[block.startLine - 1] ?? '', block.text) : undefined;
    const headings = asked ? [{ title: asked.title, depth: BELOW_ALL }] : headingsIn(block, lines);
    for (const heading of headings) {
      while ((above.at(-1)?.depth ?? 0) >= heading.depth) above.pop();
      above.push(heading);
    }
    if (headings.length > 0) {
      section = { headings: above.map(({ title }) => title), blocks: [] };
      sections.push(section);
    }
    const isHeading = asked ? asked.isAll : headings.length > 0 && block.text === headings.map(({ title }) => title).join(' ');
    if (!isHeading) section.blocks.push(block);
  }
  return sections;
}

function headingsIn({ kind, text, depth, startLine, endLine }: Block, lines: readonly string[]): Heading[] {
  if (kind === 'heading') return [{ title: text, depth }];
  if (kind !== 'html') return [];
  const html = lines.slice(startLine - 1, endLine).join('\n');
  return Array.from(html.matchAll(HTML_HEADING), ([, level, title = '']) => ({
    title: collapseWhiteSpace(withoutTags(title)),
    depth: Number(level),
  })).filter(({ title }) => title !== '');
}

/** Cuts at blank lines, but not inside code; cuts tables between their rows; and gives the rest of a divided list the lead-in of that list. */
function chunksOf({ headings, blocks }: Section, lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = blocks[0]?.startLine ?? 1;
  for (const [at, { kind, startLine, endLine }] of blocks.entries()) {
    if (kind !== 'code' && kind !== 'tableHeader') continue;
    const last = kind === 'code' ? endLine : lastRow(blocks, at);
    chunks.push(...splitAtBlankLines(lines.slice(from - 1, startLine - 1), from, headings));
    const own = lines.slice(startLine - 1, last);
    chunks.push(...(kind === 'code' ? [chunkOfLines(own, startLine, headings)] : piecesOfTable(own, startLine, headings)));
    from = last + 1;
  }
  chunks.push(...splitAtBlankLines(lines.slice(from - 1, blocks.at(-1)?.endLine ?? 0), from, headings));
  const headers = listHeaders(blocks, lines);
  return chunks.map((chunk) => {
    const header = headers.get(chunk.startLine)?.().replace(/\n$/, '');
    return header === undefined ? chunk : { ...chunk, header };
  });
}

/** The line on which the table with its header at index `at` ends. */
function lastRow(blocks: readonly Block[], at: number): number {
  let last = at;
  while (blocks[last + 1]?.kind === 'tableRow') last += 1;
  return Math.max(blocks[last]?.endLine ?? 0, (blocks[at]?.startLine ?? 0) + 1);
}

/** The header, and the line below it. */
const HEADER_LINES = 2;

/** Pieces of about a passage's length; each one after the first carries the header of the table. */
function piecesOfTable(rows: readonly string[], startLine: number, headings: readonly string[]): Chunk[] {
  const header = rows.slice(0, HEADER_LINES).join('\n');
  const pieces: Chunk[] = [];
  let from = 0;
  let length = 0;
  for (const [at, row] of rows.entries()) {
    length += row.length;
    if (length < PASSAGE_LENGTH && at + 1 < rows.length) continue;
    const piece = chunkOfLines(rows.slice(from, at + 1), startLine + from, headings);
    pieces.push(from === 0 ? piece : { ...piece, header });
    from = at + 1;
    length = 0;
  }
  return pieces;
}
