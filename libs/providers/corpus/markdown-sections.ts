import type { Chunk } from './passages';
import { chunkOfLines, splitAtBlankLines } from './passages';

const FRONT_MATTER = /^---[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
/** A longer line is a paragraph that only looks like a heading. */
const LONGEST_HEADING = 500;
const HTML_HEADING = /^ {0,3}<h([1-6])[^>]*>(.*?)(?:<\/h\1>|$)/i;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;
const NOT_UNDERLINED = /^\s*$|^ {0,3}(?:[-*+>|#<]|\d+[.)])|^ {4}/;

interface Section {
  headings: string[];
  firstLine: number;
  lines: string[];
}

/**
 * The sections of a Markdown document, cut at blank lines outside code. Looks at lines only: a full parser needs many seconds for the
 * thousand documents of the shipped corpus, and only the few passages that are found need one.
 */
export function markdownChunks(markdown: string): Chunk[] {
  return sectionsOf(markdown.split(/\r?\n/)).flatMap(({ headings, firstLine, lines }) => chunksOf(lines, firstLine, headings));
}

function sectionsOf(lines: readonly string[]): Section[] {
  const above: { title: string; depth: number }[] = [];
  let section: Section = { headings: [], firstLine: 1, lines: [] };
  const sections = [section];
  let fence: string | undefined;
  for (let at = endOfFrontMatter(lines); at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const heading = fence === undefined ? headingAt(lines, at) : undefined;
    fence = fenceAfter(line, fence);
    if (!heading) {
      if (section.lines.length === 0) section.firstLine = at + 1;
      section.lines.push(line);
      continue;
    }
    while ((above.at(-1)?.depth ?? 0) >= heading.depth) above.pop();
    above.push(heading);
    section = { headings: above.map(({ title }) => title), firstLine: at + 1 + heading.lines, lines: [] };
    sections.push(section);
    at += heading.lines - 1;
  }
  return sections;
}

function endOfFrontMatter(lines: readonly string[]): number {
  if (!FRONT_MATTER.test(lines[0] ?? '')) return 0;
  const end = lines.findIndex((line, at) => at > 0 && FRONT_MATTER.test(line));
  return end + 1;
}

function fenceAfter(line: string, open: string | undefined): string | undefined {
  const fence = FENCE.exec(line)?.[1];
  if (fence === undefined) return open;
  if (open === undefined) return fence;
  return fence[0] === open[0] && fence.length >= open.length ? undefined : open;
}

function headingAt(lines: readonly string[], at: number): { title: string; depth: number; lines: number } | undefined {
  const line = lines[at] ?? '';
  if (line.length > LONGEST_HEADING) return undefined;
  const hashes = HEADING.exec(line);
  if (hashes?.[1])
    return { title: plainTitle((hashes[2] ?? '').trimEnd().replace(/(?:^|[ \t])#+$/, '')), depth: hashes[1].length, lines: 1 };
  const html = HTML_HEADING.exec(line);
  if (html) return { title: plainTitle(html[2] ?? ''), depth: Number(html[1]), lines: 1 };
  const underline = UNDERLINE.exec(lines[at + 1] ?? '');
  const startsParagraph = at === 0 || (lines[at - 1] ?? '').trim() === '';
  if (!underline || !startsParagraph || NOT_UNDERLINED.test(line)) return undefined;
  return { title: plainTitle(line), depth: underline[1]?.startsWith('=') ? 1 : 2, lines: 2 };
}

/** A title without markup: links and images become their text, tags and emphasis are removed. */
function plainTitle(source: string): string {
  return source
    .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]*>/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[`*\\]|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Blank lines inside a fenced code block do not separate anything. */
function chunksOf(lines: readonly string[], firstLine: number, headings: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let fence: string | undefined;
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const after = fenceAfter(line, fence);
    if (fence === undefined && after !== undefined) {
      chunks.push(...splitAtBlankLines(lines.slice(from, at), firstLine + from, headings));
      from = at;
    } else if (fence !== undefined && after === undefined) {
      chunks.push(chunkOfLines(lines.slice(from, at + 1), firstLine + from, headings));
      from = at + 1;
    }
    fence = after;
  }
  return [...chunks, ...splitAtBlankLines(lines.slice(from), firstLine + from, headings)];
}
