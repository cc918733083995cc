import { shortChunk, type Chunk } from './passages';
import { rowText } from './row-text';

/** Heads name what is below them; a number in their place, other than a year, is a value. */
const IS_VALUE = /^(?!(?:19|20)\d\d$)[-+(]?[£$€]?\s?\d[\d\s.,:/-]*[%)]?$/;

/** A row of a table of values that is not empty. */
export interface ValueRow {
  cells: string[];
  startLine: number;
  endLine: number;
}

/** A chunk for each row; those below the first full row have it as their heads, unless it holds values. */
export function valueChunks(rows: readonly ValueRow[], headings: readonly string[]): Chunk[] {
  const first = rows.find(({ cells }) => cells.filter((cell) => cell !== '').length > 1);
  const heads = first?.cells.some((cell) => IS_VALUE.test(cell)) ? undefined : first;
  const headsAt = heads ? rows.indexOf(heads) : rows.length;
  const header = shortChunk(rowText(heads?.cells ?? []));
  return rows.map((row, at): Chunk => {
    const { cells, startLine, endLine } = row;
    const chunk = { headings, text: shortChunk(rowText(cells)), startLine, endLine };
    if (row === heads) return { ...chunk, part: 'heads' };
    return heads && at > headsAt ? { ...chunk, part: 'row', header, headerLine: heads.startLine } : { ...chunk, part: 'row' };
  });
}
