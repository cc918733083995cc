/** A row of a table in one line, without the empty cells at its end. */
export const rowText = (cells: readonly string[]): string => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ');
