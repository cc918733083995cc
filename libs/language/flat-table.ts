/** A row with a bar at either end and nothing in it that could hide a bar. */
const ROW = /^\|[^\\`\n]*\|$/;
const DELIMITERS = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+$/;

/** How many of the lines from `first` on are surely one table, its delimiter row included; 0 if they may be anything else. */
export function flatTableLines(lines: readonly string[], first: number): number {
  const [head = '', delimiters = ''] = [lines[first], lines[first + 1]];
  const columns = cellsOf(head).length;
  if (!ROW.test(head) || !DELIMITERS.test(delimiters) || cellsOf(delimiters).length !== columns) return 0;
  let end = first + 2;
  for (let line = lines[end]; line !== undefined && line.trim() !== ''; line = lines[(end += 1)]) {
    if (!ROW.test(line) || cellsOf(line).length !== columns) return 0;
  }
  return end - first;
}

/** The cells of a row of such a table, without the white space around them. */
export function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
