/** A piece of a document that is not split any further, with the lines it comes from. */
export interface Chunk {
  /** Titles of the sections it lies in, outermost first. */
  headings: readonly string[];
  text: string;
  /** Both inclusive, counted from 1. */
  startLine: number;
  endLine: number;
}

export interface Document {
  /** Below the corpus folder, with `/` between its parts. */
  path: string;
  title: string;
  format: 'markdown' | 'plain';
}

/** What is found: consecutive chunks of one section, about as long as a person reads in one go. */
export interface Passage {
  document: Document;
  headings: readonly string[];
  chunks: readonly Chunk[];
}

const PASSAGE_LENGTH = 1200;
const LONGEST_CHUNK = 8000;

/** Joins neighbouring chunks of a section up to the length of a passage. */
export function gatherPassages(document: Document, chunks: readonly Chunk[]): Passage[] {
  const groups: Chunk[][] = [];
  let length = 0;
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (group && group[0]?.headings === chunk.headings && length + chunk.text.length <= PASSAGE_LENGTH) {
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
    if (end > from)
      chunks.push({ headings, text: lines.slice(from, end).join('\n'), startLine: firstLine + from, endLine: firstLine + end - 1 });
    from = at + 1;
    length = 0;
  }
  return chunks.filter((chunk) => chunk.text.trim() !== '');
}
