/** A heading, a paragraph or the paragraph of a list item. Offsets in UTF-16 units, `end` exclusive; lines both inclusive, counted from 1. */
export interface FlatBlock {
  kind: 'heading' | 'paragraph' | 'listItem';
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
 * The blocks of a flat document, in order: one of headings, paragraphs and lists of one level, with every line at the left margin.
 * Null for any other document and for one that is not surely flat. Most reports are flat, and this is many times faster than the parser.
 */
export function flatBlocksOf(markdown: string): FlatBlock[] | null {
  if (UNUSUAL.test(markdown)) return null;
  const blocks: FlatBlock[] = [];
  let lineNumber = 0;
  let start = 0;
  /** What a line of text continues. */
  let open: FlatBlock | undefined;
  for (const line of markdown.split('\n')) {
    lineNumber += 1;
    const end = start + line.length;
    const match = LINE.exec(line);
    if (!match) return null;
    const { blank, hashes, item, number }: Partial<Record<string, string>> = match.groups ?? {};
    // Whether a number ends a paragraph depends on the number.
    if (number !== undefined && open?.kind === 'paragraph') return null;
    if (blank !== undefined) open = undefined;
    else if (open && !hashes && !item) Object.assign(open, { end, endLine: lineNumber });
    else {
      const kind = hashes ? 'heading' : item ? 'listItem' : 'paragraph';
      const block: FlatBlock = { kind, start: start + (item?.length ?? 0), end, startLine: lineNumber, endLine: lineNumber, depth: hashes?.length ?? 0 };
      blocks.push(block);
      open = hashes ? undefined : block;
    }
    start = end + 1;
  }
  return blocks;
}

/** Anything that could be more than text: escapes, references, tags, code, emphasis, links, and the hashes that close a heading. */
const INLINE_MARKUP = /[\\&<\x60*_~]|\]\(|#[ \t]*$/;

/** What a flat block says, white space as in the source; null if it has markup other than code. */
export function flatText(source: string): string | null {
  if (!INLINE_MARKUP.test(source)) return source;
  return null;
}
