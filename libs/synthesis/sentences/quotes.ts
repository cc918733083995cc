import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { splitSentences } from '@lib/language/sentences';
import { isStopWord } from '@lib/language/tokens';
import { LabelsAbove } from './labels-above';
import { ListLeads } from './list-leads';
import { labelText, runInHeading } from './run-in-heading';

/** A sentence or table row of a report: `report.slice(start, start + text.length) === text` in UTF-16 units. */
export interface Quote {
  text: string;
  start: number;
  isFirstOfBlock: boolean;
  /** It is an item of a list, or a row of a table. */
  isItem: boolean;
  /** Headings and what stands like one, outermost first. */
  above: readonly string[];
  /** What the list begins with that it is an item of; null where it is none, or nothing is known to stand over the list. */
  lead: string | null;
  /** Of a row of a table; null for a sentence. */
  cells: Cells | null;
}

/** The cells of a row and the heads of their columns, as plain text with marks of sources. */
export interface Cells {
  heads: readonly string[];
  own: readonly string[];
}

const MAX_QUOTE = 1_000;
/** A heading alone that has more words is a title. */
const LONGEST_NAME = { ofReport: 2, ofSection: 6 };

const REFERENCE_HEADING =
  /^(?:\d+\.?\s*)?(?:references?|sources?|citations?|bibliography|works cited|further reading|footnotes?|end ?notes?|see also|external links|literature|quellen|literatur)\b/i;

/** An entry of a list of sources without a heading: it begins with its mark, is nothing but a link, or ends in an address. */
const REFERENCE_ENTRY = /^\[\^?\d{1,5}\]|^!?\[[^\]]*\]\([^)]*\)[.\s]*$|(?<!\]\(<?)\bhttps?:\/\/\S+$/;

/** The sentences of a report that can be claims, in order: none of headings, also of bold ones within a paragraph, code and lists of sources, and none longer than a reader can take in. */
export function quotesOf(report: string): Quote[] {
  const labels = new LabelsAbove(report);
  const leads = new ListLeads(report);
  let heads: readonly string[] = [];
  const blocks = parseBlocks(report);
  const isTitled = hasTitle(blocks);
  return blocks
    .flatMap((block) => {
      const above = labels.above(block);
      const lead = leads.of(block);
      if (block.kind === 'tableHeader') heads = block.cells.map(labelText);
      if (!isProse(block)) return [];
      const headings = labels.isCutOff ? NOTHING_ABOVE : isTitled ? block.headings.slice(1) : block.headings;
      const all = sinceClosing(above.length === 0 ? headings : [...headings, ...above]);
      return block.kind === 'tableRow' ? [rowOf(block, report, heads, all)] : sentencesOf(block, report, all, lead);
    })
    .filter(({ text }) => text.length <= MAX_QUOTE && !REFERENCE_ENTRY.test(text));
}

/** "(Dickinson 2000) This form …", "(Reuters) The bank …": the source of what was said before, or of what follows. A time or a condition begins with a small word. */
const SOURCE_IN_PARENTHESES = /^\((\p{Lu}[\p{L}.'’-]{0,40})(?:[^()\n]{0,80}\b\d{4}[a-z]?(?:[,:][^()\n]{0,40})?)?\)\s+(?=\p{Lu})/u;

function sourceBefore(sentence: string): number {
  const [source, first] = SOURCE_IN_PARENTHESES.exec(sentence) ?? [];
  return source === undefined || isStopWord(first?.toLowerCase() ?? '') ? 0 : source.length;
}

/** Whether all stands below one heading, which says what the report is about: it has others below it, or is too long for a name. */
function hasTitle(blocks: readonly Block[]): boolean {
  const [first, ...others] = blocks.filter(({ kind }) => kind === 'heading');
  if (!first) return false;
  if (others.length > 0) return others.every(({ depth }) => depth > first.depth);
  return first.text.split(' ').length > (first.depth === 1 ? LONGEST_NAME.ofReport : LONGEST_NAME.ofSection);
}

function isProse({ kind, headings }: Block): boolean {
  const isText = kind === 'paragraph' || kind === 'listItem' || kind === 'tableRow' || kind === 'quote';
  return isText && !headings.some((heading) => REFERENCE_HEADING.test(heading));
}

/** What such words begin is said of all that stands before. */
const CLOSING =
  /^(?:(?:the )?bottom line|verdict|conclusions?|in (?:short|sum|summary|conclusion|one sentence)|summary|overall|taken together|all in all|(?:key )?takeaways?|final (?:word|thoughts|verdict)|tl;?dr)\b/i;
const NOTHING_ABOVE: readonly string[] = [];

/** "Conclusion" below "Ford" is not of Ford. */
function sinceClosing(above: readonly string[]): readonly string[] {
  const at = above.findLastIndex((text) => CLOSING.test(text));
  return at <= 0 ? above : above.slice(at);
}

function rowOf(block: Block, report: string, heads: readonly string[], above: readonly string[]): Quote {
  const { start, end, cells } = block;
  return { text: report.slice(start, end), start, isFirstOfBlock: true, isItem: true, above, lead: null, cells: { heads, own: cells } };
}

/** Where a line of a paragraph begins with a heading of its own: "**France:** …", and on the next line "**Norway:** …". */
const LABELLED_LINE = /(?<=\n)[ \t]*(?=(\*\*?|__?)[^*_\n]{1,60}(?:\1[ \t]*(?::|[–—-][ \t]|\n)|[:.]\1[ \t]))/g;

function sentencesOf({ kind, start, end }: Block, report: string, above: readonly string[], lead: string | null): Quote[] {
  const source = report.slice(start, end);
  if (!source.includes('\n')) return sentencesIn(source, start, kind === 'listItem', above, lead);
  const begins = [0, ...source.matchAll(LABELLED_LINE).map(({ index, 0: indent }) => index + indent.length)];
  return begins.flatMap((begin, place) =>
    sentencesIn(source.slice(begin, begins[place + 1]), start + begin, kind === 'listItem', above, lead),
  );
}

function sentencesIn(source: string, start: number, isItem: boolean, above: readonly string[], lead: string | null): Quote[] {
  const { length: from, label } = runInHeading(source, isItem);
  let own = label === '' ? above : sinceClosing([...above, label]);
  return splitSentences(source.slice(from)).map((sentence, position) => {
    const skipped = sourceBefore(sentence.text);
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
