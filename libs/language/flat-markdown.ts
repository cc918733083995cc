import { cellsOf, flatTableLines } from './flat-table';
import { hasTooManyDelimiters } from './hostile-markdown';

/** A heading, a paragraph, the paragraph of a list item or a row of a table. Offsets in UTF-16 units, `end` exclusive; lines both inclusive, counted from 1. */
export interface FlatBlock {
  kind: 'heading' | 'paragraph' | 'listItem' | 'tableHeader' | 'tableRow';
  start: number;
  end: number;
  startLine: number;
  endLine: number;
  /** 1 to 6 for a heading, otherwise 0. */
  depth: number;
}

/** Line ends of other systems, characters that the parser replaces, its stand-ins (`parseBounded`), and the end of the label of a definition. */
const UNUSUAL = /[\r\0\uFDD0-\uFDEF]|\]:/;
/** A line of text begins with nothing that could begin, divide or underline another block. */
const TEXT = String.raw`(?=\x60(?!\x60\x60)|\*{1,2}[^\s*]|(?!\d{1,9}[.)])[^\s#>+*=_|:~\x60<-])`;
/** A list item that does not begin with the box of a task. */
const ITEM = String.raw`(?:[-*+]|(?<number>\d{1,9}[.)])) (?!\[[ \txX]?(?:\]|$))${TEXT}`;
const LINE = new RegExp(String.raw`^(?:(?<blank>[ \t]*$)|(?<hashes>#{1,6}) (?=[^\s#])|(?<item>${ITEM})|${TEXT})`);

/**
 * The blocks of a flat document, in order: one of headings, paragraphs, plain tables and lists of one level, with every line at the left margin.
 * Null for any other document and for one that is not surely flat. Most reports are flat, and this is many times faster than the parser.
 */
export function flatBlocksOf(markdown: string): FlatBlock[] | null {
  if (UNUSUAL.test(markdown)) return null;
  const lines = markdown.split('\n');
  const blocks: FlatBlock[] = [];
  let start = 0;
  /** What a line of text continues. */
  let open: FlatBlock | undefined;
  /** The lines of a table from here on, its delimiter row among them. */
  let head = 0;
  let tableEnd = 0;
  for (const [index, line] of lines.entries()) {
    const end = start + line.length;
    const place = { start, end, startLine: index + 1, endLine: index + 1 };
    start = end + 1;
    if (index >= tableEnd && !open && line.startsWith('|')) {
      head = index;
      tableEnd = index + flatTableLines(lines, index);
    }
    if (index < tableEnd) {
      if (index !== head + 1) blocks.push({ ...place, kind: index === head ? 'tableHeader' : 'tableRow', depth: 0 });
      continue;
    }
    const match = LINE.exec(line);
    if (!match) return null;
    const { blank, hashes, item, number }: Partial<Record<string, string>> = match.groups ?? {};
    // Whether a number ends a paragraph depends on the number.
    if (number !== undefined && open?.kind === 'paragraph') return null;
    if (blank !== undefined) open = undefined;
    else if (open && !hashes && !item) Object.assign(open, { end, endLine: index + 1 });
    else {
      const kind = hashes ? 'heading' : item ? 'listItem' : 'paragraph';
      const block: FlatBlock = { ...place, kind, start: place.start + (item?.length ?? 0), depth: hashes?.length ?? 0 };
      blocks.push(block);
      open = hashes ? undefined : block;
    }
  }
  return blocks;
}

/** A link or an image without a title. */
const LINK = /!?\[([^\][]*)\]\([^\s()<>\\&\0-\x1F\x7F]*\)/g;
/**
 * Emphasis that can be read in one way alone: the delimiter before it can only open, the one after it can only close (CommonMark 0.31, 6.2),
 * and between them is no other delimiter and no bracket.
 */
const EMPHASIS = /(?<=^|[\s(])(\*\*?)(?=[\p{L}\p{N}])([^*[\]]*(?:[\p{L}\p{N}](?=\1(?:$|[\s.,;:!?()[\]]))|[.,;:!?)](?=\1\s)))\1/gu;
/** Anything else that could be more than text: escapes, references, tags, other emphasis and links, and the hashes that close a heading. */
const OTHER_MARKUP = /[\\&<*_~]|\]\(|#[ \t]*$/;
/** A space at the end of code may be one that belongs to the markup. */
const PADDING = /^[ \n]|[ \n]$/;

/** What a flat block says, white space as in the source; null if it has markup other than plain links, emphasis and short code. */
export function flatText(source: string): string | null {
  const pieces = source.split('\x60');
  if (pieces.length % 2 === 0 || source.includes('\x60\x60')) return null;
  if (/\]\(|\*/.test(source) && hasTooManyDelimiters(source)) return null;
  const read = pieces.map((piece, index) => (isCode(index) ? piece : piece.replace(EMPHASIS, '$2').replace(LINK, '$1')));
  const isFlat = read.every((piece, index) => !(isCode(index) ? PADDING : OTHER_MARKUP).test(piece));
  return isFlat ? read.join('') : null;
}

/** What a row of a flat table says, the cells joined by ` | `; null likewise. */
export function flatRowText(row: string): string | null {
  const cells = cellsOf(row).map(flatText);
  return cells.includes(null) ? null : cells.join(' | ');
}

/** Every other piece between backticks is code. */
function isCode(index: number): boolean {
  return index % 2 === 1;
}
