import { unzipSync } from 'fflate';

import { readXml } from './read-xml';
import { shownNumber, tellingFormats } from './xlsx-formats';

/** What a workbook shows of one of its sheets, where the values alone do not tell it. Rows and columns are counted from 0. */
export interface ShownSheet {
  /** Not for a sheet of figures that is hidden, nor for one that is a chart. */
  isShown: boolean;
  hiddenRows: ReadonlySet<number>;
  isHiddenColumn: (column: number) => boolean;
  /**
   * What a cell shows in place of its value: a number with its unit, or, if it has no value, an error or that its formula was never calculated. By
   * `placeOf`.
   */
  instead: ReadonlyMap<string, string>;
}

const WORKBOOK = 'xl/workbook.xml';
const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';
const PARTS = new Set([WORKBOOK, RELATIONSHIPS, STYLES]);
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const NOT_CALCULATED = '(formula without a saved value)';

export const placeOf = (row: number, column: number): string => `${String(row)} ${String(column)}`;

/** The sheets of a workbook, in its order. */
export function shownSheets(content: Uint8Array): ShownSheet[] {
  const parts = unzipSync(content, { filter: ({ name }) => PARTS.has(name) || SHEET.test(name) });
  const targets = new Map<string, string>();
  readXml(parts[RELATIONSHIPS], (name, { Id = '', Target = '' }) => {
    if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  const formats = tellingFormats(parts[STYLES]);
  const sheets: ShownSheet[] = [];
  readXml(parts[WORKBOOK], (name, attributes) => {
    if (name !== 'sheet') return;
    const relation = Object.entries(attributes).find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1] ?? '';
    const target = targets.get(relation) ?? '';
    const isShown = (attributes['state'] ?? 'visible') === 'visible' && SHEET.test(target);
    sheets.push({ isShown, ...sheetOf(isShown ? parts[target] : undefined, formats) });
  });
  return sheets;
}

/** A cell as the file has it. */
interface CellRead {
  type: string;
  style: number;
  hasFormula: boolean;
  value: string;
}

function sheetOf(part: Uint8Array | undefined, formats: ReadonlyMap<number, string>): Omit<ShownSheet, 'isShown'> {
  const hiddenRows = new Set<number>();
  const hiddenColumns: [first: number, last: number][] = [];
  const instead = new Map<string, string>();
  let [row, column] = [-1, -1];
  let cell: CellRead = { type: '', style: 0, hasFormula: false, value: '' };
  const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true';
  readXml(
    part,
    (name, { min, max, hidden, r, t = '', s = '0' }) => {
      if (name === 'col' && isTrue(hidden)) hiddenColumns.push([Number(min) - 1, Number(max) - 1]);
      else if (name === 'row') {
        [row, column] = [r === undefined ? row + 1 : Number(r) - 1, -1];
        if (isTrue(hidden)) hiddenRows.add(row);
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        cell = { type: t, style: Number(s), hasFormula: false, value: '' };
      } else if (name === 'f') cell.hasFormula = true;
    },
    (name, text) => {
      if (name === 'v') cell.value = text;
      if (name !== 'c') return;
      const shown = shownBy(cell, formats.get(cell.style));
      if (shown !== null) instead.set(placeOf(row, column), shown);
    },
  );
  return { hiddenRows, isHiddenColumn: (at) => hiddenColumns.some(([first, last]) => at >= first && at <= last), instead };
}

/** Null if it shows its value, or nothing. */
function shownBy({ type, hasFormula, value }: CellRead, format: string | undefined): string | null {
  if (type === 'e') return value;
  // A formula may give an empty text.
  if (value === '') return hasFormula && type !== 'str' ? NOT_CALCULATED : null;
  return format !== undefined && (type === '' || type === 'n') ? shownNumber(Number(value), format) : null;
}

/** The column of a place such as "AB12". */
const columnOf = (place: string): number =>
  Array.from(place.replace(/[^A-Z]/g, '')).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 'A'.charCodeAt(0) + 1, 0) - 1;
