import type { Clause } from '@lib/language/reading/clauses';
import { readingOf, replacing } from '@lib/language/reading/parts';
import { answerStart, leansOnOthers, statesSomething } from '../sentences/check-worthiness';
import { placeInQuote, QuoteReader } from '../sentences/citation-marks';
import { witnessKey } from '../citations';
import { completed, withoutLead } from '../statement/clause-text';
import { quotationsOf, quotedSpans, type Quoted } from '../sentences/quotations';
import { quotesOf, type Quote } from '../sentences/quotes';
import { isRefusal } from '../sentences/refusal';
import { hasIdentifier, isBare, leavesOpenWhich, namesNothing, NO_REFERENCE, withSubject, type Reference } from '../subject/reference';
import { SentencesRead } from '../subject/sentences-read';
import {
  candidateOf,
  NO_CLAUSES,
  NONE,
  startOf,
  statementFrom,
  witnessesOfAll,
  type ReadReport,
  type ReadSentence,
  type Said,
  type Statement,
} from '../statement/statement';
import { StatementParts } from '../statement/statement-parts';
import { Subjects } from '../subject/subject';
import { goingOn, Surroundings } from '../sentences/surroundings';
import type { SynthesisStep } from '../synthesis';

/** Sentences are left out beyond so many clauses of a report: they bound the work for a huge one. */
const MAX_CLAUSES = 1_000;

/**
 * The check-worthy sentences of one report that can be understood alone, in order, each once. Attribution is structural: only this report is read.
 * A step without a report has none. Give the reports of a job the same `sentences`, so that what several quote is read once.
 */
export function statementsOf(step: SynthesisStep, question: string, sentences = new SentencesRead()): Statement[] {
  return readReport(step, question, sentences).statements.filter(({ leansOn }) => leansOn === null);
}

/** What one report states, also in sentences that lean on others, and in its own words what its writer did not find or answer. */
export function readReport(
  step: SynthesisStep,
  question: string,
  sentences: SentencesRead,
): { statements: Statement[]; refusals: string[] } {
  const refusals = new Set<string>();
  if (step.status !== 'completed') return { statements: [], refusals: [] };
  const subjects = new Subjects(question, step.reportMarkdown);
  const asked = readingOf(question).stems;
  const report = { ...step, reader: new QuoteReader(step.citations), witnesses: witnessesOf(step), subjects, sentences, refusals, asked };
  const surroundings = new Surroundings();
  const quotations = quotationsOf(step, report.reader).map((quoted) => quotedStatement(quoted, report));
  const quoted = quotations.length === 0 ? [] : quotedSpans(step);
  const statements = new Map(quotations.map((statement) => [statement.wording, statement]));
  let clauseCount = 0;
  for (const quote of quotesOf(step.reportMarkdown)) {
    if (quoted.some(({ start, end }) => quote.start < end && quote.start + quote.text.length > start)) continue;
    if (quote.isFirstOfBlock) {
      subjects.startBlock();
      surroundings.startBlock();
    }
    const statement = statementOf(quote, report, surroundings);
    if (!statement) continue;
    const key = statement.leansOn === null ? statement.wording : `${statement.leansOn}\n${statement.wording}`;
    if (statements.has(key)) continue;
    statements.set(key, statement);
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
  return {
    ...quoted,
    provider,
    stepId,
    stems,
    witnesses,
    worth: 0,
    head: NONE,
    clauses: NO_CLAUSES,
    parts: null,
    leansOn: null,
    before: null,
    context: null,
    namesNothing: false,
    isUnknown: false,
  };
}

function witnessesOf({ citations }: SynthesisStep): Map<number, ReadonlySet<string>> {
  return new Map(citations.map((citation) => [citation.index, new Set([witnessKey(citation)])]));
}

/** Null for what is no claim. */
function statementOf(found: Quote, report: ReadReport, surroundings: Surroundings): Statement | null {
  const lead = answerStart(found.text);
  const quote = lead === 0 ? found : { ...found, text: found.text.slice(lead), start: found.start + lead };
  const answer = report.reader.read(quote.text);
  const plain = lead === 0 ? answer : { ...answer, text: answer.text.charAt(0).toUpperCase() + answer.text.slice(1) };
  const read = report.sentences.read(quote.isTableRow ? rowText(plain.text) : plain.text);
  const { reading } = read;
  const reference = quote.isTableRow ? NO_REFERENCE : report.subjects.refer(read);
  const before = surroundings.follow(reading);
  if (isRefusal(reading.text)) report.refusals.add(reading.text);
  if (report.refusals.has(reading.text)) return null;
  const sentence = referring({ quote, plain, read, reading }, reference, report, surroundings);
  const said = saidIn(sentence, report);
  const candidate = candidateOf(said, quote.isTableRow);
  const { said: saidBefore, spokenOf } = surroundings;
  surroundings.say(null, null);
  if (!statesSomething(candidate)) return null;
  const statement = statementFrom(said, sentence, report);
  if (!reference || leansOnOthers(candidate)) {
    surroundings.say(null, goingOn(spokenOf, reading.text));
    return before.length === 0 ? null : { ...statement, leansOn: before.join('\n'), before: saidBefore };
  }
  surroundings.say(statement.text, sentence.isOpen ? spokenOf : statement.text);
  if (reference.subject === null) return statement;
  const clauses = withoutLead(read.clausesAfter(reference.to), reading, reference);
  const [whole] = clauses;
  if (clauses.length > 1) statement.clauses = clauseStatements(clauses, sentence, statement, report);
  else if (whole) statement.parts = new StatementParts(whole, statement, sentence, report);
  return statement;
}

/** With what it speaks of, or else what stands before it and may tell. */
function referring(
  found: Pick<ReadSentence, 'quote' | 'plain' | 'read' | 'reading'>,
  reference: Reference | null,
  { asked, subjects }: ReadReport,
  { spokenOf }: Surroundings,
): ReadSentence & { isOpen: boolean } {
  const mayBeAsked = found.reading.tokens.some(({ word }) => asked.has(word.stem));
  const isNameless = reference !== null && !found.quote.isTableRow && !mayBeAsked && namesNothing(found.reading, reference);
  const isOpen = isNameless || (reference !== null && leavesOpenWhich(reference));
  const before = isOpen ? spokenOf : null;
  const isAny =
    isOpen && before === null && !mayBeAsked && (isNameless || isBare(found.reading, reference)) && !hasIdentifier(found.reading);
  const isOnTopic = isAny && subjects.isOnTopic;
  const saysNothing = isNameless || (isOnTopic && found.reading.numbers.size === 0);
  const isUnknown = (isAny && !isOnTopic) || (isOpen && subjects.mayBeOther);
  return { ...found, reference: reference ?? NO_REFERENCE, before, context: spokenOf, namesNothing: saysNothing, isUnknown, isOpen };
}

function saidIn({ quote, plain, reading, reference }: ReadSentence, { reader }: ReadReport): Said {
  const end = quote.text.length;
  return {
    from: 0,
    end,
    citationIndexes: reader.citationsIn(plain, quote.start, 0, end),
    text: quote.isTableRow ? reading.text : withSubject(plain.text, reference),
    reading: reference.insert ? replacing(reading, reference.at, reference.insert) : reading,
  };
}

/** A clause without marks of its own is backed by those of the next that has some; one that speaks of something else stands with the whole. */
function clauseStatements(clauses: readonly Clause[], sentence: ReadSentence, whole: Statement, report: ReadReport): Statement[] {
  const { quote, plain, read } = sentence;
  const statements: Statement[] = [];
  let backing: number[] = [];
  for (const clause of clauses.toReversed()) {
    const from = startOf(clause, sentence);
    const end = placeInQuote(plain, clause.end, quote.text);
    const citationIndexes = report.reader.citationsIn(plain, quote.start, from, end);
    if (citationIndexes.length > 0) backing = citationIndexes;
    if (read.hasOtherSubject(clause)) {
      statements.push({ ...whole });
      continue;
    }
    const { text, reading } = completed(clause, sentence.reading, plain.text, sentence.reference);
    const statement = statementFrom({ from, end, citationIndexes: backing, text, reading }, sentence, report, whole.wording);
    statement.parts = new StatementParts(clause, statement, sentence, report);
    statements.push(statement);
  }
  return statements.reverse();
}

function rowText(row: string): string {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}
