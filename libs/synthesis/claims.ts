import type { RecordedEvidence } from '@lib/domain/job/events';
import { earlyEndsOf, type Clause } from '@lib/language/reading/clauses';
import { partOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { isCheckWorthy, worthOf, type Candidate } from './check-worthiness';
import { completed, withoutLead } from './clause-text';
import { placeInQuote, QuoteReader, type PlainQuote } from './citation-marks';
import { witnessKey } from './citations';
import { quotationsOf, quotedSpans, type Quotation, type Quoted } from './quotations';
import { quotesOf, type Quote } from './quotes';
import { isRefusal } from './refusal';
import { SentencesRead } from './sentences-read';
import { NO_REFERENCE, Subjects, withSubject, type Reference } from './subject';
import type { SynthesisStep } from './synthesis';
import { isWholeSentence } from './whole-sentence';

/** A sentence of one provider's report that could become a claim. */
export interface Statement extends RecordedEvidence {
  /** The quote without marks and markup, white space collapsed; a subject in brackets is not in the quote: see `Subjects`. */
  text: string;
  /** The words of its sentence alone: two sentences of the same words are one. */
  wording: string;
  reading: Reading;
  /** Those of its reading. */
  stems: ReadonlySet<string>;
  /** `witnessKey` of every source that the quote carries. */
  witnesses: ReadonlySet<string>;
  worth: number;
  /** Stems of the grammatical subject, none where it cannot be told. */
  head: ReadonlySet<string>;
  /** The parts of the sentence that state something each, two or more; none if it cannot be taken apart. */
  clauses: readonly Statement[];
  /** Null where the quote has no beginning that states something without the rest. */
  beginnings: Beginnings | null;
  /** Null where it is the report's own sentence. */
  quotation: Quotation | null;
}

/** Reading it is put off until its stems are known to be in another report. */
export interface Beginning {
  stems: ReadonlySet<string>;
  /** What follows is set off from it, and not a complement of its verb. */
  isClosed: boolean;
  /** Null where it states nothing. */
  read: () => Statement | null;
}

/** Sentences are left out beyond so many clauses of a report: they bound the work for a huge one. */
const MAX_CLAUSES = 1_000;

const NONE: ReadonlySet<string> = new Set();
const NO_CLAUSES: readonly Statement[] = [];

/**
 * The check-worthy sentences of one report, in order, each once. Attribution is structural: only this report is read.
 * A step without a report has none. Give the reports of a job the same `sentences`, so that what several quote is read once.
 */
export function statementsOf(step: SynthesisStep, question: string, sentences = new SentencesRead()): Statement[] {
  return readReport(step, question, sentences).statements;
}

/** What one report states, and in its own words what its writer did not find or answer. */
export function readReport(
  step: SynthesisStep,
  question: string,
  sentences: SentencesRead,
): { statements: Statement[]; refusals: string[] } {
  const refusals = new Set<string>();
  if (step.status !== 'completed') return { statements: [], refusals: [] };
  const subjects = new Subjects(question, step.reportMarkdown);
  const report = { ...step, reader: new QuoteReader(step.citations), witnesses: witnessesOf(step), subjects, sentences, refusals };
  const quotations = quotationsOf(step, report.reader).map((quoted) => quotedStatement(quoted, report));
  const quoted = quotations.length === 0 ? [] : quotedSpans(step);
  const statements = new Map(quotations.map((statement) => [statement.wording, statement]));
  let clauseCount = 0;
  for (const quote of quotesOf(step.reportMarkdown)) {
    if (quoted.some(({ start, end }) => quote.start < end && quote.start + quote.text.length > start)) continue;
    if (quote.isFirstOfBlock) subjects.startBlock();
    const statement = statementOf(quote, report);
    if (!statement || statements.has(statement.wording)) continue;
    statements.set(statement.wording, statement);
    clauseCount += Math.max(1, statement.clauses.length);
    if (clauseCount >= MAX_CLAUSES) break;
  }
  return { statements: [...statements.values()], refusals: [...refusals] };
}

/** It stands whole. */
function quotedStatement(quoted: Quoted, report: ReadReport): Statement {
  const { provider, stepId } = report;
  const witnesses = witnessesOfAll(quoted.citationIndexes, report);
  const { stems } = quoted.reading;
  return { ...quoted, provider, stepId, stems, witnesses, worth: 0, head: NONE, clauses: NO_CLAUSES, beginnings: null };
}

interface ReadReport extends SynthesisStep {
  reader: QuoteReader;
  /** By the index of the citation. */
  witnesses: ReadonlyMap<number, ReadonlySet<string>>;
  subjects: Subjects;
  sentences: SentencesRead;
  refusals: Set<string>;
}

function witnessesOf({ citations }: SynthesisStep): Map<number, ReadonlySet<string>> {
  return new Map(citations.map((citation) => [citation.index, new Set([witnessKey(citation)])]));
}

/** Most quotes carry one citation, whose set they share. */
function witnessesOfAll(citationIndexes: readonly number[], { witnesses }: ReadReport): ReadonlySet<string> {
  const [first] = citationIndexes;
  if (first === undefined) return NONE;
  if (citationIndexes.length === 1) return witnesses.get(first) ?? NONE;
  return new Set(citationIndexes.flatMap((index) => [...(witnesses.get(index) ?? NONE)]));
}

/** A sentence of a report as it was read, before a subject was put in. */
interface ReadSentence {
  quote: Quote;
  plain: PlainQuote;
  reading: Reading;
  reference: Reference;
}

/** Null for what is no claim. */
function statementOf(quote: Quote, report: ReadReport): Statement | null {
  const plain = report.reader.read(quote.text);
  const read = report.sentences.read(quote.isTableRow ? rowText(plain.text) : plain.text);
  const { reading } = read;
  const reference = quote.isTableRow ? NO_REFERENCE : report.subjects.refer(read);
  if (isRefusal(reading.text)) report.refusals.add(reading.text);
  if (!reference || report.refusals.has(reading.text)) return null;
  const sentence = { quote, plain, reading, reference };
  const end = quote.text.length;
  const said = {
    from: 0,
    end,
    citationIndexes: report.reader.citationsIn(plain, quote.start, 0, end),
    text: quote.isTableRow ? reading.text : withSubject(plain.text, reference),
    reading: reference.insert ? replacing(reading, reference.at, reference.insert) : reading,
  };
  if (!isCheckWorthy(candidateOf(said, quote.isTableRow))) return null;
  const statement = statementFrom(said, sentence, report);
  if (reference.subject === null) return statement;
  const clauses = withoutLead(read.clausesAfter(reference.to), reading, reference);
  const [whole] = clauses;
  if (clauses.length > 1) statement.clauses = clauseStatements(clauses, sentence, statement.wording, report);
  else if (whole) statement.beginnings = new Beginnings(whole, statement, sentence, report);
  return statement;
}

/** A clause without marks of its own is backed by those of the next that has some. */
function clauseStatements(clauses: readonly Clause[], sentence: ReadSentence, wording: string, report: ReadReport): Statement[] {
  const { quote, plain } = sentence;
  const statements: Statement[] = [];
  let backing: number[] = [];
  for (const clause of clauses.toReversed()) {
    const from = startOf(clause, sentence);
    const end = placeInQuote(plain, clause.end, quote.text);
    const citationIndexes = report.reader.citationsIn(plain, quote.start, from, end);
    if (citationIndexes.length > 0) backing = citationIndexes;
    const { text, reading } = completed(clause, sentence.reading, plain.text, sentence.reference);
    const statement = statementFrom({ from, end, citationIndexes: backing, text, reading }, sentence, report, wording);
    statement.beginnings = new Beginnings(clause, statement, sentence, report);
    statements.push(statement);
  }
  return statements.reverse();
}

/**
 * The beginnings of a statement's quote that state something without the rest. An object of a class and no closure: what closures in
 * statements refer to lives on until a full collection, which made collecting the garbage of a small job five times as expensive.
 */
class Beginnings {
  constructor(
    private readonly clause: Clause,
    private readonly statement: Statement,
    private readonly sentence: ReadSentence,
    private readonly report: ReadReport,
  ) {}

  /** Longest first. */
  found(): Beginning[] {
    const { reading } = this.sentence;
    return earlyEndsOf(reading, this.clause).map((early) => ({
      stems: partOf(reading, this.clause.from, early.to).stems,
      isClosed: early.isClosed,
      read: () => this.statementTo(early),
    }));
  }

  private statementTo({ to, end: endInText }: { to: number; end: number }): Statement | null {
    const { reading: whole, quote, plain, reference } = this.sentence;
    const { text, reading } = completed({ from: this.clause.from, to, end: endInText }, whole, plain.text, reference);
    if (text === '' || !isWholeSentence(reading)) return null;
    const end = placeInQuote(plain, endInText, quote.text);
    const { citationIndexes, wording } = this.statement;
    const said = { from: startOf(this.clause, this.sentence), end, citationIndexes, text, reading };
    return statementFrom(said, this.sentence, this.report, wording);
  }
}

/** Where a clause begins in the quote. */
function startOf({ from }: Clause, { quote, plain, reading }: ReadSentence): number {
  return from === 0 ? 0 : placeInQuote(plain, reading.tokens[from]?.start ?? 0, quote.text);
}

/** What a statement says, and where its quote begins and ends in the sentence's. */
interface Said {
  from: number;
  end: number;
  text: string;
  reading: Reading;
  citationIndexes: number[];
}

function candidateOf({ text, reading, citationIndexes }: Said, isTableRow: boolean): Candidate {
  return { text, reading, isTableRow, hasCitation: citationIndexes.length > 0 };
}

/** @param wording that of its sentence, where it is a part of one */
function statementFrom(said: Said, { quote, reference }: ReadSentence, report: ReadReport, wording = said.reading.wording): Statement {
  const { text, reading, citationIndexes } = said;
  return {
    provider: report.provider,
    stepId: report.stepId,
    quote: quote.text.slice(said.from, said.end),
    start: quote.start + said.from,
    end: quote.start + said.end,
    citationIndexes,
    text,
    wording,
    reading,
    stems: reading.stems,
    witnesses: witnessesOfAll(citationIndexes, report),
    worth: worthOf(candidateOf(said, quote.isTableRow)),
    head: reference.subject?.stems ?? NONE,
    clauses: NO_CLAUSES,
    beginnings: null,
    quotation: null,
  };
}

function rowText(row: string): string {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}
