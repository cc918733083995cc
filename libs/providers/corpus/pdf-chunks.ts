import { setImmediate as nextTurn } from 'node:timers/promises';

import { extractTextItems, getDocumentProxy, getMeta, type StructuredTextItem } from 'unpdf';

import { NotADocument, shortChunk, type Chunk } from './passages';

export interface PdfText {
  title: string | undefined;
  chunks: Chunk[];
}

const MOST_PAGES = 2000;
const LONGEST_TITLE = 500;
/** A gap between lines begins a paragraph if it exceeds this multiple of the usual distance. */
const PARAGRAPH_GAP = 1.4;
/** Text is a heading if it is larger than the usual text by this factor. */
const HEADING_SIZE = 1.15;
const LONGEST_HEADING = 120;

interface Line {
  text: string;
  /** Distance from the bottom of the page, in points. */
  y: number;
  fontSize: number;
}

/** The text of a PDF: paragraphs by page, under headings recognized by their size. Throws `NotADocument`. */
export async function pdfText(content: Buffer): Promise<PdfText> {
  const pdf = await open(content);
  try {
    if (pdf.numPages > MOST_PAGES) throw new NotADocument(`it has more than ${MOST_PAGES} pages`);
    const { items } = await extractTextItems(pdf);
    const pages = items.map(linesOf);
    const usual = median(pages.flatMap((lines) => lines.map(({ fontSize }) => fontSize)));
    const chunks: Chunk[] = [];
    let headings: readonly string[] = [];
    for (const [at, lines] of pages.entries()) {
      await nextTurn();
      for (const paragraph of paragraphsOf(lines, usual)) {
        const text = joined(paragraph);
        if (isHeading(paragraph, text, usual)) headings = [text];
        else chunks.push({ headings, text: shortChunk(text), page: at + 1, ...linesIn(paragraph, lines) });
      }
    }
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
async function open(content: Buffer): Promise<Pdf> {
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
  return typeof title === 'string' ? title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE) || undefined : undefined;
}

/** Joins items at one height of the page to a line. */
function linesOf(items: readonly StructuredTextItem[]): Line[] {
  const lines: Line[] = [];
  for (const { str, y, fontSize } of items) {
    if (str.trim() === '') continue;
    const line = lines.at(-1);
    if (line && Math.abs(line.y - y) < fontSize / 2) line.text += `${/\s$/.test(line.text) ? '' : ' '}${str}`;
    else lines.push({ text: str, y, fontSize });
  }
  return lines;
}

function paragraphsOf(lines: readonly Line[], usual: number): Line[][] {
  const distance = median(lines.slice(1).map(({ y }, at) => (lines[at]?.y ?? y) - y)) || usual;
  const paragraphs: Line[][] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1)?.at(-1);
    const gap = last ? last.y - line.y : Infinity;
    const continues = last && gap >= 0 && gap <= distance * PARAGRAPH_GAP && Math.abs(last.fontSize - line.fontSize) < 1;
    if (continues) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

/** One line of text; words hyphenated at line ends are rejoined. */
function joined(paragraph: readonly Line[]): string {
  return paragraph
    .map(({ text }) => text.trim())
    .join('\n')
    .replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')
    .replace(/\s+/g, ' ');
}

function isHeading(paragraph: readonly Line[], text: string, usual: number): boolean {
  return (paragraph[0]?.fontSize ?? 0) > usual * HEADING_SIZE && text.length <= LONGEST_HEADING;
}

function linesIn(paragraph: readonly Line[], lines: readonly Line[]): { startLine: number; endLine: number } {
  const first = paragraph[0] ? lines.indexOf(paragraph[0]) : 0;
  return { startLine: first + 1, endLine: first + paragraph.length };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}
