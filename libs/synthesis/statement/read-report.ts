import { answerStart, isVerbless, leansOnOthers, statesSomething } from '../sentences/check-worthiness';
import { QuoteReader } from '../sentences/citation-marks';
import { witnessKey } from '../citations';
import { takeWhollyApart } from './stated-besides';
import { capitalised } from './clause-text';
import { joinedIn, joinedStatements } from './joined-sentences';
import { referring, saidIn } from './read-sentence';
import { isBehindLabel } from '../sentences/run-in-heading';
import { quotationsOf, quotedSpans, type Quoted } from '../sentences/quotations';
import { quotesOf, type Cells, type Quote } from '../sentences/quotes';
import { isRefusal } from '../sentences/refusal';
import { isCondition, listedItem } from './listed-item';
import { REFERS_TO_NOTHING } from '../subject/reference';
import { isSaidOfHeading, shownAbove } from './above';
import { holdHeadingsApart } from './headings-held-apart';
import { HeadingsRead, withoutEnding } from '../subject/headings-read';
import { SentencesRead } from '../subject/sentences-read';
import { SaidBefore } from './said-before';
import { rowText, takeRowApart } from './table-row';
import { candidateOf, NO_CLAUSES, NONE, statementFrom, witnessesOfAll, type ReadReport, type Statement } from './statement';
import { Stretches } from './stretches';
import { Subjects } from '../subject/subject';
import { goingOn, Surroundings, type Ending } from '../sentences/surroundings';
import type { SynthesisStep } from '../synthesis';

/** Further sentences of a report are skipped after this many clauses, to limit the work. */
const MAX_CLAUSES = 1_000;

/**
 * Shared data for reading the reports of a job: sentences that several reports quote are read once, and a report may use an abbreviation that another
 * one explains.
 */
export interface ReadTogether {
  sentences: SentencesRead;
  /** The question with its abbreviations explained. */
  question: string;
}

export function readTogether(steps: readonly SynthesisStep[], query: string): ReadTogether {
  const sentences = new SentencesRead(steps.flatMap(({ status, reportMarkdown }) => (status === 'completed' ? [reportMarkdown] : [])));
  return { sentences, question: sentences.abbreviations.explained(query) };
}

/**
 * The distinct check-worthy sentences of a report that can be understood alone, in order. Only this report is read, so the attribution is certain. A
 * step without a report has none.
 */
export function statementsOf(step: SynthesisStep, together: ReadTogether): Statement[] {
  return readReport(step, together).statements.filter(({ leansOn }) => leansOn === null);
}

/** The statements of a report, including sentences that need their context. */
export interface StatedByReport {
  statements: Statement[];
  /** What its writer did not find or answer, in its own words. */
  refusals: string[];
  /** How many sentences follow the last one that was read, if the report exceeds `MAX_CLAUSES`. */
  unread: number;
}

export function readReport(step: SynthesisStep, together: ReadTogether): StatedByReport {
  if (step.status !== 'completed') return { statements: [], refusals: [], unread: 0 };
  const report = reportOf(step, together);
  const surroundings = new Surroundings();
  const quotations = quotationsOf(step, report.reader).map((quoted) => quotedStatement(quoted, report));
  const quoted = quotations.length === 0 ? [] : quotedSpans(step);
  const statements = [...quotations];
  const said = new SaidBefore(quotations);
  let clauseCount = 0;
  let unread = 0;
  for (const quote of quotesOf(step.reportMarkdown)) {
    if (quoted.some(({ start, end }) => quote.start < end && quote.start + quote.text.length > start)) continue;
    if (clauseCount >= MAX_CLAUSES) {
      unread += 1;
      continue;
    }
    if (quote.isFirstOfBlock) {
      report.subjects.startBlock(report.headings.over(quote.above), quote.above.join('\n'));
      surroundings.startBlock(quote.above, quote.isItem);
    }
    const statement = statementOf(quote, report, surroundings);
    if (!statement) continue;
    if (said.isRepeated(statement)) continue;
    statements.push(statement);
    clauseCount += Math.max(1, statement.clauses.length);
  }
  holdHeadingsApart(statements);
  return { statements, refusals: [...report.refusals], unread };
}

/** What reading a sentence of the report needs of the whole report. */
function reportOf(step: SynthesisStep, { sentences, question }: ReadTogether): ReadReport {
  const { reading: asking } = sentences.read(question);
  const abbreviations = sentences.abbreviations.of(step.reportMarkdown);
  return {
    ...step,
    reader: new QuoteReader(step.citations),
    witnesses: witnessesOf(step),
    subjects: new Subjects(asking, step.reportMarkdown),
    sentences,
    refusals: new Set(),
    headings: new HeadingsRead(asking, step.reportMarkdown, abbreviations),
    abbreviations,
    asked: asking.stems,
  };
}

/** A quotation is not divided. */
function quotedStatement(quoted: Quoted, report: ReadReport): Statement {
  const { provider, stepId } = report;
  const witnesses = witnessesOfAll(quoted.citationIndexes, report);
  const { stems } = quoted.reading;
  return {
    ...quoted,
    provider,
    stepId,
    stems,
    witnesses,
    worth: 0,
    head: NONE,
    clauses: NO_CLAUSES,
    within: null,
    parts: null,
    stretches: null,
    leansOn: null,
    before: null,
    context: null,
    isOfTable: false,
    headings: null,
    namesNothing: false,
    isUnknown: false,
  };
}

function witnessesOf({ citations }: SynthesisStep): Map<number, ReadonlySet<string>> {
  return new Map(citations.map((citation) => [citation.index, new Set([witnessKey(citation)])]));
}

/** Null if the quote is not a claim. */
function statementOf(found: Quote, report: ReadReport, surroundings: Surroundings): Statement | null {
  const start = answerStart(found.text);
  const quote = start === 0 ? found : { ...found, text: found.text.slice(start), start: found.start + start };
  const answer = report.reader.read(quote.text);
  const plain = start === 0 && !isBehindLabel(report.reportMarkdown, quote.start) ? answer : { ...answer, text: capitalised(answer.text) };
  const cells = quote.cells && withoutMarks(quote.cells, report);
  const read = report.sentences.read(cells ? rowText(cells, quote.above) : plain.text);
  const { reading } = read;
  const whole = { quote, plain, read, reading };
  const joined = joinedIn(whole, report);
  const referred = cells ? [REFERS_TO_NOTHING] : report.subjects.referAll(joined.map((part) => part.read));
  const { reference } = referred[0] ?? REFERS_TO_NOTHING;
  const before = surroundings.follow(reading);
  if (isRefusal(reading.text)) {
    report.refusals.add(reading.text);
    return null;
  }
  const sentence = referring(whole, referred[0] ?? REFERS_TO_NOTHING, report, surroundings.spokenOf);
  const said = saidIn(sentence, report);
  const candidate = candidateOf(said, quote);
  const { said: saidBefore, spokenOf } = surroundings;
  surroundings.say(null, null);
  const isSentence = statesSomething(candidate);
  if (!isSentence || (quote.lead !== null && isVerbless(candidate)) || isCondition(quote)) {
    const item = listedItem(quote, plain, report);
    if (item || !isSentence) return item;
  }
  const statement = statementFrom(said, sentence, report);
  if (!reference || leansOnOthers(candidate)) {
    const leaned = leaning(statement, { before, said: saidBefore }, quote.above, surroundings, report);
    const context = before.length === 0 && leaned !== null ? (leaned.before ?? '') : saidBefore;
    surroundings.say(goingOn(context, reading.text), goingOn(spokenOf, reading.text));
    return leaned;
  }
  surroundings.say(statement.text, sentence.isOpen ? spokenOf : statement.text);
  const clauses = joinedStatements(joined, referred, { sentence, statement }, report);
  if (cells) takeRowApart(statement, sentence, cells, report);
  else if (clauses === null) takeWhollyApart(statement, sentence, report);
  else statement.clauses = clauses;
  statement.stretches = new Stretches(statement, sentence, report);
  return statement;
}

/**
 * A statement with the context that it needs: earlier sentences, also of the previous block, or otherwise the headings. Null if there is no context.
 */
function leaning(
  statement: Statement,
  own: Ending,
  above: readonly string[],
  { endingBefore }: Surroundings,
  { subjects }: ReadReport,
): Statement | null {
  const isFirst = own.before.length === 0;
  if (isFirst && subjects.isOfHeadings && isSaidOfHeading(statement)) return statement;
  const ending = isFirst && !subjects.isOfHeadings ? endingBefore : own;
  const isBehind = ending !== null && ending.before.length > 0;
  const heading = above.at(-1);
  const named = statement.headings?.key ?? '';
  const leansOn = isBehind ? ending.before.join('\n') : named === '' ? above.join('\n') : named;
  if (leansOn === '') return null;
  statement.leansOn = leansOn;
  // Headings that are not shown anyway may be the only context: "[Contraindications:] It must not be used by …".
  const isOnlyContext = heading !== undefined && shownAbove(statement) === '';
  statement.before = isBehind ? ending.said : isOnlyContext ? asLabel(heading) : null;
  return statement;
}

/** "Costs.", "Costs:" and "Costs" as "Costs:", and "Who pays?" as it is. */
const asLabel = (heading: string): string => withoutEnding(heading).replace(/(?<![?!])$/, ':');

const withoutMarks = ({ own, ...cells }: Cells, { reader }: ReadReport): Cells => ({
  ...cells,
  own: own.map((cell) => reader.read(cell).text.trim()),
});
