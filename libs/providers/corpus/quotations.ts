import type { Nodes } from 'mdast';

import { parseBounded, restoreMarkup } from '@lib/language/hostile-markdown';
import { parseBlocks, type BlockKind } from '@lib/language/markdown';

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
  return parseBlocks(source)
    .filter(({ kind }) => QUOTED_KINDS.has(kind))
    .map(({ kind, text, start, end, startLine, endLine }) => ({
      markdown: kind === 'tableRow' ? plainLine(text).markdown : inlineMarkdown(source.slice(start, end)),
      text,
      startLine: startLine + linesBefore,
      endLine: endLine + linesBefore,
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

/** A code span, or a link whose definition is elsewhere in the document. */
const CODE_OR_REFERENCE = /(`+)[^`](?:[\s\S]*?[^`])?\1(?!`)|\[((?:`[^`]*`|[^\][`])+)\]\[[^\]]*\]/g;

function inlineMarkdown(source: string): string {
  const unquoted = source
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/\n[ \t]+/g, '\n')
    .replace(CODE_OR_REFERENCE, (found: string, _fence, label?: string) => label ?? found);
  return restoreMarkup(rendered(parseBounded(unquoted)))
    .replace(/\s+/g, ' ')
    .trim();
}

function rendered(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return escapeMarkdown(node.value);
    case 'inlineCode':
      return codeSpan(node.value);
    case 'image':
      return escapeMarkdown(node.alt ?? '');
    case 'break':
      return ' ';
    default:
      return 'children' in node ? node.children.map(rendered).join('') : '';
  }
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
