import { isAligned, type Line } from './pdf-lines';

/** A paragraph, or neighbouring rows of a table. */
export type PdfBlock = { kind: 'paragraph'; lines: Line[] } | { kind: 'table'; rows: Row[] };

export interface Row {
  /** One text per column; empty where the row has no cell. */
  cells: string[];
  lines: Line[];
}

/** A gap between lines begins a paragraph if it exceeds this multiple of the usual distance. */
const PARAGRAPH_GAP = 1.4;
/** Largest gaps, as multiples of the font size: between a row and the next, and between the lines of one row. */
const ROW_GAP = 3;
const WITHIN_ROW_GAP = 1.4;

/** @param usual the document's usual font size */
export function blocksOf(lines: readonly Line[], usual: number): PdfBlock[] {
  const distance = median(lines.slice(1).map(({ y }, at) => (lines[at]?.y ?? y) - y)) || usual;
  const blocks: PdfBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const rows = rowsFrom(lines, at);
    if (rows.length > 1) {
      blocks.push({ kind: 'table', rows });
      at += rows.reduce((sum, row) => sum + row.lines.length, 0);
      continue;
    }
    const [line, last] = [lines[at], blocks.at(-1)];
    at += 1;
    if (!line) continue;
    const before = last?.kind === 'paragraph' ? last.lines.at(-1) : undefined;
    const gap = before ? before.y - line.y : Infinity;
    const continues = before && gap >= 0 && gap <= distance * PARAGRAPH_GAP && Math.abs(before.fontSize - line.fontSize) < 1;
    if (continues && last?.kind === 'paragraph') last.lines.push(line);
    else blocks.push({ kind: 'paragraph', lines: [line] });
  }
  return blocks;
}

/** The rows of a table that begins at a line: following lines whose cells are aligned with those of the first. */
function rowsFrom(lines: readonly Line[], from: number): Row[] {
  const first = lines[from];
  if (!first || first.cells.length < 2) return [];
  const rows: Row[] = [{ cells: first.cells.map(({ text }) => text.trim()), lines: [first] }];
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at];
    const last = rows.at(-1);
    const before = last?.lines.at(-1);
    if (!line || !last || !before) break;
    const [columns, gap] = [columnsOf(line, first), before.y - line.y];
    if (columns === undefined || gap < 0 || gap > ROW_GAP * line.fontSize) break;
    const texts = first.cells.map((_, column) => line.cells[columns.indexOf(column)]?.text.trim() ?? '');
    if (columns.length > 1) rows.push({ cells: texts, lines: [line] });
    // A single cell in a later column continues the cell above it; one in the first column begins something else.
    else if (columns[0] === 0 || gap > WITHIN_ROW_GAP * line.fontSize) break;
    else Object.assign(last, { cells: last.cells.map((cell, at) => `${cell} ${texts[at] ?? ''}`.trim()), lines: [...last.lines, line] });
  }
  return rows;
}

/** The column of each cell; undefined if a cell is aligned with no column, or two with the same. */
function columnsOf(line: Line, first: Line): number[] | undefined {
  const columns = line.cells.map((cell) => first.cells.findIndex((other) => isAligned(cell, other, line)));
  return columns.includes(-1) || new Set(columns).size < columns.length ? undefined : columns;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}
