import type { Enumeration, ListItem } from '@lib/language/reading/enumerations';
import { wordsAlone } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';

/** A list of one statement, and the items of it that another one lists too: one or more. */
export interface CommonItems {
  first: ListItem;
  last: ListItem;
  common: readonly ListItem[];
}

/** Those of the lists of `mine` that share something with a list of `yours`. */
export function commonItemsOf(mine: Reading, listed: readonly Enumeration[], yours: Reading): CommonItems[] {
  const lists = listed.filter(({ isClosed }) => !isClosed);
  if (lists.length === 0) return [];
  const theirs = yours.enumerations.flatMap(({ items }) => items.map((item) => wordsAlone(yours, item.from, item.to)));
  if (theirs.length === 0) return [];
  return lists.flatMap((list) => {
    const common = commonItems(mine, list, theirs);
    const [first, last] = [list.items[0], list.items.at(-1)];
    return first && last && common.length > 0 ? [{ first, last, common }] : [];
  });
}

function commonItems(reading: Reading, { items, keepsFirst }: Enumeration, theirs: readonly Reading[]): readonly ListItem[] {
  const common = items.filter(({ from, to }) => {
    const own = wordsAlone(reading, from, to);
    return theirs.some((other) => namesSame(own, other));
  });
  return keepsFirst && common[0] !== items[0] ? [] : common;
}

/** What the one says the other says too, and both speak of the same: "director" and "theatre director". */
function namesSame(mine: Reading, yours: Reading): boolean {
  const [last, other] = [mine.tokens.at(-1), yours.tokens.at(-1)];
  if (mine.stems.size === 0 || !mine.stems.isSubsetOf(yours.stems)) return false;
  return mine.tokens.some(({ isCapitalised }) => isCapitalised) || last?.word.stem === other?.word.stem;
}

/** The text up to the list and the items as a list of their own. */
export function withItems(text: string, { first, common }: CommonItems): string {
  const items = common.map(({ start, end }) => text.slice(start, end));
  const listed = items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
  return text.slice(0, first.start) + listed;
}
