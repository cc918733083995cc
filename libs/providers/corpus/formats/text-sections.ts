import { splitAtBlankLines, type Chunk } from './passages';

/** A line of one mark, as below a heading in a text without markup; some texts have one above it, too. */
const RULE = /^\s*([=\-~^*_#+])\1{2,}\s*$/;
/** A longer line is no heading, but a text with a rule below it. */
const MAX_TITLE_LENGTH = 100;
/** Columns side by side: the heads of a table have a rule below them, too. */
const COLUMNS = /\S(?: {2,}|\t)\S| \| /;
/** A short text between two rules, as entries of a list may be, is no heading either. */
const ENDS_LIKE_TEXT = /[.,;]$/;

interface Heading {
  title: string;
  /** Its rules, as they are written: headings of one rank have the same. */
  style: string;
  /** Its first and its last line in the text, from 0. */
  first: number;
  last: number;
}

/** Lines of a document below one heading. */
export interface UnderlinedSection {
  lines: readonly string[];
  /** The number of the first of these lines in the document, from 1. */
  firstLine: number;
  /** Outermost first. */
  headings: readonly string[];
}

/** Which lines are headings, by a rule of one mark below them. */
export interface Underlining {
  /** Matches a line that underlines, with its mark as the first group. */
  rule: RegExp;
  /** A rule is at least this share as long as its heading. */
  shortest: number;
  isTitle: (line: string, isBetweenRules: boolean) => boolean;
  /** Whether a heading without a rule above it may follow a line. */
  mayFollow: (before: string) => boolean;
}

const PLAIN: Underlining = {
  rule: RULE,
  shortest: 0.5,
  isTitle: (line) => isPlainTitle(line.trim()),
  // The last lines of a paragraph with a rule below them are no heading.
  mayFollow: (before) => before.trim() === '',
};

/** The sections of a text without markup, below its underlined headings, cut at blank lines. */
export function textChunks(text: string): Chunk[] {
  return underlinedSections(text, PLAIN).flatMap(({ lines, firstLine, headings }) => splitAtBlankLines(lines, firstLine, headings));
}

/** The sections below underlined headings. */
export function underlinedSections(text: string, underlining: Underlining): UnderlinedSection[] {
  const lines = text.split(/\r\n|\r|\n/);
  const headings = headingsIn(lines, underlining);
  /** The styles by rank: the one that comes first ranks highest. */
  const styles = [...new Set(headings.map(({ style }) => style))];
  const above: { title: string; rank: number }[] = [];
  const sections: UnderlinedSection[] = [{ lines: lines.slice(0, headings[0]?.first), firstLine: 1, headings: [] }];
  for (const [at, { title, style, last }] of headings.entries()) {
    const rank = styles.indexOf(style);
    while ((above.at(-1)?.rank ?? -1) >= rank) above.pop();
    above.push({ title, rank });
    const own = lines.slice(last + 1, headings[at + 1]?.first);
    sections.push({ lines: own, firstLine: last + 2, headings: above.map((heading) => heading.title) });
  }
  return sections;
}

function headingsIn(lines: readonly string[], { rule, shortest, isTitle, mayFollow }: Underlining): Heading[] {
  const headings: Heading[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = rule.exec(line)?.[1];
    const title = lines[at - 1]?.trim() ?? '';
    if (mark === undefined || title === '' || line.trim().length < shortest * title.length) continue;
    const before = lines[at - 2] ?? '';
    const isBehind = headings.at(-1)?.last === at - 2;
    const isBetween = rule.exec(before)?.[1] === mark && !isBehind;
    if (!isTitle(lines[at - 1] ?? '', isBetween) || !(isBetween || isBehind || mayFollow(before))) continue;
    headings.push({ title, style: isBetween ? mark + mark : mark, first: at - (isBetween ? 2 : 1), last: at });
  }
  return headings;
}

const isPlainTitle = (line: string): boolean =>
  line.length <= MAX_TITLE_LENGTH && ![RULE, COLUMNS, ENDS_LIKE_TEXT].some((pattern) => pattern.test(line));
