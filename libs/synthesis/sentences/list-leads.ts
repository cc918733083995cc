import type { Block } from '@lib/language/markdown/block';
import { labelText } from './run-in-heading';

/** In UTF-16 units; a longer text is not a lead-in. */
const MAX_LENGTH = 120;
const MAX_SOURCE_LENGTH = 4 * MAX_LENGTH;
const ALL_BOLD = /^(\*\*?|__?)[^*_\n]+\1:?$/;
/** Lead-ins that say nothing about their items. */
const SAYS_NOTHING =
  /^(?:(?:table of )?contents|sources?|references?|citations?|see also|further reading|links?|notes?|next steps?|in this (?:report|answer)|(?:key )?takeaways?|summary|overview|introduction|background|details?|tl;?dr|questions?\b.*|here(?:['’]s| is| are)\b.*)$/i;

/** Whether a block is entirely bold, and thus a heading rather than a statement. */
export const isAllBold = (source: string): boolean => ALL_BOLD.test(source.trim());

/** The lead-in of a list, or of items nested in an item. */
interface Lead {
  /** The column of the item; -1 for a paragraph or heading. */
  column: number;
  /** Null if it does not say anything about the items. */
  text: string | null;
}

/** Begins a lead-in, or a heading, that makes a condition of its list: "When one router is enough". */
export const CONDITION = /^(?:when|if|unless|as long as) \w/i;

/** The items complete such a lead-in, and are no facts: "You lose the right if: the laptop was made for you". */
export const BEFORE_CONDITION = /\b(?:if|when|whenever|where|unless|as long as|in case|provided(?: that)?)$/i;
/** A lead-in that denies something of its items. */
export const DENYING =
  /\b(?:not|never|no|nobody|nothing|cannot|neither|without|avoid|except|excludes?|excluding|exclusions?|lacks?)\b|n['’]t\b/i;

const MAX_WORDS_OF_VERDICT = 5;

/** Whether a heading tells something of the list below it, and nothing of a paragraph behind the list: "Avoid it if", "Signs it isn't". */
export const isOnlyOfItems = (heading: string): boolean =>
  BEFORE_CONDITION.test(heading) ||
  (DENYING.test(heading) && !CONDITION.test(heading) && heading.split(' ').length <= MAX_WORDS_OF_VERDICT);

/**
 * Follows the blocks of a report and gives for each list item the lead-in of its list: "Avoid it if:", or the heading right above. None if a
 * paragraph without a final colon stands between, since its relation to the items is unknown.
 */
export class ListLeads {
  private leads: readonly Lead[] = [];

  constructor(private readonly report: string) {}

  /** Pass all blocks, in order. */
  of({ kind, start, end }: Block): string | null {
    if (kind !== 'listItem') {
      this.leads = [{ column: -1, text: leadIn(this.report.slice(start, end), kind === 'heading') }];
      return null;
    }
    const column = start - (this.report.lastIndexOf('\n', start - 1) + 1);
    const over = this.leads.filter((lead) => lead.column < column);
    this.leads = [...over, { column, text: leadIn(this.report.slice(start, end), false) }];
    return over.at(-1)?.text ?? null;
  }
}

/** The last sentence without markup. Only the end of a long text is read, with some allowance for markup. */
function leadIn(source: string, isHeading: boolean): string | null {
  if (!(isHeading || source.trimEnd().endsWith(':') || isAllBold(source))) return null;
  const text = labelText(source.slice(-MAX_SOURCE_LENGTH).replace(/^#+/, '').replace(/#+$/, '')).replace(/:$/, '').trim();
  const last = text.split(/(?<=[.!?])\s+/).at(-1) ?? '';
  return last === '' || last.length > MAX_LENGTH || SAYS_NOTHING.test(last) ? null : last;
}
