/**
 * Whether the first row of a table that does not mark its heads names its columns. Heads contain no digits. With two columns a first row may also be a name and its value, so then every row below must contain digits.
 */
export function beginsWithHeads([first, ...others]: readonly { cells: readonly string[] }[]): boolean {
  const isHeads = first?.cells.every((cell) => cell !== '' && !/\p{N}/u.test(cell)) ?? false;
  return isHeads && (first?.cells.length !== 2 || others.every(({ cells }) => cells.some((cell) => /\p{N}/u.test(cell))));
}
