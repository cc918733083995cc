import { collapseWhiteSpace } from '@lib/language/white-space';
import readSheets from 'read-excel-file/node';

import { boundText } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import { valueChunks } from './value-chunks';

/** The precision of Excel; more digits of a fraction are noise: 0.1 + 0.2. */
const DIGITS = 15;
/** A time of day without a date has this one in Excel. */
const NO_DAY = '1899-12-30T';
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
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dateText(value);
  if (typeof value === 'number') return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS)));
  if (typeof value === 'string') return collapseWhiteSpace(value);
  return typeof value === 'boolean' ? String(value) : '';
}

/** To the second: a part of a day is a fraction, which is seldom exact. */
function dateText(value: Date): string {
  const written = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  const moment = written.replace(MIDNIGHT, '').replace(/(?::00)?\.000Z$/, '');
  return moment.startsWith(NO_DAY) ? moment.slice(NO_DAY.length) : moment;
}
