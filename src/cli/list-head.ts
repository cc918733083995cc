/** Names the columns of a list for a person at a terminal. A program that reads the list gets its lines alone. */
export function showHead(...columns: string[]): void {
  if (process.stdout.isTTY) console.log(columns.join('\t'));
}
