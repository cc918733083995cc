import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { itemsOf, listsOf, type Item } from './lists';
import { markdownOf, plainLine } from './markdown-line';
import type { Chunk, Document } from './passages';

/** A stretch of a document that can be quoted and understood as it stands. */
export interface Unit {
  kind: 'prose' | 'item' | 'list' | 'row' | 'code';
  /** In Markdown, each in one line; of code the sentence that leads to it, if there is one. */
  sentences: string[];
  /** The lines of code with the language that its fence names. */
  code?: { language: string; text: string };
  /** What it says, without markup. */
  text: string;
  /** What it hangs on: the sentence before a list or code, the item above, the header of a table. */
  above: string;
  /** Lines of the document, both inclusive, from 1. */
  startLine: number;
  endLine: number;
  /** Page number, for a document with pages. */
  page?: number;
}

/** Paragraphs and items up to this length are quoted whole. */
const WHOLE = 420;
/** What refers back stays with the sentence before, up to this length. */
const LONGEST = 700;
const LONGEST_LIST = 1_600;
const LONGEST_SECTION = 1_000;
const MOST_CODE_LINES = 40;
const REFERS_BACK = /^(?:this|that|these|those|it|its|they|such|however|otherwise|also|then|in this case|in that case|by default, it)\b/i;
const POINTS_ELSEWHERE = /^\W*(?:see|examples?|for (?:more|further|examples?|details|information))\b(?![^.]*:\s*\S)/i;

/** The quotable parts of neighbouring chunks of a section, in order. */
export function unitsOf(format: Document['format'], chunks: readonly Chunk[]): Unit[] {
  if (format === 'plain')
    return chunks.flatMap(({ text, startLine, endLine, page }) =>
      proseOf('prose', plainLine(text), { startLine, endLine, ...(page !== undefined && { page }) }, ''),
    );
  const header = chunks[0]?.header === undefined ? '' : `${chunks[0].header}\n`;
  const source = header + sourceOf(chunks);
  const linesBefore = (chunks[0]?.startLine ?? 1) - 1 - (header === '' ? 0 : header.split('\n').length - 1);
  const blocks = blocksOf(source);
  return withWhole(new UnitReader(source.split('\n'), linesBefore).read(blocks));
}

/** A short section without code is a unit as a whole too: its first lines often make sense only together. */
function withWhole(units: Unit[]): Unit[] {
  const parts = units.filter(({ kind }) => kind !== 'list');
  const [first] = parts;
  const isShort = parts.reduce((sum, { text }) => sum + text.length, 0) <= LONGEST_SECTION;
  if (!first || parts.length < 2 || !isShort || parts.some(({ kind }) => kind === 'code' || kind === 'row')) return units;
  const sentences = parts.flatMap((part) => part.sentences);
  const whole: Unit = {
    ...first,
    kind: 'prose',
    sentences,
    text: sentences.join(' '),
    above: '',
    endLine: parts.at(-1)?.endLine ?? first.endLine,
  };
  return [whole, ...units];
}

/** Links whose address stands elsewhere are read as links; not where the last block has no end, for then that would hold the stand-ins. */
function blocksOf(source: string): Block[] {
  const blocks = parseBlocks(source + definitionsFor(source)).filter(({ start }) => start < source.length);
  return blocks.every(({ end }) => end <= source.length) ? blocks : parseBlocks(source);
}

/** Joins the chunks with as many line breaks between them as in the document. */
function sourceOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk, at) => gapBefore(chunk, chunks[at - 1]) + chunk.text).join('');
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/** Code that was cut off for its length ends before the next chunk. */
function gapBefore({ startLine }: Chunk, before: Chunk | undefined): string {
  if (!before) return '';
  const lines = startLine - before.endLine;
  const fence = FENCE.exec(before.text)?.[1];
  const isOpen = fence !== undefined && !before.text.trimEnd().endsWith(`\n${fence}`) && lines > 1;
  return isOpen ? `\n${fence}${'\n'.repeat(lines - 1)}` : '\n'.repeat(lines);
}

/** The label of a link that is defined elsewhere. */
const REFERENCE = /\](\[[^\][\s]{1,200}\])/g;

/** Stand-ins for the definitions that are in other parts of the document, so that their links are read as links. */
function definitionsFor(source: string): string {
  const labels = new Set(Array.from(source.matchAll(REFERENCE), ([, label = '']) => label));
  return Array.from(labels, (label) => `\n\n${label}: elsewhere`).join('');
}

type Place = Pick<Unit, 'startLine' | 'endLine' | 'page'>;

/** Turns the blocks of one section into units. */
class UnitReader {
  private readonly units: Unit[] = [];
  private items: Item[] = [];
  /** The last sentence of the paragraph before, in Markdown. */
  private leadIn = '';
  private header = '';

  constructor(
    private readonly lines: readonly string[],
    private readonly linesBefore: number,
  ) {}

  read(blocks: readonly Block[]): Unit[] {
    for (const block of blocks) this.block(block);
    this.endList();
    return this.units;
  }

  private block(block: Block): void {
    const { kind } = block;
    if (kind === 'listItem') {
      this.items = itemsOf(this.items, block, this.lines);
      return;
    }
    const isInItem = kind === 'code' && this.items.length > 0 && /^\s/.test(this.lines[block.startLine - 1] ?? '');
    if (isInItem) return this.code(block, this.items.at(-1)?.markdown ?? '');
    this.endList();
    if (kind === 'paragraph' || kind === 'quote') this.paragraph(block);
    else if (kind === 'code') this.code(block, this.leadIn);
    else if (kind === 'tableHeader') this.header = block.text;
    else if (kind === 'tableRow') this.row(block);
    else this.leadIn = '';
  }

  private paragraph(block: Block): void {
    const markdown = markdownOf(block);
    this.units.push(...proseOf('prose', markdown, this.placeOf(block), ''));
    this.leadIn = splitSentences(markdown).at(-1)?.text ?? '';
  }

  private code(block: Block, leadIn: string): void {
    const [, language = ''] = /^\s*(?:`{3,}|~{3,})\s*([\w+-]*)/.exec(this.lines[block.startLine - 1] ?? '') ?? [];
    const lines = block.text.split('\n').slice(0, MOST_CODE_LINES);
    const text = lines.join('\n').replace(/\s+$/, '');
    if (text.trim() === '') return;
    const sentences = leadIn === '' ? [] : [leadIn];
    // The fences are two lines more.
    const endLine = Math.min(block.endLine, block.startLine + lines.length + 1);
    const place = this.shifted(block.startLine, endLine);
    this.units.push({ kind: 'code', sentences, code: { language, text }, text, above: leadIn, ...place });
  }

  private row(block: Block): void {
    const row = plainLine(block.text);
    const above = `${this.header}\n${this.leadIn}`;
    if (words(row).length > 1) this.units.push({ kind: 'row', sentences: [row], text: block.text, above, ...this.placeOf(block) });
  }

  private endList(): void {
    const items = this.items;
    this.items = [];
    if (items.length === 0) return;
    const leadIn = this.leadIn;
    for (const { markdown, parent, startLine, endLine } of items) {
      const above = [parent?.markdown ?? '', leadIn].join('\n');
      this.units.push(...proseOf('item', markdown, this.shifted(startLine, endLine), above));
    }
    for (const { markdown, leadIn: own, startLine, endLine } of listsOf(items, leadIn, LONGEST_LIST)) {
      const sentences = own === '' ? [markdown] : [own, markdown];
      this.units.push({ kind: 'list', sentences, text: markdown, above: own, ...this.shifted(startLine, endLine) });
    }
    this.leadIn = '';
  }

  private placeOf({ startLine, endLine }: Block): Place {
    return this.shifted(startLine, endLine);
  }

  private shifted(startLine: number, endLine: number): Place {
    return { startLine: startLine + this.linesBefore, endLine: endLine + this.linesBefore };
  }
}

/** A paragraph or item, whole or where it is long in pieces of a few sentences. */
function proseOf(kind: 'prose' | 'item', markdown: string, place: Place, above: string): Unit[] {
  const sentences = splitSentences(markdown)
    .map(({ text }) => text)
    .filter((sentence) => isQuotable(sentence, kind));
  const pieces: string[][] = [];
  let length = 0;
  for (const sentence of sentences) {
    const last = pieces.at(-1);
    const stays = length + sentence.length <= (REFERS_BACK.test(sentence) ? LONGEST : WHOLE);
    if (last && stays) last.push(sentence);
    else pieces.push([sentence]);
    length = (last && stays ? length : 0) + sentence.length;
  }
  const [first = ''] = sentences;
  return pieces.map((piece, at) => ({
    kind,
    sentences: piece,
    text: piece.join(' '),
    above: at === 0 ? above : `${first}\n${above}`,
    ...place,
  }));
}

/** Excludes questions, references to what follows or is elsewhere, and texts whose brackets would look like a citation mark. */
function isQuotable(sentence: string, kind: 'prose' | 'item'): boolean {
  if (/[?:]$/.test(sentence)) return false;
  return !POINTS_ELSEWHERE.test(sentence) && !/\[\^?\d+\]/.test(sentence) && words(sentence).length > (kind === 'prose' ? 3 : 1);
}
