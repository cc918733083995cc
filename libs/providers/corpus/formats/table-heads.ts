import { rowText } from './row-text';

/** Heads name what is below them; a number in their place, other than a year, is a value. */
const IS_VALUE = /^(?!(?:19|20)\d\d$)[-+(]?[£$€]?\s?\d[\d\s.,:/-]*[%)]?$/;

const IS_DATE = /^\d{4}-\d\d-\d\d$/;
/** How many rows tell how wide a table is. */
const LOOKED_AT = 100;

/** Longer heads are those of a table that no row could be read with. */
const MAX_LENGTH = 2_000;
/** Each row is kept with its heads, so those of a file of rows must not fill the memory. */
const MAX_TOTAL_LENGTH = 16_000_000;

/** The heads of a table in one line; empty if they are too long for so many rows. */
export function columnHeads(cells: readonly string[], rows: number): string {
  const heads = rowText(cells);
  return heads.length > MAX_LENGTH || heads.length * rows > MAX_TOTAL_LENGTH ? '' : heads;
}

/** A row of a table, as far as its heads are concerned. */
interface Row {
  cells: readonly string[];
}

/**
 * Whether the first row of a table that does not mark its heads, and may have none, names its columns. Heads contain no digits. With two columns a
 * first row may also be a name and its value, so then every row below must contain digits.
 */
export function beginsWithHeads([first, ...others]: readonly Row[]): boolean {
  const isHeads = first?.cells.every((cell) => cell !== '' && !/\p{N}/u.test(cell)) ?? false;
  return isHeads && (first?.cells.length !== 2 || others.every(({ cells }) => cells.some((cell) => /\p{N}/u.test(cell))));
}

/** Of a table of values, which mostly has heads: the first row that is about as full as most, unless it holds values. Titles above a table are shorter. */
export function fullHeads<Named extends Row>(rows: readonly Named[]): Named | undefined {
  const first = rows.slice(0, LOOKED_AT);
  const filled = first.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const [[usual = 0] = []] = Array.from(Map.groupBy(filled, (count) => count)).sort(([, left], [, right]) => right.length - left.length);
  const least = Math.max(2, usual > 3 ? usual - 1 : usual);
  const heads = first.find((_, at) => (filled[at] ?? 0) >= least);
  if (!heads?.cells.some((cell) => IS_VALUE.test(cell))) return heads;
  return areDates(heads, first[first.indexOf(heads) + 1]) ? heads : undefined;
}

/** Whether all values of a row are dates, several, and stand above other values: months above a plan. */
function areDates({ cells }: Row, below: Row | undefined): boolean {
  const columns = [...cells.keys()].filter((column) => IS_VALUE.test(cells[column] ?? ''));
  const isDate = (cell: string | undefined): boolean => IS_DATE.test(cell ?? '');
  return columns.length > 1 && columns.every((column) => isDate(cells[column]) && !isDate(below?.cells[column]));
}
