import { setImmediate as nextTurn } from 'node:timers/promises';

import { extractTextItems, getDocumentProxy, getMeta } from 'unpdf';

import { boundText } from './packed-file';
import { MAX_CHUNK_LENGTH, NotADocument, piecesOf, shortChunk, type Chunk, type DocumentText } from './passages';
import { blocksOf, type Row } from './pdf-blocks';
import { linesOf, withoutFurniture, type Line } from './pdf-lines';
import { ITEM } from './lists';
import { rowText } from './row-text';
import { beginsWithHeads } from './table-heads';

const MAX_PAGES = 2000;
const MAX_TITLE_LENGTH = 500;
/** Text is a heading if it is larger than the usual text by this factor. */
const HEADING_SIZE = 1.15;
const MAX_HEADING_LENGTH = 120;
/** Largest distance between lines of one sentence, as a multiple of the font size. */
const MAX_GAP = 2;

/** The text of a PDF: paragraphs by page, under headings recognized by their size. It may take any time and memory, so `ReaderProcess` calls it. Throws `NotADocument`. */
export async function pdfText(content: Uint8Array): Promise<DocumentText> {
  const pdf = await open(content);
  try {
    if (pdf.numPages > MAX_PAGES) throw new NotADocument(`it has more than ${MAX_PAGES} pages`);
    const { items } = await extractTextItems(pdf);
    boundText(items.flat().map(({ str }) => str));
    const chunks = await chunksOf(withoutFurniture(items.map(linesOf)));
    if (chunks.length === 0) throw new NotADocument('it is a PDF without text, as a scan is: text recognition (OCR) adds it');
    return { title: await titleOf(pdf), chunks };
  } catch (error) {
    if (error instanceof NotADocument) throw error;
    throw new NotADocument('it is a broken PDF', { cause: error });
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Runs no script of the document, draws nothing and fetches nothing: only the text is needed. */
async function open(content: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(content), { verbosity: 0, stopAtErrors: true });
  } catch (error) {
    const encrypted = error instanceof Error && error.name === 'PasswordException';
    throw new NotADocument(encrypted ? 'it is encrypted' : 'it is a broken PDF', { cause: error });
  }
}

async function titleOf(pdf: Pdf): Promise<string | undefined> {
  const { info } = await getMeta(pdf);
  const title: unknown = (info as { Title?: unknown }).Title;
  return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH) || undefined : undefined;
}

async function chunksOf(pages: readonly (readonly Line[])[]): Promise<Chunk[]> {
  const reader = new PdfReader(usualSize(pages.flat()));
  for (const [at, lines] of pages.entries()) {
    await nextTurn();
    reader.page(at + 1, lines);
  }
  return reader.chunks;
}

/**
 * The font size of the median character, not of the median line: in a document full of tables most lines are short cells, often in smaller letters.
 */
function usualSize(lines: readonly Line[]): number {
  const sorted = lines.toSorted((one, other) => one.fontSize - other.fontSize);
  let left = sorted.reduce((sum, { text }) => sum + text.length, 0) / 2;
  return sorted.find(({ text }) => (left -= text.length) <= 0)?.fontSize ?? 0;
}

class PdfReader {
  readonly chunks: Chunk[] = [];
  private headings: readonly string[] = [];
  /** The column heads of the table that was read last. */
  private heads: readonly string[] = [];
  /** The last paragraph, unless something else has followed it. */
  private last: { chunk: Chunk; end: Line } | undefined;

  constructor(private readonly usual: number) {}

  page(page: number, lines: readonly Line[]): void {
    for (const [at, block] of blocksOf(lines, this.usual).entries()) {
      if (block.kind === 'table') this.table(block.rows, page, lines, at === 0);
      else this.paragraph(block.lines, page, lines);
    }
  }

  private paragraph(own: readonly Line[], page: number, lines: readonly Line[]): void {
    const text = joined(own);
    const [first, end] = [own[0], own.at(-1)];
    if (!first || !end) return;
    if (isHeading(own, text, this.usual)) {
      this.headings = [text];
      this.last = undefined;
    } else if (this.last && continues(this.last, first, page, text)) {
      this.last.chunk.text = joinedLines([this.last.chunk.text, text]);
      this.last.end = end;
    } else {
      for (const piece of piecesOf(text)) {
        const chunk = { headings: this.headings, text: piece, page, ...linesIn(own, lines) };
        this.chunks.push(chunk);
        this.last = { chunk, end };
      }
    }
  }

  /** @param goesOn whether the table begins the page, so that it may continue the one on the page before */
  private table(rows: readonly Row[], page: number, lines: readonly Line[], goesOn: boolean): void {
    this.last = undefined;
    const [first] = rows;
    const columns = first?.cells.length ?? 0;
    const hasHeads = beginsWithHeads(rows);
    if (hasHeads) this.heads = first?.cells ?? [];
    else if (!goesOn || this.heads.length !== columns) this.heads = [];
    const header = rowText(this.heads);
    for (const [at, { cells, lines: own }] of rows.entries()) {
      const isHeads = hasHeads && at === 0;
      const place = { page, ...linesIn(own, lines) };
      const part = isHeads ? 'heads' : 'row';
      this.chunks.push({
        headings: this.headings,
        text: shortChunk(rowText(cells)),
        ...place,
        part,
        ...(header !== '' && !isHeads && { header }),
      });
    }
  }
}

/** Whether a paragraph, for example at the top of a column or page, continues a sentence that the last paragraph leaves unfinished. */
function continues({ chunk, end }: { chunk: Chunk; end: Line }, first: Line, page: number, text: string): boolean {
  const gap = end.y - first.y;
  const isNext = chunk.page === page ? gap < MAX_GAP * end.fontSize : chunk.page === page - 1;
  if (chunk.text.length + text.length > MAX_CHUNK_LENGTH) return false;
  return isNext && Math.abs(first.fontSize - end.fontSize) < 1 && /[\p{L}\p{N},;-]$/u.test(chunk.text) && /^\p{Ll}/u.test(text);
}

/** The text in one line, or one line per list item; words hyphenated at line ends are rejoined. */
const joined = (paragraph: readonly Line[]): string => joinedLines(paragraph.map(({ text }) => text));

function joinedLines(lines: readonly string[]): string {
  return lines
    .map((text) => text.trim())
    .join('\n')
    .replace(/(?<=\p{Ll})[-\u00AD\u2010]\n(?=\p{Ll})/gu, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' '))
    .reduce((text, line) => `${text}${ITEM.test(line) ? '\n' : ' '}${line}`);
}

function isHeading(paragraph: readonly Line[], text: string, usual: number): boolean {
  return (paragraph[0]?.fontSize ?? 0) > usual * HEADING_SIZE && text.length <= MAX_HEADING_LENGTH;
}

function linesIn(own: readonly Line[], lines: readonly Line[]): { startLine: number; endLine: number } {
  const first = own[0] ? lines.indexOf(own[0]) : 0;
  return { startLine: first + 1, endLine: first + own.length };
}
