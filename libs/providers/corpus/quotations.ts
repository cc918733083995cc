import type { Block, BlockKind } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import type { Piece } from '@lib/language/markdown/inline';

import type { Chunk, Document } from './passages';

/** A paragraph, list item or table row that can be quoted. */
export interface Quotable {
  /** One line of Markdown that reads like the source: code stays code, links become their text, other markup goes. */
  markdown: string;
  /** The same text without markup. */
  text: string;
  /** Lines of the document, both inclusive, from 1. */
  startLine: number;
  endLine: number;
  /** Page number, for a document with pages. */
  page?: number;
}

const QUOTED_KINDS: ReadonlySet<BlockKind> = new Set(['paragraph', 'listItem', 'quote', 'tableRow']);

/** The quotable parts of neighbouring chunks of a document, in order. */
export function quotables(format: Document['format'], chunks: readonly Chunk[]): Quotable[] {
  if (format === 'plain') return chunks.map(({ text, startLine, endLine, page }) => ({ ...plainLine(text), startLine, endLine, page }));
  const source = sourceOf(chunks);
  const linesBefore = (chunks[0]?.startLine ?? 1) - 1;
  return parseBlocks(source + definitionsFor(source))
    .filter(({ kind, start }) => QUOTED_KINDS.has(kind) && start < source.length)
    .map((block) => ({
      markdown: markdownOf(block),
      text: block.text,
      startLine: block.startLine + linesBefore,
      endLine: block.endLine + linesBefore,
    }));
}

/** Joins the chunks with as many line breaks between them as in the document. */
function sourceOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk, at) => '\n'.repeat(at === 0 ? 0 : chunk.startLine - (chunks[at - 1]?.endLine ?? 0)) + chunk.text).join('');
}

function plainLine(text: string): Pick<Quotable, 'markdown' | 'text'> {
  const line = text.replace(/\s+/g, ' ').trim();
  return { markdown: escapeMarkdown(line), text: line };
}

/** The label of a link that is defined elsewhere. */
const REFERENCE = /\](\[[^\][\s]{1,200}\])/g;

/** Stand-ins for the definitions that are in other parts of the document, so that their links are read as links. */
function definitionsFor(source: string): string {
  const labels = new Set(Array.from(source.matchAll(REFERENCE), ([, label = '']) => label));
  return Array.from(labels, (label) => `\n\n${label}: elsewhere`).join('');
}

function markdownOf(block: Block): string {
  if (block.kind === 'tableRow') return plainLine(block.text).markdown;
  return block.pieces.map(rendered).join('').replace(/\s+/g, ' ').trim();
}

function rendered({ kind, text }: Piece): string {
  if (kind === 'html') return '';
  return kind === 'code' ? codeSpan(text) : escapeMarkdown(text);
}

function codeSpan(code: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length)));
  const gap = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${code.replace(/\s+/g, ' ')}${gap}${fence}`;
}

/** Escapes text so that Markdown shows it literally. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&');
}
