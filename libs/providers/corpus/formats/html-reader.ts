import { firstWhere } from '../../edits';
import { ENDS_CODE, isInline, isInvisible, isLabel, languageOf } from './html-elements';
import { OpenLists, isList } from './open-lists';
import { addCell, addText, endRow, newTable, type HtmlTable } from './html-table';
import { piecesOf, shortChunk, splitAtBlankLines, type Chunk, type DocumentText } from './passages';

/** Longer code is really a text without markup, such as an RFC or a mail. */
const MAX_CODE_LINES = 40;
/** The summary of a `<details>` element acts as a heading above its content, below all other headings. */
const SUMMARY_DEPTH = 7;
const HEADING = /^h([1-6])$/;
const MAX_TITLE_LENGTH = 500;

/** Gathers the text of a page from its elements. */
export class HtmlReader implements DocumentText {
  title: string | undefined;
  readonly chunks: Chunk[] = [];
  private readonly above: { title: string; depth: number }[] = [];
  private headings: readonly string[] = [];
  private readonly lineStarts: number[];
  private invisible = 0;
  /** How many headings, summaries and terms are open. */
  private labels = 0;
  /** The language of the open code element; undefined outside of code. */
  private code: string | undefined;
  private inTitle = false;
  /** The open tables, outermost first. */
  private readonly tables: HtmlTable[] = [];
  private readonly lists = new OpenLists();
  /** The preceding text, if it may introduce what follows. */
  private last = '';
  private term = '';
  private words = '';
  /** Whether the words so far end with a line break. Asking `words` itself would copy the whole string at each element. */
  private endsLine = false;
  private start = 0;
  private end = 0;

  constructor(html: string) {
    this.lineStarts = [0, ...Array.from(html.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    // A drawing may have a title of its own.
    if (name === 'title' && this.invisible === 0) this.inTitle = this.title === undefined;
    if (isInvisible(name, this.labels > 0)) this.invisible += 1;
    if (isLabel(name)) this.labels += 1;
    if (name === 'code' && this.code === '') this.code = languageOf(attributes);
    if (isInline(name, this.labels > 0) || this.isWithinCode(name)) return;
    this.flush();
    this.code = name === 'pre' ? languageOf(attributes) : undefined;
    if (isList(name)) {
      this.lists.open(name, this.last, this.term, attributes['start']);
      this.last = '';
    } else if (name === 'li') this.lists.beginItem();
    const table = this.tables.at(-1);
    if (name === 'table') this.openTable();
    else if (name === 'thead' && table) table.isInHead = true;
    else if (name === 'tr' && table) table.row = { cells: [], at: this.chunks.length, isLayout: false };
    else if ((name === 'td' || name === 'th') && table) {
      this.last = '';
      addCell(table, name, attributes);
    }
  }

  close(name: string): void {
    if (name === 'title' && this.inTitle) {
      this.inTitle = false;
      this.title = this.title?.trimEnd();
    }
    if (isInvisible(name, this.labels > 0)) this.invisible = Math.max(0, this.invisible - 1);
    if (isLabel(name)) this.labels = Math.max(0, this.labels - 1);
    const depth = HEADING.exec(name)?.[1];
    if (depth) return this.heading(Number(depth));
    if (name === 'summary') return this.heading(SUMMARY_DEPTH);
    if (isInline(name, this.labels > 0) || (name !== 'pre' && this.isWithinCode(name))) return;
    this.flush();
    this.code = undefined;
    if (name === 'details') this.closeHeadings(SUMMARY_DEPTH);
    const table = this.tables.at(-1);
    if (name === 'dt') this.term = this.last;
    if (isList(name)) {
      this.lists.close();
      this.last = '';
    } else if (name === 'table') this.tables.pop();
    else if (name === 'thead' && table) table.isInHead = false;
    else if (name === 'tr' && table) this.row(table);
  }

  text(text: string, start: number, end: number): void {
    if (this.inTitle) this.title = `${this.title ?? ''}${text}`.replace(/\s+/g, ' ').trimStart().slice(0, MAX_TITLE_LENGTH) || undefined;
    if (this.invisible > 0 || (text.trim() === '' && this.words === '')) return;
    if (this.words === '') this.start = start + text.length - text.trimStart().length;
    if (text.trim() !== '') this.end = end - (text.length - text.trimEnd().length);
    this.words += text;
    this.endsLine = text.endsWith('\n');
  }

  flush(): void {
    if (this.code !== undefined && this.words.trim() !== '') return this.flushCode(this.code);
    const text = this.words.replace(/\s+/g, ' ').trim();
    this.words = '';
    if (text === '') return;
    const place = { startLine: this.lineOf(this.start), endLine: this.lineOf(this.end) };
    const { headings } = this;
    for (const piece of piecesOf(text)) this.chunks.push({ headings, text: piece, ...place, ...this.lists.itemOf() });
    this.last = shortChunk(text);
    const table = this.tables.at(-1);
    if (table) addText(table, this.last);
  }

  private heading(depth: number): void {
    const title = this.words.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
    this.words = '';
    this.last = '';
    if (title === '') return;
    this.closeHeadings(depth);
    this.above.push({ title, depth });
    this.headings = this.above.map((heading) => heading.title);
    this.layOut();
  }

  private closeHeadings(depth: number): void {
    while ((this.above.at(-1)?.depth ?? 0) >= depth) this.above.pop();
    this.headings = this.above.map((heading) => heading.title);
  }

  /** Inside code, elements are only lines and words of it. */
  private isWithinCode(name: string): boolean {
    if (this.code === undefined || ENDS_CODE.test(name)) return false;
    if (this.words !== '' && !this.endsLine) this.words += '\n';
    this.endsLine = true;
    return true;
  }

  private flushCode(language: string): void {
    const lines = this.words
      .replace(/^\s*\n/, '')
      .trimEnd()
      .split(/\r?\n/);
    const startLine = this.lineOf(this.start);
    this.words = '';
    const { headings } = this;
    if (lines.length > MAX_CODE_LINES) this.chunks.push(...splitAtBlankLines(lines, startLine, headings));
    else
      this.chunks.push({ headings, text: shortChunk(lines.join('\n')), startLine, endLine: this.lineOf(this.end), part: 'code', language });
    const table = this.tables.at(-1);
    if (table) addText(table, lines.join(' '));
  }

  private openTable(): void {
    this.layOut();
    this.tables.push(newTable());
  }

  /** Marks the open row as one that only lays out the page, because it holds headings or a table. */
  private layOut(): void {
    const row = this.tables.at(-1)?.row;
    if (row) row.isLayout = true;
  }

  /** Merges the texts of a row into one chunk. */
  private row(table: HtmlTable): void {
    const at = table.row?.at ?? this.chunks.length;
    const read = endRow(table);
    const first = this.chunks[at];
    if (!read || !first) return;
    const endLine = this.chunks.at(-1)?.endLine ?? first.endLine;
    const { headings, startLine } = first;
    if (read.isHeads) table.headLine ??= startLine;
    const header = read.isHeads || read.header === '' ? {} : { header: read.header, ...(table.headLine && { headerLine: table.headLine }) };
    const part = read.isHeads ? 'heads' : 'row';
    this.chunks.splice(at, Infinity, { headings, text: shortChunk(read.text), startLine, endLine, ...header, part });
    this.last = '';
  }

  /** Line number of an offset, from 1. */
  private lineOf(offset: number): number {
    return firstWhere(this.lineStarts, (start) => start > offset);
  }
}
