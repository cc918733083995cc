import { leansOnOthers, statesSomething } from '../sentences/check-worthiness';
import { placeInQuote } from '../sentences/citation-marks';
import { REFERS_TO_NOTHING, type Referred } from '../subject/reference';
import { capitalised, closed } from './clause-text';
import { RELATIVE_TIME } from './stands-alone';
import { takeWhollyApart } from './stated-besides';
import { referring, saidIn, type Found } from './read-sentence';
import { candidateOf, statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';

/** The coordinated clauses of a sentence that could be sentences of their own; the sentence itself if there are none. */
export function joinedIn(whole: Found, { reader, sentences }: ReadReport): Found[] {
  const { quote, plain, read } = whole;
  const clauses = quote.cells ? [] : read.independentClauses;
  if (clauses.length < 2) return [whole];
  const { tokens } = read.reading;
  return clauses.map(({ from, to }) => {
    const begin = from === 0 ? 0 : placeInQuote(plain, tokens[from]?.start ?? 0, quote.text);
    const end = to === tokens.length ? quote.text.length : placeInQuote(plain, tokens[to]?.start ?? 0, quote.text);
    const text = quote.text.slice(begin, end).replace(/[\s,;:]+$/, '');
    const own = reader.read(text);
    const said = { ...own, text: closed(capitalised(own.text)) };
    const part = sentences.read(said.text);
    return { quote: { ...quote, text, start: quote.start + begin }, plain: said, read: part, reading: part.reading };
  });
}

/** The statements of the coordinated clauses; null if there are none, or if one cannot be understood alone. */
export function joinedStatements(
  joined: readonly Found[],
  referred: readonly Referred[],
  whole: { sentence: ReadSentence; statement: Statement },
  report: ReadReport,
): Statement[] | null {
  if (joined.length < 2) return null;
  const statements: Statement[] = [];
  const told: string[] = [];
  for (const [place, part] of joined.entries()) {
    const own = referred[place] ?? REFERS_TO_NOTHING;
    const sentence = referring(part, own, report, place === 0 ? whole.sentence.context : told.join(' '));
    const said = saidIn(sentence, report);
    told.push(said.text);
    const candidate = candidateOf(said, whole.sentence.quote);
    if (!own.reference || leansOnOthers(candidate) || !(statesSomething(candidate) || isShort(part))) return null;
    if (place > 0 && tellsTimeByOther(part)) return null;
    const statement = statementFrom(said, sentence, report, whole.statement.wording);
    takeWhollyApart(statement, sentence, report);
    for (const clause of statement.clauses.length > 0 ? statement.clauses : [statement]) {
      clause.within = statement;
      statements.push(clause);
    }
  }
  return backed(statements);
}

/** A short clause, sufficient only as part of its sentence: "She declined". */
const isShort = ({ reading }: Found): boolean => reading.tokens.length <= SHORT;
const SHORT = 3;

/** Whether a clause's time depends on the part before: "It was a hit a year later". */
const tellsTimeByOther = ({ reading }: Found): boolean => reading.dates.length === 0 && RELATIVE_TIME.test(reading.text);

/** Gives a clause without citation marks those of the next one that has some. */
function backed(statements: Statement[]): Statement[] {
  for (let at = statements.length - 2; at >= 0; at -= 1) {
    const [statement, next] = [statements[at], statements[at + 1]];
    if (!statement || !next || statement.citationIndexes.length > 0) continue;
    statement.citationIndexes = next.citationIndexes;
    statement.witnesses = next.witnesses;
  }
  return statements;
}
