import { leadInOf, leadsOn } from './lead-in';
import { underParents } from './list-headers';
import { leadingPart } from './lists';
import type { Chunk } from './passages';

/** Kinds of lists, by their names in HTML: their items depend on the text before them. */
const LISTS = ['ul', 'ol', 'dl', 'dd'] as const;
type ListKind = (typeof LISTS)[number];

export const isList = (name: string): name is ListKind => LISTS.some((list) => list === name);

/** The open lists of a document, outermost first. */
export class OpenLists {
  /** For each open list, the texts that introduce its items, outermost first. */
  private readonly under: (readonly string[])[] = [];
  /** For each open list, the number of its item before; undefined in a list without numbers. */
  private readonly numbers: (number | undefined)[] = [];
  /** The number of the item that has just begun, until its first text is read. */
  private begun: number | undefined;

  /**
   * Opens a list. A nested list belongs under the item before it, a definition under its term, and any other list under the text that leads to it.
   * @param last the text before the list
   * @param start the number of its first item, as the document gives it
   */
  open(name: ListKind, last: string, term: string, start = '1'): void {
    const above = this.under.at(-1);
    const line = name === 'dd' ? term : above ? leadingPart(last) : leadInOf(last);
    const isUnder = line !== '' && (name === 'dd' || above !== undefined || leadsOn(line));
    this.numbers.push(name === 'ol' ? (Number.parseInt(start, 10) || 1) - 1 : undefined);
    this.under.push(isUnder ? underParents([...(above ?? []), line]) : (above ?? []));
  }

  close(): void {
    this.under.pop();
    this.numbers.pop();
  }

  /** Begins an item of the innermost list. */
  beginItem(): void {
    const before = this.numbers.pop();
    this.begun = before === undefined ? undefined : before + 1;
    this.numbers.push(this.begun);
  }

  /** How a text in the innermost list is classified; undefined outside of lists. */
  itemOf(): Pick<Chunk, 'part' | 'introduction' | 'isStep' | 'step'> | undefined {
    const introduction = this.under.at(-1);
    const step = this.begun;
    this.begun = undefined;
    const isStep = this.numbers.at(-1) !== undefined;
    return introduction && { part: 'item', introduction, ...(isStep && { isStep }), ...(step !== undefined && { step }) };
  }
}
