import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { withoutTags } from '@lib/language/markdown/inline';
import { collapseWhiteSpace } from '@lib/language/white-space';

import { chunkOfLines, splitAtBlankLines, type Chunk } from './passages';

/** Many documents begin with a heading in HTML, often inside of other tags. */
const HTML_HEADING = /<h([1-6])[^<>]{0,500}>([\s\S]{0,500}?)<\/h\1>/gi;

interface Heading {
  title: string;
  depth: number;
}

interface Section {
  headings: readonly string[];
  blocks: Block[];
}

/** The sections of a Markdown document, cut at blank lines outside code. */
export function markdownChunks(markdown: string): Chunk[] {
  const lines = markdown.split(/\r\n|\r|\n/);
  return sectionsOf(parseBlocks(markdown), lines).flatMap((section) => chunksOf(section, lines));
}

function sectionsOf(blocks: readonly Block[], lines: readonly string[]): Section[] {
  const above: Heading[] = [];
  let section: Section = { headings: [], blocks: [] };
  const sections = [section];
  for (const block of blocks) {
    const headings = headingsIn(block, lines);
    for (const heading of headings) {
      while ((above.at(-1)?.depth ?? 0) >= heading.depth) above.pop();
      above.push(heading);
    }
    if (headings.length > 0) {
      section = { headings: above.map(({ title }) => title), blocks: [] };
      sections.push(section);
    }
    if (headings.length === 0 || block.text !== headings.map(({ title }) => title).join(' ')) section.blocks.push(block);
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

/** Blank lines inside code do not separate anything. */
function chunksOf({ headings, blocks }: Section, lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = blocks[0]?.startLine ?? 1;
  for (const { kind, startLine, endLine } of blocks) {
    if (kind !== 'code') continue;
    chunks.push(...splitAtBlankLines(lines.slice(from - 1, startLine - 1), from, headings));
    chunks.push(chunkOfLines(lines.slice(startLine - 1, endLine), startLine, headings));
    from = endLine + 1;
  }
  return [...chunks, ...splitAtBlankLines(lines.slice(from - 1, blocks.at(-1)?.endLine ?? 0), from, headings)];
}
