import type { Chunk } from './passages';
import { argumentText, directiveKind } from './rst-directives';
import { withoutRstMarkup } from './rst-inline';
import { dedented, lengthOfBody, optionsOf, type RstLine } from './rst-lines';
import { RstSection } from './rst-section';
import { substituted } from './rst-substitutions';
import { listRows, rowsOfTable, tableLength } from './rst-tables';
import { MARKUP, TRANSITION, UNDERLINING } from './rst-titles';
import { underlinedSections } from './text-sections';

const DIRECTIVE = /^\.\. (?:\|[^|]{1,200}\| )?([A-Za-z][\w+.:-]{0,80}?):: ?(.*)$/;
const SUBSTITUTION = /^\.\. \|/;
const FOOTNOTE = /^\.\. \[[^\]]+\](?: +(.*))?$/;
/** What ends at the next blank line: the target of a link, or two full stops alone. */
const ENDS_AT_BLANK = /^\.\.(?: _.*)?$/;
/** A link without a name. */
const ANONYMOUS_TARGET = /^__ /;
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
    return reader.section.chunks;
  });
}

/** Reads the lines of one section. */
class SectionReader {
  readonly section: RstSection;

  constructor(headings: readonly string[]) {
    this.section = new RstSection(headings);
  }

  /** @param depth how many times these lines are indented */
  read(lines: readonly RstLine[], depth: number): void {
    for (let at = 0; at < lines.length;) at += Math.max(1, this.block(lines, at, depth));
  }

  /** Reads what begins at a line; returns how many lines it has read. */
  private block(lines: readonly RstLine[], at: number, depth: number): number {
    const text = lines[at]?.text ?? '';
    if (text === '') return 1;
    const table = tableLength(lines, at);
    if (table > 0) {
      this.section.table(rowsOfTable(lines.slice(at, at + table)));
      return table;
    }
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
        return this.section.code(content, argument.text);
      case 'list-table': {
        const heads = Number.parseInt(options.find(({ name }) => name === 'header-rows')?.value ?? '0', 10);
        return this.section.table(listRows(content, heads));
      }
      case 'csv-table':
        return this.section.csvTable(content, options.find(({ name }) => name === 'header')?.value);
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
    this.section.lists.open(isNumbered ? 'ol' : 'ul', this.section.last, '', String(Number.isNaN(first) ? 1 : first));
    this.section.last = '';
    let at = from;
    const style = styleOf(lines[from]?.text ?? '');
    for (let marked = mark.exec(lines[at]?.text ?? ''); marked && styleOf(marked[0]) === style; marked = mark.exec(lines[at]?.text ?? '')) {
      const { text = '', number = 0 } = lines[at] ?? {};
      const length = lengthOfBody(lines, at + 1);
      this.section.lists.beginItem();
      const body = dedented(lines.slice(at + 1, at + 1 + length));
      this.read([{ text: text.slice(marked[0].length), number }, ...body], depth + 1);
      at += 1 + length;
      while (lines[at]?.text === '') at += 1;
    }
    this.section.lists.close();
    this.section.last = '';
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
    this.section.text(term, number, number);
    if (content.every(({ text }) => text === '')) return;
    this.section.lists.open('dd', '', term);
    this.read(content, depth + 1);
    this.section.lists.close();
    this.section.last = '';
  }

  private paragraph(lines: readonly RstLine[], at: number, depth: number): number {
    let end = at;
    while ((lines[end]?.text ?? '') !== '' && !(end > at && depth <= MAX_DEPTH && MARKUP.test(lines[end]?.text ?? ''))) end += 1;
    const own = lines.slice(at, end);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return 1;
    if (DOCTEST.test(first.text)) {
      this.section.code(own, 'python');
      return own.length;
    }
    if (LINE_BLOCK.test(first.text)) {
      for (const { text, number } of own) this.section.text(withoutRstMarkup(text.replace(LINE_BLOCK, '')), number, number);
      return own.length;
    }
    const said = own.map(({ text }) => text.trim()).join(' ');
    const leadsToCode = said.endsWith('::');
    this.section.text(withoutRstMarkup(leadsToCode ? said.replace(/(?:^|\s)::$|:$/, '') : said), first.number, last.number);
    return leadsToCode ? end - at + this.literal(lines, end) : end - at;
  }

  /** The indented code below a paragraph that ends with two colons. */
  private literal(lines: readonly RstLine[], from: number): number {
    const length = lengthOfBody(lines, from);
    this.section.code(dedented(lines.slice(from, from + length)), '');
    return length;
  }
}

/** How an item is marked, whatever its number: a list ends where its marks change. */
const styleOf = (item: string): string => (/^\S+/.exec(item)?.[0] ?? '').replace(/\d+|#/, '1').replace(/[A-Za-z]/, 'a');
