import { columnHeads } from './column-heads';
import { csvChunks } from './csv-chunks';
import { OpenLists } from './open-lists';
import { piecesOf, shortChunk, type Chunk } from './passages';
import { rowText } from './row-text';
import { argumentText, directiveKind } from './rst-directives';
import { withoutRstMarkup } from './rst-inline';
import { rowsOfTable, tableLength, type RstLine, type RstRow } from './rst-tables';
import { underlinedSections, type Underlining } from './text-sections';

/** Any mark of ASCII may underline a heading, if the rule is as long as the title; a pair of colons or of full stops is other markup. */
const UNDERLINING: Underlining = {
  rule: /^(?!(?:::|\.\.)\s*$)([!-/:-@[-`{-~])\1+\s*$/,
  shortest: 1,
  isTitle: (line, isBetweenRules) =>
    line.length <= MAX_TITLE_LENGTH && (isBetweenRules || !line.startsWith(' ')) && !MARKUP.test(line) && !TRANSITION.test(line),
  mayFollow: (before) => before.trim() === '' || before.startsWith('.. ') || before.startsWith(' '),
};
const MAX_TITLE_LENGTH = 200;
const TRANSITION = /^([!-/:-@[-`{-~])\1{3,}\s*$/;
const DIRECTIVE = /^\.\. (?:\|[^|]{1,200}\| )?([A-Za-z][\w+.:-]{0,80}?):: ?(.*)$/;
const SUBSTITUTION = /^\.\. \|/;
const FOOTNOTE = /^\.\. \[[^\]]+\](?: +(.*))?$/;
/** What ends at the next blank line: the target of a link, or two full stops alone. */
const ENDS_AT_BLANK = /^\.\.(?: _.*)?$/;
/** A link without a name. */
const ANONYMOUS_TARGET = /^__ /;
const MARKUP = /^\.\.(?: |$)/;
const OPTION = /^:([A-Za-z][\w -]*):(?: +(.*))?$/;
const FIELD = /^:([^:`]{1,200}):(?:\s+(.*))?$/;
const BULLET = /^([-*+•‣⁃])(?:\s+|$)/;
/** Not “A. Smith”, which is mostly a name. */
const NUMBERED = /^(?:\(?(\d{1,3}|#|[a-z])[.)]|\(?([A-Z])\))\s+/;
/** An option of a program with its description beside it. */
const DESCRIBED_OPTION = /^((?:--?|\/)[A-Za-z]\S*(?: \S+)*?) {2,}(\S.*)$/;
const DOCTEST = /^>>> /;
const LINE_BLOCK = /^\| (?=\S)/;
/** Deeper ones are read as text, so that a hostile document does not exhaust the stack. */
const MAX_DEPTH = 40;

/** The text of a reStructuredText document (docutils), under its underlined headings: one chunk per paragraph, item, row of a table or piece of code. */
export function rstChunks(text: string): Chunk[] {
  return underlinedSections(substituted(text), UNDERLINING).flatMap(({ lines, firstLine, headings }) => {
    const reader = new SectionReader(headings.map(withoutRstMarkup));
    reader.read(
      lines.map((line, at) => ({ text: line.replaceAll('\t', '        ').trimEnd(), number: firstLine + at })),
      0,
    );
    return reader.chunks;
  });
}

/** Gathers the chunks of one section. */
class SectionReader {
  readonly chunks: Chunk[] = [];
  private readonly lists = new OpenLists();
  /** The preceding text, if it may introduce what follows. */
  private last = '';

  constructor(private readonly headings: readonly string[]) {}

  /** @param depth how many times these lines are indented */
  read(lines: readonly RstLine[], depth: number): void {
    for (let at = 0; at < lines.length;) at += Math.max(1, this.block(lines, at, depth));
  }

  /** Reads what begins at a line; returns how many lines it has read. */
  private block(lines: readonly RstLine[], at: number, depth: number): number {
    const text = lines[at]?.text ?? '';
    if (text === '') return 1;
    const table = tableLength(lines, at);
    if (table > 0) return this.table(rowsOfTable(lines.slice(at, at + table)), table);
    if (depth > MAX_DEPTH) return this.paragraph(lines, at, depth);
    if (text.startsWith(' ')) return this.indented(lines, at, depth);
    if (MARKUP.test(text)) return this.markup(lines, at, depth);
    if (BULLET.test(text) || NUMBERED.test(text)) return this.list(lines, at, depth);
    if (TRANSITION.test(text) || ANONYMOUS_TARGET.test(text)) return 1;
    const field = FIELD.exec(text) ?? DESCRIBED_OPTION.exec(text);
    if (field) return this.described(lines, at, depth, [field[1] ?? '', field[2] ?? '']);
    const isTerm = (lines[at + 1]?.text ?? '').startsWith(' ') && !text.endsWith('::');
    return isTerm ? this.described(lines, at, depth, [withoutRstMarkup(text), '']) : this.paragraph(lines, at, depth);
  }

  private indented(lines: readonly RstLine[], at: number, depth: number): number {
    const length = lengthOfBody(lines, at);
    this.read(dedented(lines.slice(at, at + length)), depth + 1);
    return length;
  }

  /** Directives, comments, footnotes and targets of links. */
  private markup(lines: readonly RstLine[], at: number, depth: number): number {
    const first = lines[at];
    const isShort = ENDS_AT_BLANK.test(first?.text ?? '') && (lines[at + 1]?.text ?? '') === '';
    const length = isShort ? 1 : 1 + lengthOfBody(lines, at + 1);
    const body = dedented(lines.slice(at + 1, at + length));
    const footnote = FOOTNOTE.exec(first?.text ?? '');
    if (first && footnote) this.read([{ ...first, text: footnote[1] ?? '' }, ...body], depth + 1);
    const [, name, argument = ''] = DIRECTIVE.exec(first?.text ?? '') ?? [];
    if (first && name !== undefined && !SUBSTITUTION.test(first.text))
      this.directive(name.toLowerCase(), { ...first, text: argument.trim() }, body, depth);
    return length;
  }

  private directive(name: string, argument: RstLine, body: readonly RstLine[], depth: number): void {
    const options = optionsOf(body);
    const content = dedented(body.slice(options.length));
    const said = argumentText(name, withoutRstMarkup(argument.text));
    switch (directiveKind(name)) {
      case 'left out':
        return;
      case 'code':
        return this.code(content, argument.text);
      case 'list-table': {
        const heads = Number.parseInt(options.find(({ name }) => name === 'header-rows')?.value ?? '0', 10);
        return void this.table(listRows(content, heads), 0);
      }
      case 'csv-table':
        return this.csvTable(content, options.find(({ name }) => name === 'header')?.value);
      case 'text':
        // Without a blank line between them, the argument and the content are one paragraph.
        return this.read([{ ...argument, text: said }, ...content], depth + 1);
      case 'term':
        if (said === '') this.read(content, depth + 1);
        else this.underTerm(said, argument, content, depth);
    }
  }

  /** A list with all its items. */
  private list(lines: readonly RstLine[], from: number, depth: number): number {
    const isNumbered = !BULLET.test(lines[from]?.text ?? '');
    const mark = isNumbered ? NUMBERED : BULLET;
    const first = Number.parseInt(mark.exec(lines[from]?.text ?? '')?.[1] ?? '1', 10);
    this.lists.open(isNumbered ? 'ol' : 'ul', this.last, '', String(Number.isNaN(first) ? 1 : first));
    this.last = '';
    let at = from;
    const style = styleOf(lines[from]?.text ?? '');
    for (let marked = mark.exec(lines[at]?.text ?? ''); marked && styleOf(marked[0]) === style; marked = mark.exec(lines[at]?.text ?? '')) {
      const { text = '', number = 0 } = lines[at] ?? {};
      const length = lengthOfBody(lines, at + 1);
      this.lists.beginItem();
      const body = dedented(lines.slice(at + 1, at + 1 + length));
      this.read([{ text: text.slice(marked[0].length), number }, ...body], depth + 1);
      at += 1 + length;
      while (lines[at]?.text === '') at += 1;
    }
    this.lists.close();
    this.last = '';
    return at - from;
  }

  /** A term, or the name of a field, with what is indented below it. */
  private described(lines: readonly RstLine[], at: number, depth: number, [term, beside]: readonly [string, string]): number {
    const length = lengthOfBody(lines, at + 1);
    const number = lines[at]?.number ?? 0;
    const below = dedented(lines.slice(at + 1, at + 1 + length));
    this.underTerm(term, { text: term, number }, beside === '' ? below : [{ text: beside, number }, ...below], depth);
    return 1 + length;
  }

  private underTerm(term: string, { number }: RstLine, content: readonly RstLine[], depth: number): void {
    // By itself it can be found, and stands there even if nothing but code is below it.
    this.text(term, number, number);
    if (content.every(({ text }) => text === '')) return;
    this.lists.open('dd', '', term);
    this.read(content, depth + 1);
    this.lists.close();
    this.last = '';
  }

  private paragraph(lines: readonly RstLine[], at: number, depth: number): number {
    let end = at;
    while ((lines[end]?.text ?? '') !== '' && !(end > at && depth <= MAX_DEPTH && MARKUP.test(lines[end]?.text ?? ''))) end += 1;
    const own = lines.slice(at, end);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return 1;
    if (DOCTEST.test(first.text)) {
      this.code(own, 'python');
      return own.length;
    }
    if (LINE_BLOCK.test(first.text)) {
      for (const { text, number } of own) this.text(withoutRstMarkup(text.replace(LINE_BLOCK, '')), number, number);
      return own.length;
    }
    const said = own.map(({ text }) => text.trim()).join(' ');
    const leadsToCode = said.endsWith('::');
    this.text(withoutRstMarkup(leadsToCode ? said.replace(/(?:^|\s)::$|:$/, '') : said), first.number, last.number);
    return leadsToCode ? end - at + this.literal(lines, end) : end - at;
  }

  /** The indented code below a paragraph that ends with two colons. */
  private literal(lines: readonly RstLine[], from: number): number {
    const length = lengthOfBody(lines, from);
    this.code(dedented(lines.slice(from, from + length)), '');
    return length;
  }

  private code(lines: readonly RstLine[], language: string): void {
    const from = lines.findIndex(({ text }) => text !== '');
    const own = from < 0 ? [] : lines.slice(from, lines.findLastIndex(({ text }) => text !== '') + 1);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return;
    const text = shortChunk(own.map((line) => line.text).join('\n'));
    const endLine = Math.min(last.number, first.number + text.split('\n').length - 1);
    this.push({ text, startLine: first.number, endLine, part: 'code', language: language.split(/\s/, 1)[0] ?? '' });
  }

  private table(rows: readonly RstRow[], length: number): number {
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
    return length;
  }

  private csvTable(content: readonly RstLine[], header: string | undefined): void {
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

  private text(text: string, startLine: number, endLine: number): void {
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

/** How an item is marked, whatever its number: a list ends where its marks change. */
const styleOf = (item: string): string => (/^\S+/.exec(item)?.[0] ?? '').replace(/\d+|#/, '1').replace(/[A-Za-z]/, 'a');

/** How many lines from here on are indented or empty, without the empty ones at the end. */
function lengthOfBody(lines: readonly RstLine[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? '';
    if (text !== '' && !text.startsWith(' ')) break;
    if (text !== '') end = at + 1;
  }
  return end - from;
}

/** The lines without the indentation that all of them have. */
function dedented(lines: readonly RstLine[]): RstLine[] {
  const widths = lines.flatMap(({ text }) => (text === '' ? [] : [text.length - text.trimStart().length]));
  const width = widths.reduce((least, other) => Math.min(least, other), Infinity);
  return lines.map(({ text, number }) => ({ text: text.slice(width), number }));
}

interface Option {
  name: string;
  value: string;
}

function optionsOf(body: readonly RstLine[]): Option[] {
  const options: Option[] = [];
  for (const { text } of body) {
    const [, name, value = ''] = OPTION.exec(text) ?? [];
    if (name === undefined) break;
    options.push({ name, value });
  }
  return options;
}

/** The rows of a table that is written as a list of lists: the mark of a row stands at the margin, that of a cell two columns further in. */
function listRows(content: readonly RstLine[], heads: number): RstRow[] {
  const rows: RstRow[] = [];
  const mark = content.find(({ text }) => text !== '')?.text.charAt(0) ?? '';
  for (const { text, number } of content) {
    if (text === '') continue;
    if (text.startsWith(`${mark} `)) rows.push({ cells: [], isHeads: rows.length < heads, startLine: number, endLine: number });
    const row = rows.at(-1);
    if (!row) continue;
    const [, isCell, said = ''] = /^([-*+](?:\s+|$))?(.*)$/.exec(text.slice(2)) ?? [];
    if (isCell !== undefined) row.cells.push(said.trim());
    else row.cells.push(`${row.cells.pop() ?? ''} ${said.trim()}`.trim());
    row.endLine = number;
  }
  return rows;
}

const REPLACEMENT = /^\.\. \|([^|\n]{1,200})\| replace:: *(\S.*)$/gm;

/** With what the document says instead of each name between bars. */
function substituted(text: string): string {
  const said = new Map(Array.from(text.matchAll(REPLACEMENT), ([, name = '', instead = '']) => [name, instead]));
  if (said.size === 0) return text;
  return text.replace(/(?<!^\.\. )\|([^|\s](?:[^|\n]{0,198}[^|\s])?)\|/gm, (whole, name: string) => said.get(name) ?? whole);
}
