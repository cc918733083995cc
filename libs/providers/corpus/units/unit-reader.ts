import type { Block } from '@lib/language/markdown/block';
import { words } from '@lib/language/tokens';

import { htmlText } from '../formats/html-chunks';
import { introductionOfRow, leadInOf, leadsOn, pointsToCodeBefore } from '../formats/lead-in';
import { introductionOf, itemsOf, listsOf, outermost, type Item } from '../formats/lists';
import { markdownOf, plainLine } from '../formats/markdown-line';
import { piecesOf } from './pieces';
import { plainUnits } from './plain-units';
import type { SectionSource } from './section-source';
import { NEAR_LINES, type Place, type Unit } from './unit';

const MAX_LIST_LENGTH = 1_600;
const MAX_CODE_LINES = 40;
const HAS_ROWS = /<tr\b/i;

/** Turns the blocks of one section into units. */
export function readUnits(source: SectionSource): Unit[] {
  return new UnitReader(source).read();
}

class UnitReader {
  private readonly units: Unit[] = [];
  private items: Item[] = [];
  /** The end of the paragraph before, in Markdown. */
  private leadIn = '';
  /** The line in which its paragraph begins. */
  private leadInLine = 0;
  private header: Block | undefined;
  /** The code before, if the next code shows its result or an alternative to it. */
  private codeBefore: Unit | undefined;

  constructor(private readonly source: SectionSource) {}

  read(): Unit[] {
    for (const block of this.source.blocks) this.block(block);
    this.endList();
    const { linesBefore, borrowedLines } = this.source;
    return this.units.filter(({ startLine }) => startLine > linesBefore + borrowedLines);
  }

  private block(block: Block): void {
    const { kind } = block;
    // Comments and link definitions are invisible to readers.
    if (kind === 'definition' || (kind === 'html' && block.text === '')) return;
    if (kind === 'listItem') {
      this.items = itemsOf(this.items, block, this.source.lines);
      return;
    }
    const item = this.items.at(-1);
    if (kind === 'code' && item && /^\s/.test(this.lineAt(block.startLine))) {
      this.code(block, item.markdown, introductionOf(item, this.leadIn));
      return;
    }
    this.endList();
    if (kind === 'paragraph' || kind === 'quote') this.paragraph(block);
    else if (kind === 'code') this.code(block, this.leadIn, []);
    else if (kind === 'tableHeader') this.header = block;
    else if (kind === 'tableRow') this.row(block);
    // Other blocks, such as headings, do not introduce anything.
    else if (kind !== 'html') this.lead('', block);
    else {
      this.htmlRows(block);
      this.lead(plainLine(block.text), block);
    }
  }

  private paragraph(block: Block): void {
    const markdown = markdownOf(block);
    const before = this.units.at(-1);
    this.codeBefore = before?.code && pointsToCodeBefore(block.text) ? before : undefined;
    this.units.push(...piecesOf('prose', markdown, this.placeOf(block), { above: '', introduction: [] }));
    this.lead(markdown, block);
  }

  private lead(markdown: string, { startLine }: Block): void {
    this.leadIn = leadInOf(markdown);
    this.leadInLine = startLine;
  }

  private code(block: Block, leadIn: string, introduction: readonly string[]): void {
    const [, language = ''] = /^\s*(?:`{3,}|~{3,})\s*([\w+-]*)/.exec(this.lineAt(block.startLine)) ?? [];
    const lines = block.text.split('\n').slice(0, MAX_CODE_LINES);
    const text = lines.join('\n').replace(/\s+$/, '');
    const before = this.codeBefore;
    this.codeBefore = undefined;
    if (text.trim() === '') return;
    const sentences = leadIn === '' ? [] : [leadIn];
    // The two fences are lines too.
    const endLine = Math.min(block.endLine, block.startLine + lines.length + 1);
    const unit: Unit = {
      kind: 'code',
      sentences,
      code: { language, text },
      text,
      above: leadIn,
      introduction,
      ...this.shifted(block.startLine, endLine),
    };
    const own = before ? together(before, unit) : unit;
    if (own) this.units.push(own);
  }

  private row(block: Block): void {
    const row = plainLine(block.text);
    const above = `${this.header?.text ?? ''}\n${this.leadIn}`;
    if (words(row).length <= 1) return;
    const { header, leadIn } = this;
    const introduction = introductionOfRow(leadIn, header?.text ?? '');
    const place = this.placeBehind(header?.startLine, block);
    this.units.push({ kind: 'row', sentences: [row], text: block.text, above, introduction, ...place });
  }

  /** Rows of a table that is written in HTML. */
  private htmlRows({ startLine, endLine }: Block): void {
    const html = this.source.lines.slice(startLine - 1, endLine).join('\n');
    if (!HAS_ROWS.test(html)) return;
    const before = introductionOfRow(this.leadIn, '');
    const rows = plainUnits(htmlText(html).chunks).filter(({ kind }) => kind === 'row');
    for (const { introducedFrom, ...row } of rows) {
      const place = this.shifted(row.startLine + startLine - 1, row.endLine + startLine - 1);
      const from = introducedFrom === undefined ? {} : { introducedFrom: introducedFrom + startLine - 1 + this.source.linesBefore };
      this.units.push({ ...row, introduction: [...before, ...row.introduction], ...place, ...from });
    }
  }

  private endList(): void {
    const { items, leadIn } = this;
    this.items = [];
    const [first] = items;
    if (!first) return;
    for (const item of items) {
      const { markdown, parent, number } = item;
      const above = [parent?.markdown ?? '', leadIn].join('\n');
      const hangsOn = {
        above,
        introduction: introductionOf(item, leadIn),
        list: first.startLine,
        ...(number !== undefined && { isStep: true as const, step: number }),
      };
      const from = leadsOn(leadIn) ? this.leadInLine : outermost(item).startLine;
      this.units.push(...piecesOf('item', markdown, this.placeBehind(from, item), hangsOn));
    }
    for (const { markdown, leadIn: own, introduction, startLine, endLine } of listsOf(items, leadIn, MAX_LIST_LENGTH)) {
      const sentences = own === '' ? [markdown] : [own, markdown];
      this.units.push({ kind: 'list', sentences, text: markdown, above: own, introduction, ...this.shifted(startLine, endLine) });
    }
    this.leadIn = '';
  }

  /** The place of a unit with an introduction further up: includes the introduction if it is near. */
  private placeBehind(from: number | undefined, { startLine, endLine }: Pick<Place, 'startLine' | 'endLine'>): Place {
    const place = this.shifted(startLine, endLine);
    const isNear = from !== undefined && from > this.source.borrowedLines && startLine - from <= NEAR_LINES;
    return isNear ? { ...place, introducedFrom: from + this.source.linesBefore } : place;
  }

  private lineAt(line: number): string {
    return this.source.lines[line - 1] ?? '';
  }

  private placeOf({ startLine, endLine }: Block): Place {
    return this.shifted(startLine, endLine);
  }

  private shifted(startLine: number, endLine: number): Place {
    const { linesBefore } = this.source;
    return { startLine: startLine + linesBefore, endLine: endLine + linesBefore };
  }
}

/** Merges code with the code that continues it and the text between: "This will output:". Null if the result is too long to be quoted. */
function together(before: Unit, after: Unit): Unit | null {
  const [first, second] = [before.code, after.code];
  if (!first || !second) return null;
  const text = [first.text, after.above, second.text].join('\n\n');
  if (text.split('\n').length > MAX_CODE_LINES) return null;
  return { ...before, code: { ...first, text }, text, endLine: after.endLine };
}
