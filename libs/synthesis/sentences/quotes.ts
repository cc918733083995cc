import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';
import { splitSentences } from '@lib/language/sentences';
import { isStopWord } from '@lib/language/tokens';
import { LabelsAbove } from './labels-above';
import { runInHeading } from './run-in-heading';

/** A sentence or table row of a report: `report.slice(start, start + text.length) === text` in UTF-16 units. */
export interface Quote {
  text: string;
  start: number;
  isTableRow: boolean;
  isFirstOfBlock: boolean;
  /** Headings and what stands like one, outermost first. */
  above: readonly string[];
  /** Heads of the columns of a row. */
  columns: readonly string[];
}

const MAX_QUOTE = 1_000;
/** In words. */
const LONGEST_NAME = 6;
const NO_COLUMNS: readonly string[] = [];

const REFERENCE_HEADING =
  /^(?:\d+\.?\s*)?(?:references?|sources?|citations?|bibliography|works cited|further reading|footnotes?|end ?notes?|see also|external links|literature|quellen|literatur)\b/i;

/** An entry of a list of sources without a heading: it begins with its mark, is nothing but a link, or ends in an address. */
const REFERENCE_ENTRY = /^\[\^?\d{1,5}\]|^!?\[[^\]]*\]\([^)]*\)[.\s]*$|(?<!\]\(<?)\bhttps?:\/\/\S+$/;

/** The sentences of a report that can be claims, in order: none of headings, also of bold ones within a paragraph, code and lists of sources, and none longer than a reader can take in. */
export function quotesOf(report: string): Quote[] {
  const labels = new LabelsAbove(report);
  let columns: readonly string[] = [];
  const blocks = parseBlocks(report);
  const isTitled = hasTitle(blocks);
  return blocks
    .flatMap((block, place) => {
      const headings = isTitled ? block.headings.slice(1) : block.headings;
      const above = labels.above(block, place === 0);
      if (block.kind === 'tableHeader') columns = block.cells;
      if (!isProse(block)) return [];
      return quotesOfBlock(block, report, { above: above.length === 0 ? headings : [...headings, ...above], columns });
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
function hasTitle([first, ...blocks]: readonly Block[]): boolean {
  if (first?.kind !== 'heading') return false;
  const others = blocks.filter(({ kind }) => kind === 'heading');
  return others.length === 0 ? first.text.split(' ').length > LONGEST_NAME : others.every(({ depth }) => depth > first.depth);
}

function isProse({ kind, headings }: Block): boolean {
  const isText = kind === 'paragraph' || kind === 'listItem' || kind === 'tableRow' || kind === 'quote';
  return isText && !headings.some((heading) => REFERENCE_HEADING.test(heading));
}

/** What such a label begins is said of all that stands before. */
const CLOSING =
  /^(?:(?:the )?bottom line|verdict|conclusions?|in (?:short|sum|summary|conclusion|one sentence)|summary|overall|(?:key )?takeaways?|final (?:word|thoughts|verdict)|tl;?dr)\b/i;

function quotesOfBlock({ kind, start, end }: Block, report: string, { above, columns }: Pick<Quote, 'above' | 'columns'>): Quote[] {
  const source = report.slice(start, end);
  if (kind === 'tableRow') return [{ text: source, start, isTableRow: true, isFirstOfBlock: true, above, columns }];
  const { length: from, label } = runInHeading(source, kind === 'listItem');
  const own = label === '' ? above : CLOSING.test(label) ? [label] : [...above, label];
  return splitSentences(source.slice(from)).map((sentence, position) => {
    const skipped = sourceBefore(sentence.text);
    return {
      text: sentence.text.slice(skipped),
      start: start + from + sentence.start + skipped,
      isTableRow: false,
      isFirstOfBlock: position === 0,
      above: own,
      columns: NO_COLUMNS,
    };
  });
}
