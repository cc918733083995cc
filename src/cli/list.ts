/** Of a command that lists something. */
export interface ListOptions {
  tenant?: string;
  json?: boolean;
}

interface List<Row> {
  /** Named for a person at a terminal; a program that reads the list gets its lines alone. */
  columns: readonly string[];
  rows: readonly Row[];
  line: (row: Row) => string;
  /** The row for a program, which is given a document a line. */
  document: (row: Row) => object;
  json: boolean | undefined;
}

export function showList<Row>({ columns, rows, line, document, json = false }: List<Row>): void {
  if (!json && process.stdout.isTTY) console.log(columns.join('\t'));
  for (const row of rows) console.log(json ? JSON.stringify(document(row)) : line(row));
}
