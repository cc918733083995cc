import { leadInOf, leadsOn } from './lead-in';
import { underParents } from './list-headers';
import { leadingPart } from './lists';
import type { Chunk } from './passages';

/** What holds items that stand under what stands before it. */
const LISTS = new Set(['ul', 'ol', 'dl', 'dd']);

export const isList = (name: string): boolean => LISTS.has(name);

/** The lists of a page that are open, outermost first. */
export class HtmlLists {
  /** What the items of each stand under, outermost first. */
  private readonly under: (readonly string[])[] = [];
  private readonly numbered: boolean[] = [];

  /**
   * A list in another stands under the item before it, a definition under its term, and a list of its own under what leads to it.
   * @param last what stands before it
   */
  open(name: string, last: string, term: string): void {
    const above = this.under.at(-1);
    const line = name === 'dd' ? term : above ? leadingPart(last) : leadInOf(last);
    const isUnder = line !== '' && (name === 'dd' || above !== undefined || leadsOn(line));
    this.numbered.push(name === 'ol');
    this.under.push(isUnder ? underParents([...(above ?? []), line]) : (above ?? []));
  }

  close(): void {
    this.under.pop();
    this.numbered.pop();
  }

  /** What a text of the innermost list is; undefined outside of lists. */
  itemOf(): Pick<Chunk, 'part' | 'introduction' | 'isStep'> | undefined {
    const introduction = this.under.at(-1);
    return introduction && { part: 'item', introduction, ...(this.numbered.at(-1) === true && { isStep: true }) };
  }
}
