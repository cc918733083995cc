import { rowText } from './row-text';

/** Longer heads are those of a table that no row could be read with. */
const MAX_LENGTH = 2_000;
/** Each row is kept with its heads, so those of a file of rows must not fill the memory. */
const MAX_TOTAL_LENGTH = 16_000_000;

/** The heads of a table in one line; empty if they are too long for so many rows. */
export function columnHeads(cells: readonly string[], rows: number): string {
  const heads = rowText(cells);
  return heads.length > MAX_LENGTH || heads.length * rows > MAX_TOTAL_LENGTH ? '' : heads;
}
