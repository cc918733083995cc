import { strToU8, zipSync } from 'fflate';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

function packed(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(content)]))));
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A paragraph of a Word document, by default of plain text. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** A table of a Word document that does not mark its heads. */
export const table = (...rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** The least that Word needs to open a document. */
export function docxOf(...body: readonly string[]): Buffer {
  const styles = ['Title', 'Heading 1', 'Heading 2']
    .map((name) => `<w:style w:type="paragraph" w:styleId="${name.replace(' ', '')}"><w:name w:val="${name}"/></w:style>`)
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

/** The value of a cell: a text, a number, a date (of Excel's day number) or nothing. */
export type Cell = string | number | { day: number } | null;

/** The least that Excel needs to open a workbook, with its sheets by name. */
export function xlsxOf(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const names = Object.keys(sheets);
  const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const listed = names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${String(at + 1)}" r:id="r${String(at + 1)}"/>`).join('');
  const related = names
    .map((_, at) => `<Relationship Id="r${String(at + 1)}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${String(at + 1)}.xml"/>`)
    .join('');
  const written = Object.values(sheets).map((rows, at): [string, string] => [
    `xl/worksheets/sheet${String(at + 1)}.xml`,
    `${XML}<worksheet ${spreadsheet}><sheetData>${rows.map(rowOf).join('')}</sheetData></worksheet>`,
  ]);
  return packed({
    '_rels/.rels': `${XML}<Relationships ${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${spreadsheet} xmlns:r="${OFFICE}"><sheets>${listed}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships ${PACKAGE}/relationships">${related}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${spreadsheet}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(written),
  });
}

function rowOf(cells: readonly Cell[], at: number): string {
  const row = String(at + 1);
  const written = cells.map((cell, column) => {
    const place = `${String.fromCharCode('A'.charCodeAt(0) + column)}${row}`;
    if (cell === null) return '';
    if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    return typeof cell === 'number' ? `<c r="${place}"><v>${String(cell)}</v></c>` : `<c r="${place}" s="1"><v>${String(cell.day)}</v></c>`;
  });
  return `<row r="${row}">${written.join('')}</row>`;
}
