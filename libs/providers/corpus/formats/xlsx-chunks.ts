import { collapseWhiteSpace } from '@lib/language/white-space';
import readSheets, { type Sheet, type SheetData } from 'read-excel-file/node';

import { boundText } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import { valueChunks, type ValueRow } from './value-chunks';
import { placeOf, shownSheets, type ShownSheet } from './xlsx-shown';

/** The precision of Excel; more digits of a fraction are noise: 0.1 + 0.2. */
const DIGITS = 15;
/** A time of day without a date has this one in Excel. */
const NO_DAY = '1899-12-30T';
const MIDNIGHT = 'T00:00:00.000Z';

/**
 * The rows of a workbook (Office Open XML), its sheets as sections and the numbers of its rows as lines. Formulas are read as what they gave when
 * the workbook was saved; what Excel does not show is left out. It may take any time and memory, so `ReaderProcess` calls it. Throws `NotADocument`.
 */
export async function xlsxText(content: Uint8Array): Promise<DocumentText> {
  const { sheets, shown } = await workbookOf(content);
  const chunks = sheets.flatMap(({ sheet, data }, at) => {
    const shows = shown[at];
    return shows?.isShown ? valueChunks(rowsOf(data, shows), [sheet]) : [];
  });
  boundText(chunks.map(({ text }) => text));
  return { title: undefined, chunks };
}

async function workbookOf(content: Uint8Array): Promise<{ sheets: Sheet[]; shown: ShownSheet[] }> {
  try {
    return { sheets: await readSheets(Buffer.from(content)), shown: shownSheets(content) };
  } catch (error) {
    throw new NotADocument('it is no workbook of Excel 2007 or later, or a broken or encrypted one', { cause: error });
  }
}

/** The rows that are shown. */
function rowsOf(data: SheetData, { hiddenRows, isHiddenColumn, instead }: ShownSheet): ValueRow[] {
  return data.flatMap((values, row) => {
    if (hiddenRows.has(row)) return [];
    const cells = values.flatMap((value, column) => (isHiddenColumn(column) ? [] : [instead.get(placeOf(row, column)) ?? cellText(value)]));
    return [{ cells, startLine: row + 1, endLine: row + 1 }];
  });
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
