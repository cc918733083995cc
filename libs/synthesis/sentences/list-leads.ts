import type { Block } from '@lib/language/markdown/block';
import { labelText } from './run-in-heading';

/** In UTF-16 units: a longer one is a text of its own. */
const MAX_LENGTH = 120;
const MAX_SOURCE_LENGTH = 4 * MAX_LENGTH;
const ALL_BOLD = /^(\*\*?|__?)[^*_\n]+\1:?$/;
/** They say nothing of the items below them. */
const SAYS_NOTHING =
  /^(?:(?:table of )?contents|sources?|references?|citations?|see also|further reading|links?|notes?|next steps?|in this (?:report|answer)|(?:key )?takeaways?|summary|overview|introduction|background|details?|tl;?dr|questions?\b.*|here(?:['’]s| is| are)\b.*)$/i;

/** It stands over what follows, and tells nothing itself. */
export const isAllBold = (source: string): boolean => ALL_BOLD.test(source.trim());

/** What stands over a list, or over the items nested in one of its items. */
interface Lead {
  /** Of the item; -1 for a paragraph or heading. */
  column: number;
  /** Null where that says nothing of what follows. */
  text: string | null;
}

/**
 * Follows the blocks of a report, and tells of each item of a list what the list begins with: "Avoid it if:", or the heading right above. None where
 * a paragraph stands between that does not end with a colon: what that says of the items cannot be told.
 */
export class ListLeads {
  private leads: readonly Lead[] = [];

  constructor(private readonly report: string) {}

  /** Give all blocks, in order. */
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

/** The last sentence, without markup: of a text of any length only the end is looked at, where markup may take more room than what is read. */
function leadIn(source: string, isHeading: boolean): string | null {
  if (!(isHeading || source.trimEnd().endsWith(':') || isAllBold(source))) return null;
  const text = labelText(source.slice(-MAX_SOURCE_LENGTH).replace(/^#+/, '').replace(/#+$/, '')).replace(/:$/, '').trim();
  const last = text.split(/(?<=[.!?])\s+/).at(-1) ?? '';
  return last === '' || last.length > MAX_LENGTH || SAYS_NOTHING.test(last) ? null : last;
}
