/** A piece of a document that is not split any further, with the place it comes from. */
export interface Chunk {
  /** Titles of the sections it lies in, outermost first. */
  headings: readonly string[];
  text: string;
  /** Lines of the document, or of its page's text; both inclusive, from 1. */
  startLine: number;
  endLine: number;
  /** Page number from 1, for a document with pages. */
  page?: number;
  /** The table header or list lead-in that the lines belong to, if these stand in an earlier chunk. */
  header?: string;
  /** The line in which the heads of an HTML table begin. */
  headerLine?: number;
  /** The kind of element in HTML or PDF: a row of a table, the heads of its columns, an item of a list, or code. */
  part?: 'row' | 'heads' | 'item' | 'code';
  /** The language of code; empty if the page does not name one. */
  language?: string;
  /** It is an item of a numbered list. */
  isStep?: true;
  /** The number of that item, if this is its beginning. */
  step?: number;
  /** The texts that introduce an item of a page, outermost first: see `Unit`. */
  introduction?: readonly string[];
}

export interface Document {
  /** Relative to the corpus folder, with `/` between its parts. */
  path: string;
  title: string;
  format: 'markdown' | 'plain';
}

/** What a reader of a format finds in a file. */
export interface DocumentText {
  title: string | undefined;
  chunks: Chunk[];
}

/** A file that is not a document. The message says why and never quotes its content. */
export class NotADocument extends Error {
  override readonly name = 'NotADocument';
}

/** Why a reader that failed has no document: a parser that fails on a hostile file does so in any process. */
export const whyNoDocument = (error: unknown): string =>
  error instanceof NotADocument ? error.message : `its format cannot be read (${error instanceof Error ? error.name : typeof error})`;

/** The unit of search: consecutive chunks of one section, a few paragraphs long. */
export interface Passage {
  document: Document;
  headings: readonly string[];
  chunks: readonly Chunk[];
}

export const PASSAGE_LENGTH = 1200;
/** Also limits the input of the regular expressions and of the parser. */
export const MAX_CHUNK_LENGTH = 8000;

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

/** Chunks of the lines between blank lines; overlong ones are cut into several. */
export function splitAtBlankLines(lines: readonly string[], firstLine: number, headings: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  let length = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    const blank = line === undefined || line.trim() === '';
    length += line?.length ?? 0;
    if (!blank && length <= MAX_CHUNK_LENGTH) continue;
    const end = blank ? at : at + 1;
    if (end > from) chunks.push(...chunksOfLines(lines.slice(from, end), firstLine + from, headings));
    from = at + 1;
    length = 0;
  }
  return chunks.filter((chunk) => chunk.text.trim() !== '');
}

function chunksOfLines(lines: readonly string[], startLine: number, headings: readonly string[]): Chunk[] {
  let line = startLine;
  return piecesOf(lines.join('\n')).map((text) => {
    const chunk = { headings, text, startLine: line, endLine: line + text.split('\n').length - 1 };
    line = chunk.endLine;
    return chunk;
  });
}

/** A text that is too long for a chunk, as a transcript on one line, in pieces of the length of a passage: each ends with a sentence, or with a word. */
export function piecesOf(text: string): string[] {
  if (text.length <= MAX_CHUNK_LENGTH) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const most = text.slice(from, from + PASSAGE_LENGTH - (isHighSurrogate(text, from + PASSAGE_LENGTH - 1) ? 1 : 0));
    const isLast = from + most.length === text.length;
    const length = isLast ? most.length : (endOf(most, SENTENCE_END) ?? endOf(most, /\s/g) ?? most.length);
    pieces.push(most.slice(0, length));
    from += length;
  }
  return pieces;
}

/** The first half of a character that takes two units. */
const isHighSurrogate = (text: string, at: number): boolean => at < text.length - 1 && (text.charCodeAt(at) & 0xfc00) === 0xd800;
const SENTENCE_END = /[.!?](?=\s)|[。！？]/g;

/** Where the last match in the second half of the text ends. */
function endOf(text: string, pattern: RegExp): number | undefined {
  const ends = Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => index + length);
  return ends.findLast((end) => end > text.length / 2);
}

/** One chunk. Text beyond the maximum length, as in code without line ends, is dropped. */
export function chunkOfLines(lines: readonly string[], startLine: number, headings: readonly string[]): Chunk {
  const text = shortChunk(lines.join('\n'));
  return { headings, text, startLine, endLine: startLine + text.split('\n').length - 1 };
}

export function shortChunk(text: string): string {
  return text.slice(0, MAX_CHUNK_LENGTH);
}
