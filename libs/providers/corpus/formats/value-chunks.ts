import { shortChunk, type Chunk } from './passages';
import { rowText } from './row-text';
import { columnHeads, fullHeads } from './table-heads';

/** A row of a table of values, which may be empty. */
export interface ValueRow {
  cells: string[];
  startLine: number;
  endLine: number;
}

/** A chunk for each row, with the heads of its columns if its table has any. */
export const valueChunks = (rows: readonly ValueRow[], headings: readonly string[]): Chunk[] =>
  tablesIn(rows).flatMap((table) => chunksOf(table, headings));

/**
 * Several tables may stand below each other: behind two empty lines, or behind one if it begins with a title. Within a table an empty line only parts
 * groups of rows.
 */
function tablesIn(rows: readonly ValueRow[]): ValueRow[][] {
  const tables: ValueRow[][] = [];
  let emptyAbove = 0;
  // Titles belong to what comes below them.
  let hasRows = false;
  for (const row of rows) {
    const filled = row.cells.filter((cell) => cell !== '').length;
    if (filled === 0) {
      emptyAbove += 1;
      continue;
    }
    const begins: boolean = hasRows && (emptyAbove >= 2 || (emptyAbove === 1 && filled === 1));
    const table = begins ? undefined : tables.at(-1);
    if (table) table.push(row);
    else tables.push([row]);
    hasRows = filled > 1 || (hasRows && !begins);
    emptyAbove = 0;
  }
  return tables;
}

function chunksOf(rows: readonly ValueRow[], headings: readonly string[]): Chunk[] {
  const heads = fullHeads(rows);
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
