import type { Block } from '@lib/language/markdown/block';
import { readingOf } from '@lib/language/reading/read-text';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { labelText, mayStandAbove } from './run-in-heading';

/** A block that is entirely bold, used as a heading. */
const ALL_BOLD = /^(\*\*?|__?)([^*_\n]{1,80})\1:?$/;
/** A bold beginning of an item also applies to nested items: "- **Tesla:** Shares fell". */
const BEGINS_BOLD = /^(\*\*?|__?)([^*_\n]{1,60})\1/;
/** The marker of a new list item; a continuation of an item has none. */
const ITEM_MARK = /(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?$/;
const THEMATIC_BREAK = /^[ \t]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/m;
/** Largest gap between blocks in UTF-16 units, if there is no horizontal rule between them. */
const MAX_GAP_LENGTH = 3;
/** In words. */
const MAX_LABEL_WORDS = 8;
/** In UTF-16 units. */
const MAX_SOURCE_LENGTH = 100;
const MAX_NAME_WORDS = 3;

/** A block that tells what the following blocks are about. */
interface Label {
  text: string;
  /** The column of a list item; -1 for a paragraph. */
  column: number;
  /** It only applies to the next block: a list after a colon, or a table below its caption. */
  isOfNext: boolean;
  /** A list has followed, so a later paragraph is about something else. */
  hasList: boolean;
}

/**
 * Follows the blocks of a report and gives for each what stands above it besides headings: bold paragraphs, captions, list lead-ins, and parent
 * items.
 */
export class LabelsAbove {
  private labels: readonly Label[] = NO_LABELS;
  private end = 0;
  private isFirst = true;
  /** A horizontal rule has ended the range of the headings. */
  isCutOff = false;

  constructor(private readonly report: string) {}

  /** Pass all blocks, in order. @returns the labels above it, outermost first */
  above(block: Block): readonly string[] {
    const isApart = block.start - this.end > MAX_GAP_LENGTH;
    if (isApart && THEMATIC_BREAK.test(this.report.slice(this.end, block.start))) {
      this.labels = NO_LABELS;
      this.isCutOff = this.end > 0;
    }
    this.end = block.end;
    const labels = this.labelsOver(block);
    this.isFirst = false;
    return labels.length === 0 ? NO_TEXTS : labels.map(({ text }) => text);
  }

  private labelsOver({ kind, start, end }: Block): readonly Label[] {
    if (kind === 'paragraph' || kind === 'listItem') return this.overText(kind === 'listItem', start, end);
    if (kind === 'heading') {
      this.labels = NO_LABELS;
      this.isCutOff = false;
    } else if (kind === 'tableHeader') {
      const column = start - (this.report.lastIndexOf('\n', start - 1) + 1);
      // The items of a list are no captions of the table behind it, nor is what announces the list.
      this.labels = this.labels.filter((label) => label.column < column && !(label.isOfNext && label.hasList));
      const last = this.labels.at(-1);
      if (last?.column === -1 && !last.hasList) this.labels = [...this.labels.slice(0, -1), { ...last, isOfNext: true }];
    }
    return this.labels;
  }

  private overText(isItem: boolean, start: number, end: number): readonly Label[] {
    const lineStart = this.report.lastIndexOf('\n', start - 1) + 1;
    const column = isItem ? start - lineStart : -1;
    const goesOn = isItem && !ITEM_MARK.test(this.report.slice(lineStart, start));
    const source = this.report.slice(start, end);
    const own = goesOn ? null : labelIn(source, isItem);
    if (own === null && this.labels.length === 0) return NO_LABELS;
    const isHeading = !isItem && own !== null && !own.isOfNext;
    this.labels = this.labels.flatMap((label) => {
      if (label.column >= 0) return label.column < column || (goesOn && label.column === column) ? label : [];
      if (isHeading || (!isItem && (label.isOfNext || label.hasList))) return [];
      return isItem && !label.hasList ? { ...label, hasList: true } : label;
    });
    const { labels } = this;
    if (own && !(this.isFirst && own.text.split(' ').length > MAX_NAME_WORDS))
      this.labels = [...labels, { ...own, column, hasList: false }];
    return labels;
  }
}

const NO_LABELS: readonly Label[] = [];
const NO_TEXTS: readonly string[] = [];

function labelIn(source: string, isItem: boolean): Pick<Label, 'text' | 'isOfNext'> | null {
  const bold = ALL_BOLD.exec(source)?.[2] ?? (isItem ? BEGINS_BOLD.exec(source)?.[2] : undefined);
  if (bold !== undefined) return { text: labelText(bold), isOfNext: false };
  const isLead = source.endsWith(':');
  if (
    !(isLead || isItem) ||
    !mayStandAbove(source) ||
    source.length > MAX_SOURCE_LENGTH ||
    source.split(/\s+/, MAX_LABEL_WORDS + 1).length > MAX_LABEL_WORDS
  )
    return null;
  const { tokens } = readingOf(source);
  return tokens.some((_, at) => isFiniteVerbAt(tokens, at)) ? null : { text: labelText(source), isOfNext: !isItem };
}
