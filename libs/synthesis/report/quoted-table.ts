import { BETWEEN_CELLS } from '../statement/table-row';
import { inertText } from './markdown-text';

/** Rows quoted from a table of a document. */
export interface QuotedTable {
  /** The title of their section, or the lead-in of the table; empty if there is none. */
  before: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

const BEFORE_HEADS = /^(?:\[[^\]]*\] |[^|•]*: )?/;
const BETWEEN_ROWS = ' • ';

/**
 * Reads a table such as "Code | Remedy • E1 | Raise it". Null for other text, and if a row does not have a cell for each column, since a bar may be
 * part of a cell.
 */
export function quotedTable(words: string): QuotedTable | null {
  const [before = ''] = BEFORE_HEADS.exec(words) ?? [];
  const [heads = [], ...rows] = words
    .slice(before.length)
    .split(BETWEEN_ROWS)
    .map((row) => row.split(BETWEEN_CELLS));
  if (heads.length < 2 || rows.length === 0 || rows.some(({ length }) => length !== heads.length)) return null;
  return { before: before.trim(), heads, rows };
}

/** A table within a list item. */
export function tableBlock({ heads, rows }: QuotedTable): string {
  const line = (cells: readonly string[]): string => `   | ${cells.join(' | ')} |`;
  return [line(heads.map(inertText)), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(inertText)))].join('\n');
}
