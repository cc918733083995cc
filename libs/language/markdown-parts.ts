/** From this size on, a part ends at the next blank line before unindented text outside a code fence. */
const SOFT_LIMIT = 16_384;
/** A part ends at the latest here, at a line end or, in a longer line, at white space. */
const HARD_LIMIT = 32_768;
const MAX_DEFINITIONS = 1_000;

const TABLE_HEAD = /^\|[^\n]{1,2000}\n\|[ :|-]{1,500}\r?\n/gm;

/** A stretch of a document that is parsed on its own. `text.slice(lead)` stands at `start` of the document, on line `startLine`. */
export interface MarkdownPart {
  /** `lead` characters from elsewhere in the document, then the stretch. */
  text: string;
  lead: number;
  start: number;
  startLine: number;
}

/**
 * Cuts a document into parts of bounded size, because the parser's worst cases are quadratic in the length of its input.
 * Every part begins with the link and footnote definitions that it uses, and inside a table with its head, so that a cut loses neither.
 */
export function* partsOf(markdown: string): Generator<MarkdownPart> {
  if (markdown.length <= SOFT_LIMIT) {
    yield { text: markdown, lead: 0, start: 0, startLine: 1 };
    return;
  }
  const definitions = definitionsOf(markdown);
  let start = 0;
  let startLine = 1;
  let tableHead = '';
  for (const end of cutsOf(markdown)) {
    const stretch = markdown.slice(start, end);
    // Before an indented line a definition could swallow it.
    const lead = /^\S/.test(stretch) ? leadOf(stretch, definitions) + (stretch.startsWith('|') ? tableHead : '') : '';
    yield { text: lead + stretch, lead: lead.length, start, startLine };
    tableHead = stretch.match(TABLE_HEAD)?.at(-1) ?? tableHead;
    start = end;
    startLine += countLineEnds(stretch);
  }
}

/** UTF-16 offsets where parts end, the end of the document included. */
function* cutsOf(markdown: string): Generator<number> {
  let start = 0;
  let fence = '';
  let afterBlank = false;
  for (const { 0: line, index } of markdown.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const safe = fence === '' && afterBlank && /^\S/.test(line);
    if (index > start && ((safe && index - start >= SOFT_LIMIT) || index + line.length - start > HARD_LIMIT)) {
      yield index;
      start = index;
    }
    while (index + line.length - start > HARD_LIMIT) {
      start = cutInside(markdown, start);
      yield start;
    }
    const [, marker] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (marker) fence = fence === '' ? marker : marker.startsWith(fence) ? '' : fence;
    afterBlank = line.trim() === '';
  }
  yield markdown.length;
}

function cutInside(markdown: string, start: number): number {
  const space = markdown.lastIndexOf(' ', start + HARD_LIMIT - 1) + 1;
  if (space > start + HARD_LIMIT / 2) return space;
  const end = start + HARD_LIMIT;
  return /[\uDC00-\uDFFF]/.test(markdown.charAt(end)) ? end - 1 : end;
}

/** The lines that define links and footnotes, by their lower-cased label in brackets; of several for one label the first counts. */
function definitionsOf(markdown: string): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const [line, label = ''] of markdown.matchAll(/^ {0,3}(\[[^\]\n]{1,200}\]):[ \t]*\S[^\r\n]{0,500}$/gm)) {
    if (definitions.size === MAX_DEFINITIONS) break;
    if (!definitions.has(label.toLowerCase())) definitions.set(label.toLowerCase(), line.trim());
  }
  return definitions;
}

/** The definitions that a stretch uses, followed by a blank line. */
function leadOf(stretch: string, definitions: ReadonlyMap<string, string>): string {
  const lowerCased = stretch.toLowerCase();
  const used = [...definitions].filter(([label]) => lowerCased.includes(label)).map(([, line]) => `${line}\n`);
  return used.length === 0 ? '' : `${used.join('')}\n`;
}

/** Line ends as the parser counts them. */
export function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
