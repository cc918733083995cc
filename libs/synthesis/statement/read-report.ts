import { QuoteReader } from '../sentences/citation-marks';
import { witnessKey } from '../citations';
import { quotationsOf, quotedSpans, type Quoted } from '../sentences/quotations';
import { quotesOf } from '../sentences/quotes';
import { statementOfQuote } from './read-quote';
import { holdHeadingsApart } from './headings-held-apart';
import { HeadingsRead } from '../subject/headings-read';
import { SentencesRead } from '../subject/sentences-read';
import { SaidBefore } from './said-before';
import { NO_CLAUSES, NONE, witnessesOfAll, type ReadReport, type Statement } from './statement';
import { Subjects } from '../subject/subject';
import { Surroundings } from '../sentences/surroundings';
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
    const statement = statementOfQuote(quote, report, surroundings);
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
    question,
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
