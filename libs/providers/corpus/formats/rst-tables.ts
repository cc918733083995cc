import type { RstLine } from './rst-lines';

/** A row of a table in reStructuredText. */
export interface RstRow {
  cells: string[];
  isHeads: boolean;
  /** Numbers of its first and its last line in the document, from 1. */
  startLine: number;
  endLine: number;
}

const SIMPLE_RULE = /^=+(?: +=+)+\s*$/;
const GRID_LINE = /^[+|]/;
const GRID_RULE = /^\+(?:[-=]+\+)+\s*$/;
const BELOW_HEADS = /^\+(?:=+\+)+\s*$/;
/** As in a page; a wider one is no table. */
const MAX_COLUMNS = 100;

/** How many lines a table that begins here has; 0 if none does. */
export function tableLength(lines: readonly RstLine[], at: number): number {
  const first = lines[at]?.text ?? '';
  if (GRID_RULE.test(first)) {
    let end = at;
    while (GRID_LINE.test(lines[end]?.text ?? '')) end += 1;
    return first.split('+').length > MAX_COLUMNS ? 0 : end - at;
  }
  if (!SIMPLE_RULE.test(first) || first.split(/ +/).length > MAX_COLUMNS) return 0;
  // It ends with the rule before a blank line, or with the second one after its first.
  let rules = 0;
  for (let end = at + 1; end < lines.length; end += 1) {
    if (!SIMPLE_RULE.test(lines[end]?.text ?? '')) continue;
    rules += 1;
    if (rules === 2 || (lines[end + 1]?.text ?? '').trim() === '') return end + 1 - at;
  }
  return 0;
}

/** The rows of a table that `tableLength` has found. */
export const rowsOfTable = (table: readonly RstLine[]): RstRow[] =>
  GRID_RULE.test(table[0]?.text ?? '') ? gridRows(table) : simpleRows(table);

/** Columns stand below the signs of the rule; a line without a first cell continues the row before it. */
function simpleRows(table: readonly RstLine[]): RstRow[] {
  const starts = Array.from((table[0]?.text ?? '').matchAll(/=+/g), ({ index }) => index);
  const rules = new Set(table.keys().filter((at) => SIMPLE_RULE.test(table[at]?.text ?? '')));
  const [, headsEnd = 0, last] = rules;
  const rows: GrowingRow[] = [];
  for (const [at, { text, number }] of table.entries()) {
    if (rules.has(at) || text.trim() === '' || /^-+(?: +-+)*\s*$/.test(text)) continue;
    const cells = starts.map((start, column) => text.slice(start, starts[column + 1]).trim());
    const isHeads = last !== undefined && at < headsEnd;
    const above = rows.at(-1);
    if (above && above.isHeads === isHeads && cells[0] === '') addTo(above, cells, number);
    else rows.push({ lines: [cells], isHeads, startLine: number, endLine: number });
  }
  return rows.map(grown);
}

/** Rows stand between rules; the row above a rule of equals signs names the columns. */
function gridRows(table: readonly RstLine[]): RstRow[] {
  const rows: GrowingRow[] = [];
  let open: GrowingRow | undefined;
  for (const { text, number } of table) {
    if (GRID_RULE.test(text)) {
      if (open && BELOW_HEADS.test(text)) for (const row of [...rows, open]) row.isHeads = true;
      if (open) rows.push(open);
      open = undefined;
      continue;
    }
    // Beside a cell that spans several rows, a rule takes part of the line.
    const cells = text
      .replace(/^[|+]|[|+]\s*$/g, '')
      .split(/\||\+(?=-)|(?<=-)\+/, MAX_COLUMNS)
      .map((cell) => (/^-+$/.test(cell) ? '' : cell.trim()));
    if (open) addTo(open, cells, number);
    else open = { lines: [cells], isHeads: false, startLine: number, endLine: number };
  }
  return rows.map(grown);
}

/** A row, the cells of which may go on in the next line. */
interface GrowingRow extends Omit<RstRow, 'cells'> {
  /** Its cells, as they stand in each of its lines. */
  lines: string[][];
}

function addTo(row: GrowingRow, cells: string[], line: number): void {
  row.lines.push(cells);
  row.endLine = line;
}

function grown({ lines, ...row }: GrowingRow): RstRow {
  const parts = (column: number): string[] => lines.flatMap((cells) => cells[column] || []);
  const cells = (lines[0] ?? []).map((_, column) => parts(column).join(' '));
  return { cells, ...row };
}

/** The rows of a table that is written as a list of lists: the mark of a row stands at the margin, that of a cell two columns further in. */
export function listRows(content: readonly RstLine[], heads: number): RstRow[] {
  const rows: RstRow[] = [];
  const mark = content.find(({ text }) => text !== '')?.text.charAt(0) ?? '';
  for (const { text, number } of content) {
    if (text === '') continue;
    if (text.startsWith(`${mark} `)) rows.push({ cells: [], isHeads: rows.length < heads, startLine: number, endLine: number });
    const row = rows.at(-1);
    if (!row) continue;
    const [, isCell, said = ''] = /^([-*+](?:\s+|$))?(.*)$/.exec(text.slice(2)) ?? [];
    if (isCell !== undefined) row.cells.push(said.trim());
    else row.cells.push(`${row.cells.pop() ?? ''} ${said.trim()}`.trim());
    row.endLine = number;
  }
  return rows;
}
