import { strToU8, zipSync } from 'fflate';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

function packed(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(content)]))));
}

const WORD =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A paragraph of a Word document, by default of plain text. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** A run of text with a format. */
export const run = (text: string, format = ''): string =>
  `<w:r>${format && `<w:rPr>${format}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;

/** A table of a Word document that does not mark its heads. */
export const table = (...rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** The least that Word needs to open a document. */
export function docxOf(...body: readonly string[]): Buffer {
  const styles = ['Title', 'Heading 1', 'Heading 2', 'toc 1', 'Secret']
    .map((name) => {
      const format = name === 'Secret' ? '<w:rPr><w:vanish/></w:rPr>' : '';
      return `<w:style w:type="paragraph" w:styleId="${name.replace(' ', '')}"><w:name w:val="${name}"/>${format}</w:style>`;
    })
    .join('');
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return packed({
    '[Content_Types].xml': `${XML}<Types ${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `${XML}<Relationships ${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships ${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `${XML}<w:styles ${WORD}>${styles}</w:styles>`,
    'word/document.xml': `${XML}<w:document ${WORD}><w:body>${body.join('')}</w:body></w:document>`,
  });
}

/** The value of a cell: a text, a number, one with a format, a date (of Excel's day number), an error, a formula that was never calculated, or nothing. */
export type Cell =
  | string
  | number
  | { number: number; format: string | { builtIn: number } }
  | { day: number }
  | { error: string }
  | { formula: string }
  | null;

/** What of a workbook Excel does not show, or is no table. Rows and columns from 1. */
interface Hidden {
  sheets?: Readonly<Record<string, 'hidden' | 'veryHidden'>>;
  charts?: readonly string[];
  rows?: readonly number[];
  columns?: readonly number[];
}

/** The least that Excel needs to open a workbook, with its sheets by name. */
export function xlsxOf(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>, hidden: Hidden = {}): Buffer {
  const names = Object.keys(sheets);
  const { charts = [], columns = [] } = hidden;
  const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const kindOf = (name: string): string => (charts.includes(name) ? 'chartsheet' : 'worksheet');
  const pathOf = (name: string, at: number): string => `${kindOf(name)}s/sheet${String(at + 1)}.xml`;
  const listed = names.map((name, at) => {
    const state = hidden.sheets?.[name];
    return `<sheet name="${escaped(name)}" sheetId="${String(at + 1)}"${state ? ` state="${state}"` : ''} r:id="r${String(at + 1)}"/>`;
  });
  const related = names.map(
    (name, at) => `<Relationship Id="r${String(at + 1)}" Type="${OFFICE}/${kindOf(name)}" Target="${pathOf(name, at)}"/>`,
  );
  const cols = columns.map((column) => `<col min="${String(column)}" max="${String(column)}" width="9" hidden="1"/>`).join('');
  const formats = new Formats();
  const written = Object.entries(sheets).map(([name, rows], at): [string, string] => [
    `xl/${pathOf(name, at)}`,
    charts.includes(name)
      ? `${XML}<chartsheet ${spreadsheet}/>`
      : `${XML}<worksheet ${spreadsheet}>${cols && `<cols>${cols}</cols>`}<sheetData>${rows.map((row, line) => rowOf(row, line, formats, hidden.rows)).join('')}</sheetData></worksheet>`,
  ]);
  return packed({
    '_rels/.rels': `${XML}<Relationships ${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${spreadsheet} xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships ${PACKAGE}/relationships">${related.join('')}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${spreadsheet}>${formats.written()}</styleSheet>`,
    ...Object.fromEntries(written),
  });
}

/** The formats of numbers in a workbook. Those of its own have ids from 164 on. */
class Formats {
  private readonly own: string[] = [];
  private readonly used = ['0', '22'];

  /** The style of a cell with this format. */
  styleOf(format: string | { builtIn: number }): number {
    if (typeof format === 'string') this.own.push(format);
    return this.used.push(String(typeof format === 'string' ? 163 + this.own.length : format.builtIn)) - 1;
  }

  written(): string {
    const own = this.own
      .map((code, at) => `<numFmt numFmtId="${String(164 + at)}" formatCode="${escaped(code).replaceAll('"', '&quot;')}"/>`)
      .join('');
    const used = this.used.map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('');
    return `<numFmts>${own}</numFmts><cellStyleXfs count="1"><xf numFmtId="9"/></cellStyleXfs><cellXfs>${used}</cellXfs>`;
  }
}

function rowOf(cells: readonly Cell[], at: number, formats: Formats, hidden: readonly number[] = []): string {
  const row = String(at + 1);
  const written = cells.map((cell, column) =>
    cell === null ? '' : cellOf(cell, formats, `${String.fromCharCode('A'.charCodeAt(0) + column)}${row}`),
  );
  return `<row r="${row}"${hidden.includes(at + 1) ? ' hidden="1"' : ''}>${written.join('')}</row>`;
}

function cellOf(cell: NonNullable<Cell>, formats: Formats, place: string): string {
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${place}"><v>${String(cell)}</v></c>`;
  if ('number' in cell) return `<c r="${place}" s="${String(formats.styleOf(cell.format))}"><v>${String(cell.number)}</v></c>`;
  if ('day' in cell) return `<c r="${place}" s="1"><v>${String(cell.day)}</v></c>`;
  return 'error' in cell ? `<c r="${place}" t="e"><v>${cell.error}</v></c>` : `<c r="${place}"><f>${cell.formula}</f><v></v></c>`;
}
