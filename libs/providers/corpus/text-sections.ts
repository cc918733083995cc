import { splitAtBlankLines, type Chunk } from './passages';

/** A line of one mark, as below a heading in a text without markup; some texts have one above it, too. */
const RULE = /^\s*([=\-~^*_#+])\1{2,}\s*$/;
/** A longer line is no heading, but a text with a rule below it. */
const MAX_TITLE_LENGTH = 100;
/** Columns side by side: the heads of a table have a rule below them, too. */
const COLUMNS = /\S(?: {2,}|\t)\S| \| /;
/** A short text between two rules, as entries of a list may be, is no heading either. */
const ENDS_LIKE_TEXT = /[.,;]$/;
/** A rule is at least this share as long as its heading. */
const SHORTEST_RULE = 0.5;

interface Heading {
  title: string;
  /** Its rules, as they are written: headings of one rank have the same. */
  style: string;
  /** Its first and its last line in the text, from 0. */
  first: number;
  last: number;
}

/** The sections of a text without markup, below its underlined headings, cut at blank lines. */
export function textChunks(text: string): Chunk[] {
  const lines = text.split(/\r\n|\r|\n/);
  const headings = headingsIn(lines);
  /** The styles by rank: the one that comes first ranks highest. */
  const styles = [...new Set(headings.map(({ style }) => style))];
  const above: { title: string; rank: number }[] = [];
  const chunks = splitAtBlankLines(lines.slice(0, headings[0]?.first), 1, []);
  for (const [at, { title, style, last }] of headings.entries()) {
    const rank = styles.indexOf(style);
    while ((above.at(-1)?.rank ?? -1) >= rank) above.pop();
    above.push({ title, rank });
    const section = lines.slice(last + 1, headings[at + 1]?.first);
    chunks.push(
      ...splitAtBlankLines(
        section,
        last + 2,
        above.map((heading) => heading.title),
      ),
    );
  }
  return chunks;
}

function headingsIn(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = RULE.exec(line)?.[1];
    const title = lines[at - 1]?.trim() ?? '';
    if (mark === undefined || !isTitle(title) || line.trim().length < SHORTEST_RULE * title.length) continue;
    const before = lines[at - 2] ?? '';
    const isBetween = RULE.exec(before)?.[1] === mark && headings.at(-1)?.last !== at - 2;
    // The last lines of a paragraph with a rule below them are no heading.
    if (!isBetween && before.trim() !== '') continue;
    headings.push({ title, style: isBetween ? mark + mark : mark, first: at - (isBetween ? 2 : 1), last: at });
  }
  return headings;
}

const isTitle = (line: string): boolean =>
  line !== '' && line.length <= MAX_TITLE_LENGTH && ![RULE, COLUMNS, ENDS_LIKE_TEXT].some((pattern) => pattern.test(line));
