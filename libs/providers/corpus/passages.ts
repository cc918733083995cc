/** A piece of a document that is not split any further, with the place it comes from. */
export interface Chunk {
  /** Titles of the sections it lies in, outermost first. */
  headings: readonly string[];
  text: string;
  /** Both inclusive, counted from 1: lines of the document, or of the text of its page. */
  startLine: number;
  endLine: number;
  /** Of a document that is made of pages, counted from 1. */
  page?: number;
}

export interface Document {
  /** Below the corpus folder, with `/` between its parts. */
  path: string;
  title: string;
  format: 'markdown' | 'plain';
}

/** A file of the folder that is no document; the message says why, never what it holds. */
export class NotADocument extends Error {
  override readonly name = 'NotADocument';
}

/** What is found: consecutive chunks of one section, about as long as a person reads in one go. */
export interface Passage {
  document: Document;
  headings: readonly string[];
  chunks: readonly Chunk[];
}

const PASSAGE_LENGTH = 1200;
/** Also bounds what the regular expressions and the parser get to see at a time. */
const LONGEST_CHUNK = 8000;

/** Joins neighbouring chunks of a section up to the length of a passage. */
export function gatherPassages(document: Document, chunks: readonly Chunk[]): Passage[] {
  const groups: Chunk[][] = [];
  let length = 0;
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (group && group[0]?.headings === chunk.headings && group[0].page === chunk.page && length + chunk.text.length <= PASSAGE_LENGTH) {
      group.push(chunk);
      length += chunk.text.length;
    } else {
      groups.push([chunk]);
      length = chunk.text.length;
    }
  }
  return groups.map((group) => ({ document, headings: group[0]?.headings ?? [], chunks: group }));
}

/** The paragraphs of a text: what stands between blank lines. */
export function paragraphs(text: string): Chunk[] {
  return splitAtBlankLines(text.split(/\r?\n/), 1, []);
}

/** Chunks of the lines between blank lines, cut where they are longer than anybody writes. */
export function splitAtBlankLines(lines: readonly string[], firstLine: number, headings: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  let length = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    const blank = line === undefined || line.trim() === '';
    length += line?.length ?? 0;
    if (!blank && length <= LONGEST_CHUNK) continue;
    const end = blank ? at : at + 1;
    if (end > from) chunks.push(chunkOfLines(lines.slice(from, end), firstLine + from, headings));
    from = at + 1;
    length = 0;
  }
  return chunks.filter((chunk) => chunk.text.trim() !== '');
}

/** One chunk; what exceeds the longest one, of a page of code or of a line without end, is not looked at. */
export function chunkOfLines(lines: readonly string[], startLine: number, headings: readonly string[]): Chunk {
  const text = shortChunk(lines.join('\n'));
  return { headings, text, startLine, endLine: startLine + text.split('\n').length - 1 };
}

export function shortChunk(text: string): string {
  return text.slice(0, LONGEST_CHUNK);
}
