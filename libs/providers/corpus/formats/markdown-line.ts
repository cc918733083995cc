import { escapeMarkdown } from '@lib/language/markdown/escape';
import type { Block } from '@lib/language/markdown/block';
import type { Piece } from '@lib/language/markdown/inline';

/** A block as one line of Markdown that reads like the source: code stays code, links become their text, other markup is removed. */
export function markdownOf(block: Block): string {
  return block.pieces.map(rendered).join('').replace(/\s+/g, ' ').trim();
}

/** Plain text as Markdown in one line. */
export function plainLine(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, ' ').trim());
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

/** A code span, which has no escapes, or an escaped character. */
const CODE_OR_ESCAPED = /(?<code>(`+)(?!`)[^]*?(?<!`)\2(?!`))|\\(?<escaped>[\\`*[\]<~_&])/g;

/** What `escapeMarkdown` was given, for a text that is not shown as Markdown; code keeps its marks. */
export const withoutEscapes = (markdown: string): string => markdown.replace(CODE_OR_ESCAPED, '$<code>$<escaped>');
