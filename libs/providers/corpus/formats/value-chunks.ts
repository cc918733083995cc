import { columnHeads } from './column-heads';
import { shortChunk, type Chunk } from './passages';
import { rowText } from './row-text';

/** Heads name what is below them; a number in their place, other than a year, is a value. */
const IS_VALUE = /^(?!(?:19|20)\d\d$)[-+(]?[£$€]?\s?\d[\d\s.,:/-]*[%)]?$/;

/** How many rows tell how wide a table is. */
const LOOKED_AT = 100;

/** A row of a table of values that is not empty. */
export interface ValueRow {
  cells: string[];
  startLine: number;
  endLine: number;
}

/** A chunk for each row, with the heads of the columns if there are any. */
export function valueChunks(rows: readonly ValueRow[], headings: readonly string[]): Chunk[] {
  const heads = headsOf(rows);
  const headsAt = heads ? rows.indexOf(heads) : rows.length;
  const header = columnHeads(heads?.cells ?? [], rows.length);
  return rows.map((row, at): Chunk => {
    const { cells, startLine, endLine } = row;
    const chunk = { headings, text: shortChunk(rowText(cells)), startLine, endLine };
    if (row === heads) return { ...chunk, part: 'heads' };
    return heads && header !== '' && at > headsAt
      ? { ...chunk, part: 'row', header, headerLine: heads.startLine }
      : { ...chunk, part: 'row' };
  });
}

/** The first row that is about as full as most, unless it holds values: titles and dates above a table are shorter. */
function headsOf(rows: readonly ValueRow[]): ValueRow | undefined {
  const first = rows.slice(0, LOOKED_AT);
  const filled = first.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const [[usual = 0] = []] = Array.from(Map.groupBy(filled, (count) => count)).sort(([, left], [, right]) => right.length - left.length);
  const least = Math.max(2, usual > 3 ? usual - 1 : usual);
  const heads = first.find((_, at) => (filled[at] ?? 0) >= least);
  return heads?.cells.some((cell) => IS_VALUE.test(cell)) ? undefined : heads;
}
