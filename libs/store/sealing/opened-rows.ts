import { Unsealable } from './seal';

export interface OpenedRows<Item> {
  items: Item[];
  /** How many could not be opened. */
  unreadable: number;
}

/**
 * The items of a list, without those that cannot be opened, so that one of them does not take the others away. Of a row whose content is gone
 * there is no item: it was deleted between the two reads.
 */
export async function openedRows<Row, Item, Content = string>(
  rows: readonly Row[],
  contentOf: (row: Row) => Promise<Content | null>,
  itemOf: (row: Row, content: Content) => Item,
): Promise<OpenedRows<Item>> {
  let unreadable = 0;
  const opened = rows.map(async (row) => {
    const content = await contentOf(row).catch((error: unknown) => {
      if (!(error instanceof Unsealable)) throw error;
      unreadable += 1;
      return null;
    });
    return content === null ? [] : [itemOf(row, content)];
  });
  const items = (await Promise.all(opened)).flat();
  return { items, unreadable };
}
