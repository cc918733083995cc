import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { isStopWord } from '@lib/language/tokens';
import { bulletedLines, bulletLength } from './bullets';
import { LabelsAbove } from './labels-above';
import { CONDITION, isOnlyOfItems, ListLeads } from './list-leads';
import { labelText, runInHeading } from './run-in-heading';
import { isBelowEmptyHeads, NO_TABLE, tableAt, type Table } from './table-heads';
import { withCorners } from './tables-without-corner';

/** A sentence or table row of a report: `report.slice(start, start + text.length) === text` in UTF-16 units. */
export interface Quote {
  text: string;
  start: number;
  isFirstOfBlock: boolean;
  /** A list item or a table row. */
  isItem: boolean;
  /** Headings and text used as headings, outermost first. */
  above: readonly string[];
  /** The lead-in of its list; null if it is not a list item or there is no lead-in. */
  lead: string | null;
  /** For a table row; null for a sentence. */
  cells: Cells | null;
}

/** Stands between the cells of a row in the text of a claim. */
export const BETWEEN_CELLS = ' | ';

/** The cells of a row and the heads of their columns, as plain text with citation marks. */
export interface Cells {
  heads: readonly string[];
  own: readonly string[];
  /** Another row begins with the same cell, so the first cell does not identify the row. */
  isNamedTwice: boolean;
}

const MAX_QUOTE_LENGTH = 1_000;
/** A single heading with more words than this is a title. */
const MAX_NAME_WORDS = { ofReport: 2, ofSection: 6 };

const LIST_OF_SOURCES =
  '(?:references?|sources?|citations?|bibliography|works cited|further reading|footnotes?|end ?notes?|see also|external links|literature|quellen(?:verzeichnis)?|literatur(?:verzeichnis)?|links)';
/** Matches "📚 Sources" and "7. References and notes", but not "Sources of vitamin D". */
const REFERENCE_HEADING = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:key|main|selected|primary|additional|full|list of|data) )*${LIST_OF_SOURCES}(?: (?:cited|used|consulted|list|section)| for this (?:report|answer)|,? (?:(?:and|und|&) )?(?:notes|methodology|${LIST_OF_SOURCES}))*\s*(?:\([^)]*\)|\[[^\]]*\])?[\s:.]*$`,
  'iu',
);

/** An entry of a list of sources without a heading: begins with its mark, is only a link, or ends in an address. */
const REFERENCE_ENTRY = /^\[\^?\d{1,5}\]|^!?\[[^\]]*\]\([^)]*\)[.\s]*$|(?<!\((?:[\w ]{1,10}:? ?)?<?|<source>\s?)\bhttps?:\/\/\S+$/;

/**
 * The sentences of a report that can become claims, in order. Without headings (including bold ones within a paragraph), code, lists of sources, and
 * text too long for a reader.
 */
export function quotesOf(report: string): Quote[] {
  const labels = new LabelsAbove(report);
  const leads = new ListLeads(report);
  let table: Table = NO_TABLE;
  const blocks = withCorners(parseBlocks(report), report);
  const isTitled = hasTitle(blocks, report);
  let [isBelowSources, ofItems] = [false, ''];
  return blocks
    .flatMap((block, place) => {
      const above = labels.above(block);
      const leadOver = leads.of(block);
      const lead = isOverItems(block, blocks[place + 1], report) ? null : leadOver;
      if (block.kind === 'tableHeader' || isBelowEmptyHeads(block, blocks[place - 1], report)) table = tableAt(place, blocks);
      // A title such as "Sources:" above a list.
      if (block.kind !== 'listItem') isBelowSources = isTitleOfSources(block, report);
      if (!isProse(block) || isBelowSources || isListOfSources(report.slice(block.start, block.end))) return [];
      const innermost = block.headings.at(-1) ?? '';
      if (block.kind === 'listItem' && blocks[place - 1]?.kind === 'heading') ofItems = isOnlyOfItems(innermost) ? innermost : '';
      const isBehindItems = block.kind !== 'listItem' && ofItems !== '' && innermost === ofItems;
      const over = block.headings.slice(isTitled ? 1 : 0, isBehindItems ? -1 : undefined);
      const headings = labels.isCutOff ? NOTHING_ABOVE : over;
      const all = sinceClosing(above.length === 0 ? headings : [...headings, ...above]);
      return block.kind === 'tableRow'
        ? [rowOf(block, report, table, all)]
        : sentencesOf(block, report, all, lead ?? conditionAbove(block, all));
    })
    .filter(({ text }) => text.length <= MAX_QUOTE_LENGTH && !REFERENCE_ENTRY.test(text));
}

/** The heading above a list item if it makes a condition of the list: "When one router is enough". A question does not. */
function conditionAbove({ kind }: Block, above: readonly string[]): string | null {
  const heading = above.at(-1) ?? '';
  return kind === 'listItem' && CONDITION.test(heading) && !/[?:]\s*$/.test(heading) ? heading : null;
}

/**
 * A source in parentheses at the beginning, for the text before or after it: "(Dickinson 2000) This form …", "(Reuters) The bank …". A time or
 * condition begins with a stop word.
 */
const SOURCE_IN_PARENTHESES = /^\((\p{Lu}[\p{L}.'’-]{0,40})(?:[^()\n]{0,80}\b\d{4}[a-z]?(?:[,:][^()\n]{0,40})?)?\)\s+(?=\p{Lu})/u;

function sourceBefore(sentence: string): number {
  const [source, first] = SOURCE_IN_PARENTHESES.exec(sentence) ?? [];
  return source === undefined || isStopWord(first?.toLowerCase() ?? '') ? 0 : source.length;
}

/** Whether a single heading above everything gives the report's topic: it has other headings below it, or is too long for a name. */
function hasTitle(blocks: readonly Block[], report: string): boolean {
  const [first, ...others] = blocks.filter(({ kind }) => kind === 'heading');
  if (!first) return false;
  if (others.length > 0) return others.every(({ depth }) => depth > first.depth);
  // Bold lines may replace other headings.
  const isOfReport = first.depth === 1 || blocks.filter((block) => isBold(block, report)).length > 1;
  return first.text.split(' ').length > (isOfReport ? MAX_NAME_WORDS.ofReport : MAX_NAME_WORDS.ofSection);
}

const isBold = ({ kind, start }: Block, report: string): boolean => kind === 'paragraph' && report.startsWith('**', start);

/** A paragraph that is only a title such as "Sources:" or "**References**". */
const isTitleOfSources = ({ kind, start, end }: Block, report: string): boolean =>
  kind === 'paragraph' && end - start <= MAX_TITLE_LENGTH && REFERENCE_HEADING.test(labelText(report.slice(start, end)));
/** In UTF-16 units. */
const MAX_TITLE_LENGTH = 60;

/**
 * Whether a paragraph lists sources: one on each line, with or without a title on the first ("References", "[1] NHS, Lisinopril"), or one after the
 * other ("Sources, from memory: [1] NHS, Lisinopril; [2] …").
 */
function isListOfSources(text: string): boolean {
  if (RUN_OF_SOURCES.test(text)) return true;
  const end = text.indexOf('\n');
  if (end < 0) return false;
  const isTitled = end <= MAX_TITLE_LENGTH && REFERENCE_HEADING.test(labelText(text.slice(0, end)));
  const line = isTitled ? LISTED_LINE : MARKED_LINE;
  return (isTitled ? text.slice(end + 1) : text).split('\n').every((each) => line.test(each));
}
const RUN_OF_SOURCES = new RegExp(String.raw`^[^\p{L}\[]*${LIST_OF_SOURCES}\b[^.:;\n]{0,40}:[*_\s]*\[\^?\d{1,5}\]`, 'iu');
const MARKED_LINE = /^\s*(?:\[\^?\d{1,5}\]|https?:)/;
const LISTED_LINE = new RegExp(`${MARKED_LINE.source}|^\\s*(?:\\(?\\d{1,3}[.)] |[-*•] )`);

/** Whether the next block is nested in this item, which then acts as its heading. */
function isOverItems({ kind, start }: Block, next: Block | undefined, report: string): boolean {
  if (kind !== 'listItem' || next?.kind !== 'listItem') return false;
  const columnOf = (at: number): number => at - report.lastIndexOf('\n', at - 1);
  return columnOf(next.start) > columnOf(start);
}

function isProse({ kind, headings }: Block): boolean {
  const isText = kind === 'paragraph' || kind === 'listItem' || kind === 'tableRow' || kind === 'quote';
  return isText && !headings.some((heading) => REFERENCE_HEADING.test(heading));
}

/** Headings of a closing part, which concerns everything before it. */
const CLOSING =
  /^(?:(?:the )?bottom line|verdict|conclusions?|in (?:short|sum|summary|conclusion|one sentence)|summary|overall|taken together|all in all|(?:key )?takeaways?|final (?:word|thoughts|verdict)|tl;?dr)\b/i;
const NOTHING_ABOVE: readonly string[] = [];

/** Drops the headings above a closing part: a "Conclusion" below "Ford" is not only about Ford. */
function sinceClosing(above: readonly string[]): readonly string[] {
  const at = above.findLastIndex((text) => CLOSING.test(text));
  return at <= 0 ? above : above.slice(at);
}

function rowOf({ start, end, cells }: Block, report: string, { heads, repeated }: Table, above: readonly string[]): Quote {
  const own = { heads, own: cells, isNamedTwice: repeated.has(cells[0] ?? '') };
  return { text: report.slice(start, end), start, isFirstOfBlock: true, isItem: true, above, lead: null, cells: own };
}

/** A line of a paragraph that begins with its own heading: "**France:** …", and on the next line "**Norway:** …". */
const LABELLED_LINE = /(?<=\n)[ \t]*(?=(\*\*?|__?)[^*_\n]{1,60}(?:\1[ \t]*(?::|[–—-][ \t]|\n)|[:.]\1[ \t]))/g;

function sentencesOf({ kind, start, end }: Block, report: string, above: readonly string[], lead: string | null): Quote[] {
  const source = report.slice(start, end);
  const isItem = kind === 'listItem';
  if (!source.includes('\n')) return sentencesIn(source, start, isItem, above, lead);
  const labelled = source.matchAll(LABELLED_LINE).map(({ index, 0: indent }) => index + indent.length);
  const begins = [...new Set([0, ...labelled, ...bulletedLines(source)])].sort((a, b) => a - b);
  return begins.flatMap((begin, place) => sentencesIn(source.slice(begin, begins[place + 1]), start + begin, isItem, above, lead));
}

function sentencesIn(line: string, lineStart: number, isOfList: boolean, above: readonly string[], lead: string | null): Quote[] {
  const bullet = bulletLength(line);
  const [source, start, isItem] = [line.slice(bullet), lineStart + bullet, isOfList || bullet > 0];
  const { length: from, label, sentences } = runInHeading(source, isItem);
  let own = label === '' ? above : sinceClosing([...above, label]);
  return sentences.map((sentence, position) => {
    const skipped = sourceBefore(sentence.text) || bulletLength(sentence.text);
    if (CLOSING.test(sentence.text)) own = NOTHING_ABOVE;
    return {
      text: sentence.text.slice(skipped),
      start: start + from + sentence.start + skipped,
      isFirstOfBlock: position === 0,
      isItem,
      above: own,
      lead,
      cells: null,
    };
  });
}
