import type { Block } from '@lib/language/markdown/block';
import { readingOf } from '@lib/language/reading/parts';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** Bold, and nothing else in the block: a heading without a heading's mark. */
const ALL_BOLD = /^(\*\*?|__?)([^*_\n]{1,80})\1:?$/;
/** "- **Tesla:** Shares fell": what is nested below is of Tesla too. */
const BEGINS_BOLD = /^(\*\*?|__?)([^*_\n]{1,60})\1/;
/** In words. */
const LONGEST_LABEL = 8;
/** In UTF-16 units. */
const LONGEST_SOURCE = 100;
const LONGEST_NAME = 3;

/** A block that says what those below it are about. */
interface Label {
  text: string;
  /** Of the list item; -1 for a paragraph, which stands above all that follows it. */
  column: number;
  /** Ends in a colon, and so is followed by its list. */
  isLead: boolean;
}

/** Follows the blocks of a report, and tells of each what stands above it besides headings: bold paragraphs, and items of lists that others are nested in. */
export class LabelsAbove {
  private labels: readonly Label[] = NO_LABELS;

  constructor(private readonly report: string) {}

  /** Give all blocks, in order. @param isFirst of the report, of which it may be the title @returns the labels above it, outermost first */
  above({ kind, start, end }: Block, isFirst: boolean): readonly string[] {
    if (kind === 'heading') this.labels = NO_LABELS;
    else if (kind === 'paragraph' || kind === 'listItem') return this.aboveText(kind === 'listItem', start, end, isFirst);
    return textsOf(this.labels);
  }

  private aboveText(isItem: boolean, start: number, end: number, isFirst: boolean): readonly string[] {
    const column = isItem ? start - (this.report.lastIndexOf('\n', start - 1) + 1) : -1;
    const source = this.report.slice(start, end);
    const own = labelIn(source, isItem);
    if (own === null && this.labels.length === 0) return NO_TEXTS;
    const isHeading = !isItem && own !== null && !own.isLead;
    this.labels = this.labels.filter((label) => (label.column < 0 ? !isHeading && (!label.isLead || isItem) : label.column < column));
    const above = textsOf(this.labels);
    if (own && !(isFirst && own.text.split(' ').length > LONGEST_NAME)) this.labels = [...this.labels, { ...own, column }];
    return above;
  }
}

const NO_LABELS: readonly Label[] = [];
const NO_TEXTS: readonly string[] = [];
const textsOf = (labels: readonly Label[]): readonly string[] => (labels.length === 0 ? NO_TEXTS : labels.map(({ text }) => text));

function labelIn(source: string, isItem: boolean): Omit<Label, 'column'> | null {
  const bold = ALL_BOLD.exec(source)?.[2] ?? (isItem ? BEGINS_BOLD.exec(source)?.[2] : undefined);
  if (bold !== undefined) return { text: bold, isLead: false };
  const isLead = source.endsWith(':');
  if (!(isLead || isItem) || source.length > LONGEST_SOURCE || source.split(/\s+/, LONGEST_LABEL + 1).length > LONGEST_LABEL) return null;
  const { tokens } = readingOf(source);
  return tokens.some((_, at) => isFiniteVerbAt(tokens, at)) ? null : { text: source, isLead: !isItem };
}
