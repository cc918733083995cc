import { BETWEEN_CELLS } from '../statement/table-row';
import { inertText } from './markdown-text';

/** Rows that are quoted from a table of a document. */
export interface QuotedTable {
  /** The title of their section, or what leads to the table; empty if nothing does. */
  before: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

const BEFORE_HEADS = /^(?:\[[^\]]*\] |[^|•]*: )?/;
const BETWEEN_ROWS = ' • ';

/** "Code | Remedy • E1 | Raise it". Null for other words and where a row has not a cell for each column: a bar may be part of a cell. */
export function quotedTable(words: string): QuotedTable | null {
  const [before = ''] = BEFORE_HEADS.exec(words) ?? [];
  const [heads = [], ...rows] = words
    .slice(before.length)
    .split(BETWEEN_ROWS)
    .map((row) => row.split(BETWEEN_CELLS));
  if (heads.length < 2 || rows.length === 0 || rows.some(({ length }) => length !== heads.length)) return null;
  return { before: before.trim(), heads, rows };
}

/** As a part of a list item. */
export function tableBlock({ heads, rows }: QuotedTable): string {
  const line = (cells: readonly string[]): string => `   | ${cells.join(' | ')} |`;
  return [line(heads.map(inertText)), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(inertText)))].join('\n');
}
