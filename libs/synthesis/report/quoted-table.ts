import { BETWEEN_CELLS } from '../sentences/quotes';
import { inertText } from './markdown-text';

/** Rows quoted from a table of a document. */
export interface QuotedTable {
  /** The title of their section, or the lead-in of the table; empty if there is none. */
  before: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A title in brackets, and a lead-in that ends with a colon or is a sentence of four or more words: a head may be short and end with a full stop. */
const BEFORE_HEADS = /^(?:\[[^\]]*\] )?(?:[^|•]*: |[^|•]*(?:[^\s|•]+ ){3}[^\s|•]*[.!?] )?/;
const BETWEEN_ROWS = ' • ';
/** Between the bars of an empty cell, and before the bar behind an empty first one, as in the corner above the heads of rows. */
const EMPTY_CELL = /(?<=^|(?:^| )\|)(?=(?:^| )\| )/g;
/** Rows are quoted without the empty cells at their end. With fewer cells than this, it may as well be an item of a list. */
const FEWEST_CELLS = 2;

/**
 * Reads a table such as "Code | Remedy • E1 | Raise it". Null for other text, and if a row has more cells than there are columns, since a bar may be
 * part of a cell.
 */
export function quotedTable(words: string): QuotedTable | null {
  const [before = ''] = BEFORE_HEADS.exec(words) ?? [];
  const [heads = [], ...rows] = words
    .slice(before.length)
    .split(BETWEEN_ROWS)
    .map((row) => row.replace(EMPTY_CELL, ' ').split(BETWEEN_CELLS));
  const areOfColumns = rows.every(({ length }) => length >= FEWEST_CELLS && length <= heads.length);
  if (heads.length < FEWEST_CELLS || rows.length === 0 || !areOfColumns) return null;
  return { before: before.trim(), heads, rows: rows.map((row) => [...row, ...heads.slice(row.length).map(() => '')]) };
}

/** A table within a list item. */
export function tableBlock({ heads, rows }: QuotedTable): string {
  const line = (cells: readonly string[]): string => `   | ${cells.join(' | ')} |`;
  return [line(heads.map(inertText)), line(heads.map(() => '---')), ...rows.map((row) => line(row.map(inertText)))].join('\n');
}
