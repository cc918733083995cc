import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';

/** What a workbook shows of one of its sheets, where the values alone do not tell it. Rows and columns are counted from 0. */
export interface ShownSheet {
  /** Not for a sheet of figures that is hidden, nor for one that is a chart. */
  isShown: boolean;
  hiddenRows: ReadonlySet<number>;
  isHiddenColumn: (column: number) => boolean;
  /** What a cell shows that has no value: an error, or that its formula was never calculated. By `placeOf`. */
  instead: ReadonlyMap<string, string>;
}

const WORKBOOK = 'xl/workbook.xml';
const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const NOT_CALCULATED = '(formula without a saved value)';

export const placeOf = (row: number, column: number): string => `${String(row)} ${String(column)}`;

/** The sheets of a workbook, in its order. */
export function shownSheets(content: Uint8Array): ShownSheet[] {
  const parts = unzipSync(content, { filter: ({ name }) => name === WORKBOOK || name === RELATIONSHIPS || SHEET.test(name) });
  const targets = new Map<string, string>();
  readXml(parts[RELATIONSHIPS], (name, { Id = '', Target = '' }) => {
    if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  });
  const sheets: ShownSheet[] = [];
  readXml(parts[WORKBOOK], (name, attributes) => {
    if (name !== 'sheet') return;
    const relation = Object.entries(attributes).find(([attribute]) => /(?:^|:)id$/.test(attribute))?.[1] ?? '';
    const target = targets.get(relation) ?? '';
    const isShown = (attributes['state'] ?? 'visible') === 'visible' && SHEET.test(target);
    sheets.push({ isShown, ...sheetOf(isShown ? parts[target] : undefined) });
  });
  return sheets;
}

function sheetOf(part: Uint8Array | undefined): Omit<ShownSheet, 'isShown'> {
  const hiddenRows = new Set<number>();
  const hiddenColumns: [first: number, last: number][] = [];
  const instead = new Map<string, string>();
  let [row, column] = [-1, -1];
  let cell = { type: '', hasFormula: false, value: '' };
  const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true';
  readXml(
    part,
    (name, { min, max, hidden, r, t }) => {
      if (name === 'col' && isTrue(hidden)) hiddenColumns.push([Number(min) - 1, Number(max) - 1]);
      else if (name === 'row') {
        [row, column] = [r === undefined ? row + 1 : Number(r) - 1, -1];
        if (isTrue(hidden)) hiddenRows.add(row);
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        cell = { type: t ?? '', hasFormula: false, value: '' };
      } else if (name === 'f') cell.hasFormula = true;
    },
    (name, text) => {
      if (name === 'v') cell.value = text;
      if (name !== 'c') return;
      if (cell.type === 'e') instead.set(placeOf(row, column), cell.value);
      // A formula may give an empty text.
      else if (cell.hasFormula && cell.value === '' && cell.type !== 'str') instead.set(placeOf(row, column), NOT_CALCULATED);
    },
  );
  return { hiddenRows, isHiddenColumn: (at) => hiddenColumns.some(([first, last]) => at >= first && at <= last), instead };
}

/** The column of a place such as "AB12". */
const columnOf = (place: string): number =>
  Array.from(place.replace(/[^A-Z]/g, '')).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 'A'.charCodeAt(0) + 1, 0) - 1;

/** Calls back for each element of a part, whatever its prefix, and at its end with the text since the last tag. */
function readXml(
  part: Uint8Array | undefined,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
  close: (name: string, text: string) => void = () => undefined,
): void {
  const bare = (name: string): string => name.slice(name.indexOf(':') + 1);
  let said = '';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        said = '';
        open(bare(name), attributes);
      },
      ontext: (text) => void (said += text),
      onclosetag: (name) => {
        close(bare(name), said);
        said = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(part));
}
