import { statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';

const BETWEEN_CELLS = ' | ';

/** Heads of columns that tell of nothing. */
const SAYS_NOTHING = /^$|^(?:details?|values?|information|info|descriptions?|notes?|answers?|comments?|remarks?|facts?|what|how|why)\b/i;

/** What the columns of a row say of what its first cell names. */
interface Row {
  first: string;
  /** Each behind the head of its column, where it has one; none that are empty. */
  others: readonly string[];
}

/** @param row without marks and markup but for the lines between its cells */
function cellsOf(row: string, columns: readonly string[]): Row {
  const cells = row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
  const [first = '', ...others] = cells.map((cell, column) => {
    const head = columns[column] ?? '';
    return column === 0 || cell === '' || SAYS_NOTHING.test(head) ? cell : `${head}: ${cell}`;
  });
  return { first, others: others.filter((cell) => cell !== '') };
}

/** Its words stand in cells, and in no sentence. */
export const isOfTable = ({ text }: { text: string }): boolean => text.includes(BETWEEN_CELLS);

/** A row as a text: "Cycle life | LTO: 10,000 | NMC: 2,000". */
export function rowText(row: string, columns: readonly string[]): string {
  const { first, others } = cellsOf(row, columns);
  return [first, ...others].filter((cell) => cell !== '').join(BETWEEN_CELLS);
}

/** A row of several columns is taken apart into them: what one of them says of its head, the next does not. */
export function takeRowApart(statement: Statement, sentence: ReadSentence, report: ReadReport): void {
  const { quote, plain } = sentence;
  const { first, others } = cellsOf(plain.text, quote.columns);
  if (first === '' || others.length < 2) return;
  const { citationIndexes } = statement;
  statement.clauses = others.map((cell) => {
    const { reading } = report.sentences.read(first + BETWEEN_CELLS + cell);
    const said = { from: 0, end: quote.text.length, citationIndexes, text: reading.text, reading };
    const clause = statementFrom(said, sentence, report, statement.wording);
    clause.within = clause;
    return clause;
  });
}
