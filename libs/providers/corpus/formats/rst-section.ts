import { columnHeads } from './table-heads';
import { csvChunks } from './csv-chunks';
import { OpenLists } from './open-lists';
import { piecesOf, shortChunk, type Chunk } from './passages';
import { rowText } from './row-text';
import { withoutRstMarkup } from './rst-inline';
import type { RstLine } from './rst-lines';
import type { RstRow } from './rst-tables';

/** Gathers the chunks of one section of a document. */
export class RstSection {
  readonly chunks: Chunk[] = [];
  readonly lists = new OpenLists();
  /** The preceding text, if it may introduce what follows. */
  last = '';

  constructor(private readonly headings: readonly string[]) {}

  code(lines: readonly RstLine[], language: string): void {
    const from = lines.findIndex(({ text }) => text !== '');
    const own = from < 0 ? [] : lines.slice(from, lines.findLastIndex(({ text }) => text !== '') + 1);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return;
    const text = shortChunk(own.map((line) => line.text).join('\n'));
    const endLine = Math.min(last.number, first.number + text.split('\n').length - 1);
    this.push({ text, startLine: first.number, endLine, part: 'code', language: language.split(/\s/, 1)[0] ?? '' });
  }

  table(rows: readonly RstRow[]): void {
    const heads = rows.filter(({ isHeads }) => isHeads);
    const header = columnHeads(
      (heads[0]?.cells ?? []).map((_, column) => headOf(heads, column)),
      rows.length,
    );
    for (const { cells, isHeads, startLine, endLine } of rows) {
      const text = shortChunk(rowText(cells.map(withoutRstMarkup)));
      if (text === '') continue;
      const own = header === '' || isHeads ? {} : { header, headerLine: heads[0]?.startLine ?? startLine };
      this.push({ text, startLine, endLine, part: isHeads ? 'heads' : 'row', ...own });
    }
    this.last = '';
  }

  csvTable(content: readonly RstLine[], header: string | undefined): void {
    const [first] = content;
    if (!first) return;
    const above = header === undefined ? 0 : 1;
    const lines = [...(header === undefined ? [] : [header]), ...content.map(({ text }) => text)];
    for (const { headings: _, ...row } of csvChunks(lines.join('\n'), '.csv')) {
      const shift = first.number - 1 - above;
      const place = { startLine: Math.max(first.number, row.startLine + shift), endLine: Math.max(first.number, row.endLine + shift) };
      this.push({ ...row, ...place, ...(row.headerLine !== undefined && { headerLine: Math.max(first.number, row.headerLine + shift) }) });
    }
    this.last = '';
  }

  text(text: string, startLine: number, endLine: number): void {
    if (text === '') return;
    for (const piece of piecesOf(text)) this.push({ text: piece, startLine, endLine, ...this.lists.itemOf() });
    this.last = shortChunk(text);
  }

  private push(chunk: Omit<Chunk, 'headings'>): void {
    this.chunks.push({ headings: this.headings, ...chunk });
  }
}

const headOf = (heads: readonly RstRow[], column: number): string =>
  [...new Set(heads.map(({ cells }) => withoutRstMarkup(cells[column] ?? '')))].filter((head) => head !== '').join(' ');
