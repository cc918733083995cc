import { rowText } from './row-text';

/** A cell of a table in a page. */
interface Cell {
  text: string;
  isHead: boolean;
  /** How many columns and rows the cell spans. */
  columns: number;
  rows: number;
}

/** A table of a page while it is being read. */
export interface HtmlTable {
  heads: readonly string[];
  /** The heads in one line. */
  header: string;
  /** The line in which the heads begin. */
  headLine?: number;
  /** By column, the cells from above that still span the coming rows. */
  spans: { text: string; left: number }[];
  isInHead: boolean;
  row: HtmlRow | undefined;
}

interface HtmlRow {
  cells: Cell[];
  /** The index of its first text among the chunks. */
  at: number;
  /** The row holds headings or tables, so it only lays out the page. */
  isLayout: boolean;
}

/** The text of a row, with the heads of its columns if there are any. */
export interface ReadRow {
  text: string;
  isHeads: boolean;
  header: string;
}

const MAX_COLUMNS = 100;
const MAX_ROWS = 1_000;
/** A longer row belongs to a table that lays out the page. */
const MAX_ROW_LENGTH = 2_000;

export const newTable = (): HtmlTable => ({ heads: [], header: '', spans: [], isInHead: false, row: undefined });

export function addCell({ row, isInHead }: HtmlTable, name: string, attributes: Readonly<Record<string, string>>): void {
  const columns = spanOf(attributes['colspan'], MAX_COLUMNS);
  row?.cells.push({ text: '', isHead: isInHead || name === 'th', columns, rows: spanOf(attributes['rowspan'], MAX_ROWS) });
}

/** Adds text to the cell that was added last, up to the length at which its row is too long in any case. */
export function addText({ row }: HtmlTable, text: string): void {
  const cell = row?.cells.at(-1);
  if (cell && cell.text.length <= MAX_ROW_LENGTH) cell.text = `${cell.text} ${text}`.trim().slice(0, MAX_ROW_LENGTH + 1);
}

/** Ends the current row. Null if it holds no data: then its texts stand by themselves. */
export function endRow(table: HtmlTable): ReadRow | null {
  const { row } = table;
  table.row = undefined;
  if (!row) return null;
  const cells = placed(row.cells, table.spans);
  const text = rowText(cells);
  const isData = !row.isLayout && cells.filter((cell) => cell !== '').length > 1 && text.length <= MAX_ROW_LENGTH;
  if (!isData) return null;
  const isHeads = row.cells.every(({ isHead }) => isHead);
  if (isHeads) addHeads(table, cells);
  return { text, isHeads, header: table.header };
}

/** Adds a row of heads, unless the heads would become longer than any row may be. */
function addHeads(table: HtmlTable, cells: readonly string[]): void {
  const heads = cells.map((cell, column) => below(table.heads[column] ?? '', cell));
  const header = rowText(heads);
  if (header.length <= MAX_ROW_LENGTH) Object.assign(table, { heads, header });
}

/** Puts every cell into its columns, together with the cells above that span this row. */
function placed(cells: readonly Cell[], spans: HtmlTable['spans']): string[] {
  const row: string[] = [];
  const fill = (): void => {
    for (let span = spans[row.length]; span && span.left > 0; span = spans[row.length]) {
      span.left -= 1;
      row.push(span.text);
    }
  };
  for (const { text, columns, rows } of cells) {
    fill();
    for (let column = 0; column < columns && row.length < MAX_COLUMNS; column += 1) {
      spans[row.length] = { text, left: rows - 1 };
      row.push(text);
    }
  }
  fill();
  return row;
}

/** Joins a head with the one above that spans several columns: "2024 summer". */
const below = (head: string, cell: string): string => (head === '' || head === cell ? cell : `${head} ${cell}`);

function spanOf(attribute: string | undefined, most: number): number {
  const span = Number.parseInt(attribute ?? '', 10);
  return span >= 1 ? Math.min(span, most) : 1;
}
