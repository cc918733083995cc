import { leadInOf, leadsOn } from './lead-in';
import { underParents } from './list-headers';
import { leadingPart } from './lists';
import type { Chunk } from './passages';

/** Elements whose items depend on the text before them. */
const LISTS = new Set(['ul', 'ol', 'dl', 'dd']);

export const isList = (name: string): boolean => LISTS.has(name);

/** The open lists of a page, outermost first. */
export class HtmlLists {
  /** For each open list, the texts that introduce its items, outermost first. */
  private readonly under: (readonly string[])[] = [];
  private readonly numbered: boolean[] = [];

  /**
   * Opens a list. A nested list belongs under the item before it, a definition under its term, and any other list under the text that leads to it.
   * @param last the text before the list
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

  /** How a text in the innermost list is classified; undefined outside of lists. */
  itemOf(): Pick<Chunk, 'part' | 'introduction' | 'isStep'> | undefined {
    const introduction = this.under.at(-1);
    return introduction && { part: 'item', introduction, ...(this.numbered.at(-1) === true && { isStep: true }) };
  }
}
