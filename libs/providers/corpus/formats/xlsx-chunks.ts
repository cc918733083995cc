import { collapseWhiteSpace } from '@lib/language/white-space';
import readSheets from 'read-excel-file/node';

import { boundText } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import { valueChunks } from './value-chunks';

/** More digits than this are noise of binary fractions: 0.1 + 0.2. */
const DIGITS = 12;
const MIDNIGHT = 'T00:00:00.000Z';

/**
 * The rows of a workbook (Office Open XML), its sheets as sections and the numbers of its rows as lines. Formulas are read as what they gave when
 * the workbook was saved. It may take any time and memory, so `ReaderProcess` calls it. Throws `NotADocument`.
 */
export async function xlsxText(content: Uint8Array): Promise<DocumentText> {
  const sheets = await readSheets(Buffer.from(content)).catch((error: unknown) => {
    throw new NotADocument('it is no workbook of Excel 2007 or later, or a broken or encrypted one', { cause: error });
  });
  const chunks = sheets.flatMap(({ sheet, data }) => {
    const rows = data.map((row, at) => ({ cells: row.map(cellText), startLine: at + 1, endLine: at + 1 }));
    return valueChunks(
      rows.filter(({ cells }) => cells.some((cell) => cell !== '')),
      [sheet],
    );
  });
  boundText(chunks.map(({ text }) => text));
  return { title: undefined, chunks };
}

function cellText(value: unknown): string {
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .replace(MIDNIGHT, '')
          .replace(/:00\.000Z$/, '');
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  if (typeof value === 'string') return collapseWhiteSpace(value);
  return typeof value === 'boolean' ? String(value) : '';
}
