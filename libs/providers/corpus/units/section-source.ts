import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';

import type { Chunk } from '../formats/passages';

/** Consecutive chunks of a Markdown document as they stand in it. */
export interface SectionSource {
  lines: readonly string[];
  /** How many lines of the document precede it. */
  linesBefore: number;
  /** Lines at its beginning that were copied from elsewhere in the document. */
  borrowedLines: number;
  blocks: readonly Block[];
}

/** Neighbouring chunks of a section as one source. If they begin inside a table or list, its header or lead-in is put in front. */
export function sectionSource(chunks: readonly Chunk[]): SectionSource {
  const [first] = chunks;
  const header = first?.header === undefined ? '' : `${first.header}\n`;
  const source = header + sourceOf(chunks);
  const borrowedLines = header.split('\n').length - 1;
  const linesBefore = (first?.startLine ?? 1) - 1 - borrowedLines;
  return { lines: source.split('\n'), linesBefore, borrowedLines, blocks: blocksOf(source) };
}

/** Stand-in definitions let links defined elsewhere be read as links; not if the last block is unclosed, since it would swallow the stand-ins. */
function blocksOf(source: string): Block[] {
  const blocks = parseBlocks(source + definitionsFor(source)).filter(({ start }) => start < source.length);
  return blocks.every(({ end }) => end <= source.length) ? blocks : parseBlocks(source);
}

/** Joins the chunks with as many line breaks between them as in the document. */
function sourceOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk, at) => gapBefore(chunk, chunks[at - 1]) + chunk.text).join('');
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/** If a code block was cut off for its length, closes it before the next chunk. */
function gapBefore({ startLine }: Chunk, before: Chunk | undefined): string {
  if (!before) return '';
  const lines = startLine - before.endLine;
  const fence = FENCE.exec(before.text)?.[1];
  // Within a list item a fence is indented.
  const last = before.text.trimEnd().split('\n').slice(1).at(-1)?.trim();
  const isOpen = fence !== undefined && !last?.startsWith(fence) && lines > 1;
  return isOpen ? `\n${fence}${'\n'.repeat(lines - 1)}` : '\n'.repeat(lines);
}

/** The label of a link that is defined elsewhere. */
const REFERENCE = /\](\[[^\][\s]{1,200}\])/g;

/** Stand-ins for link definitions in other parts of the document, so that links that use them are read as links. */
function definitionsFor(source: string): string {
  const labels = new Set(Array.from(source.matchAll(REFERENCE), ([, label = '']) => label));
  return Array.from(labels, (label) => `\n\n${label}: elsewhere`).join('');
}
