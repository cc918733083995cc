import type { RecordedEvidence } from '@lib/domain/job/events';
import { clausesOf, earlyEndsOf, type Clause } from '@lib/language/clauses';
import { stems, words } from '@lib/language/tokens';
import { FINITE_VERB } from '@lib/language/verbs';
import { isCheckWorthy, worthOf } from './check-worthiness';
import { QuoteReader } from './citation-marks';
import { witnessKey } from './citations';
import { lookUp } from './lexicon';
import { quotesOf, type Quote } from './quotes';
import { contentOf, slotsOf, type Content, type Slots } from './slots';
import { NO_REFERENCE, Subjects, withSubject, type Reference } from './subject';
import type { SynthesisStep } from './synthesis';

/** A sentence of one provider's report that could become a claim. */
export interface Statement extends RecordedEvidence, Content {
  /** The quote without marks and markup, white space collapsed; a subject in brackets is not in the quote: see `Subjects`. */
  text: string;
  /** The words of its sentence alone: two sentences of the same words are one. */
  wording: string;
  slots: Slots;
  /** `witnessKey` of every source that the quote carries. */
  witnesses: ReadonlySet<string>;
  worth: number;
  /** Stems of the grammatical subject, none where it cannot be told. */
  head: ReadonlySet<string>;
  /** The parts of the sentence that state something each, two or more; none if it cannot be taken apart. */
  clauses: readonly Statement[];
  /** The beginnings of the quote that state something without the rest, longest first. */
  beginnings: () => Beginning[];
}

/** Reading it is put off until its stems are known to be in another report. */
export interface Beginning {
  stems: ReadonlySet<string>;
  /** Null where it states nothing. */
  read: () => Statement | null;
}

/** Sentences are left out beyond so many clauses of a report: they bound the work for a huge one. */
const MAX_CLAUSES = 1_000;

const HAS_VERB = new RegExp(String.raw`\s(?:${FINITE_VERB}|born\b|\w+ing\b)`, 'u');

/**
 * The check-worthy sentences of one report, in order, each once. Attribution is structural: only this report is read.
 * A step without a report has none.
 */
export function statementsOf(step: SynthesisStep, question: string): Statement[] {
  if (step.status !== 'completed') return [];
  const subjects = new Subjects(question, step.reportMarkdown);
  const report = { ...step, reader: new QuoteReader(step.citations), witnesses: witnessesOf(step), subjects };
  const statements = new Map<string, Statement>();
  let clauseCount = 0;
  for (const quote of quotesOf(step.reportMarkdown)) {
    if (quote.isFirstOfBlock) subjects.startBlock();
    const statement = statementOf(quote, report);
    if (!statement || statements.has(statement.wording)) continue;
    statements.set(statement.wording, statement);
    clauseCount += Math.max(1, statement.clauses.length);
    if (clauseCount >= MAX_CLAUSES) break;
  }
  return [...statements.values()];
}

interface ReadReport extends SynthesisStep {
  reader: QuoteReader;
  witnesses: ReadonlyMap<number, string>;
  subjects: Subjects;
}

function witnessesOf({ citations }: SynthesisStep): Map<number, string> {
  return new Map(citations.map((citation) => [citation.index, witnessKey(citation)]));
}

/** Null for what is no claim. */
function statementOf({ text: quote, start, isTableRow }: Quote, report: ReadReport): Statement | null {
  const { text, citationIndexes } = report.reader.read(quote, start);
  const reference = isTableRow ? NO_REFERENCE : report.subjects.refer(text);
  if (!reference) return null;
  const head = new Set(stems(reference.subject ?? ''));
  const part = { head, quote, start, text: isTableRow ? rowText(text) : withSubject(text, reference), citationIndexes };
  const { statement, candidate } = readStatement(part, report, isTableRow);
  if (!isCheckWorthy(candidate)) return null;
  const clauses = reference.subject === null ? [] : clausesOf(quote);
  return {
    ...statement,
    clauses: clauses.length < 2 ? [] : clauseStatements(statement, clauses, reference, report),
    beginnings: () => (reference.subject === null ? [] : beginningsOf(statement, (plain) => withSubject(plain, reference), report)),
  };
}

/** A clause without marks of its own is backed by those of the next that has some. */
function clauseStatements(sentence: Statement, clauses: readonly Clause[], reference: Reference, report: ReadReport): Statement[] {
  const { head } = sentence;
  const statements: Statement[] = [];
  let backing: number[] = [];
  for (const clause of clauses.toReversed()) {
    const quote = sentence.quote.slice(clause.start, clause.end);
    const start = sentence.start + clause.start;
    const { text, citationIndexes } = report.reader.read(quote, start);
    if (citationIndexes.length > 0) backing = citationIndexes;
    const complete = (plain: string): string =>
      clause.start === 0 ? withSubject(plain, reference) : `[${String(reference.subject)}] ${plain}`;
    const { statement } = readStatement({ head, quote, start, text: complete(text), citationIndexes: backing }, report, false);
    const named = { ...statement, wording: sentence.wording };
    statements.push({ ...named, beginnings: () => beginningsOf(named, complete, report) });
  }
  return statements.reverse();
}

function beginningsOf(
  { head, quote, start, citationIndexes, wording }: Statement,
  complete: (plain: string) => string,
  report: ReadReport,
): Beginning[] {
  return earlyEndsOf(quote).map((end) => {
    const beginning = quote.slice(0, end);
    const read = (): Statement | null => {
      const text = complete(report.reader.read(beginning, start).text);
      if (!HAS_VERB.test(text)) return null;
      return { ...readStatement({ head, quote: beginning, start, text, citationIndexes }, report, false).statement, wording };
    };
    return { stems: new Set(stems(beginning)), read };
  });
}

interface Slice {
  head: ReadonlySet<string>;
  quote: string;
  start: number;
  text: string;
  citationIndexes: number[];
}

function readStatement(
  { head, quote, start, text, citationIndexes }: Slice,
  { provider, stepId, witnesses }: ReadReport,
  isTableRow: boolean,
) {
  const sentence = words(text).map(lookUp);
  const slots = slotsOf(text, sentence);
  const candidate = {
    text,
    words: sentence,
    isTableRow,
    hasCitation: citationIndexes.length > 0,
    hasNumber: slots.numbers.size > 0,
    hasName: slots.names.size > 0,
  };
  const statement: Statement = {
    provider,
    stepId,
    quote,
    start,
    end: start + quote.length,
    citationIndexes,
    text,
    wording: sentence.map((word) => word.text).join(' '),
    ...contentOf(sentence, slots),
    slots,
    witnesses: new Set(citationIndexes.flatMap((index) => witnesses.get(index) ?? [])),
    worth: worthOf(candidate),
    head,
    clauses: [],
    beginnings: () => [],
  };
  return { statement, candidate };
}

function rowText(row: string): string {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}
