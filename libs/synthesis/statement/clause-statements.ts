import type { Clause } from '@lib/language/reading/clauses';
import { placeInQuote } from '../sentences/citation-marks';
import { completed, withoutLead } from './clause-text';
import { startOf, statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';
import { StatementParts } from './statement-parts';

/** Divides a sentence with a known subject into clauses and other parts that each state something. */
export function takeApart(statement: Statement, sentence: ReadSentence, report: ReadReport): void {
  const { read, reading, reference } = sentence;
  if (reference.subject === null) return;
  const clauses = withoutLead(read.clausesAfter(reference.to, !sentence.isUnknown), reading, reference);
  const [whole] = clauses;
  if (clauses.length > 1) statement.clauses = clauseStatements(clauses, sentence, statement, report);
  else if (whole) statement.parts = new StatementParts(whole, statement, sentence, report);
}

/**
 * The statements of the clauses. A clause without citation marks takes those of the next one that has some. A clause that states nothing by itself is
 * dropped; with only two, the sentence then stays whole.
 */
function clauseStatements(clauses: readonly Clause[], sentence: ReadSentence, whole: Statement, report: ReadReport): Statement[] {
  const { quote, plain } = sentence;
  const statements: Statement[] = [];
  let backing: number[] = [];
  for (const clause of clauses.toReversed()) {
    const from = startOf(clause, sentence);
    const end = placeInQuote(plain, clause.end, quote.text);
    const citationIndexes = report.reader.citationsIn(plain, quote.start, from, end);
    if (citationIndexes.length > 0) backing = citationIndexes;
    const { text, reading } = completed(clause, sentence.reading, plain.text, sentence.reference);
    if (text === '') continue;
    const statement = statementFrom({ from, end, citationIndexes: backing, text, reading }, sentence, report, whole.wording);
    statement.parts = new StatementParts(clause, statement, sentence, report);
    statements.push(statement);
  }
  return statements.length > 1 ? statements.reverse() : [];
}
