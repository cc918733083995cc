import type { Reading } from '@lib/language/reading/reading';
import { ANSWERING, SUMMING } from '../sentences/answering';
import { answerStart, isVerbless, leansOnOthers, mayLeanOnQuestion, statesSomething } from '../sentences/check-worthiness';
import type { Cells, Quote } from '../sentences/quotes';
import { isRefusal } from '../sentences/refusal';
import { askedIn, isQuotation, repliesInBrief, repliesTo } from '../sentences/reply';
import { isBehindLabel } from '../sentences/run-in-heading';
import { goingOn, type Ending, type Surroundings } from '../sentences/surroundings';
import { isOfReport, isRequestOnSubject, isTalk } from '../sentences/talk';
import { asLabel } from '../subject/headings-read';
import { REFERS_TO_NOTHING, type Referred } from '../subject/reference';
import { isSaidOfHeading, shownAbove } from './above';
import { capitalised } from './clause-text';
import { joinedIn, joinedStatements } from './joined-sentences';
import { listedItem, needsLead } from './listed-item';
import { referring, saidIn, type Found } from './read-sentence';
import { takeWhollyApart } from './stated-besides';
import { candidateOf, statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';
import { Stretches } from './stretches';
import { rowText, takeRowApart } from './table-row';

/** A quote without a lead such as "In short:", and its coordinated sentences with what each refers to. */
interface ReadQuote {
  whole: Found;
  /** Words such as "In short:" stood before it. */
  isLed: boolean;
  /** It is an item of a list and no sentence. */
  isPhrase: boolean;
  /** Without marks; null if it is no row of a table. */
  cells: Cells | null;
  joined: readonly Found[];
  referred: readonly Referred[];
}

/** The statement of a quote, if it is a claim, and the context that it leaves for the next one. */
interface Judged {
  statement: Statement | null;
  said: string | null;
  spokenOf: string | null;
}

/** Null if the quote is not a claim. Pass the quotes of a report in order. */
export function statementOfQuote(found: Quote, report: ReadReport, surroundings: Surroundings): Statement | null {
  const read = readQuote(found, report);
  const { reading } = read.whole;
  const before = surroundings.follow(reading);
  if (isRefusal(reading.text)) {
    report.refusals.add(reading.text);
    return null;
  }
  const { statement, said, spokenOf } = judged(read, before, report, surroundings);
  surroundings.say(said, spokenOf);
  return statement;
}

function readQuote(found: Quote, report: ReadReport): ReadQuote {
  const start = answerStart(found.text);
  const quote = start === 0 ? found : { ...found, text: found.text.slice(start), start: found.start + start };
  const answer = report.reader.read(quote.text);
  const plain = start === 0 && !isBehindLabel(report.reportMarkdown, quote.start) ? answer : { ...answer, text: capitalised(answer.text) };
  const cells = quote.cells && withoutMarks(quote.cells, report);
  const read = report.sentences.read(cells ? rowText(cells, quote.above) : plain.text);
  const whole = { quote, plain, read, reading: read.reading };
  const joined = joinedIn(whole, report);
  const isPhrase = cells === null && isPhraseOfList(whole);
  const referred = cells !== null || isPhrase ? [REFERS_TO_NOTHING] : report.subjects.referAll(joined.map((part) => part.read));
  const isLed = start > 0 || [ANSWERING, SUMMING].some((words) => words.test(quote.above.at(-1) ?? ''));
  return { whole, isLed, isPhrase, cells, joined, referred };
}

/** Whether it is no sentence: "he" behind the list is whoever the text before the list is about. */
const isPhraseOfList = ({ quote, reading }: Found): boolean =>
  quote.isItem && quote.lead !== null && isVerbless(candidateOf({ ...UNCITED, text: reading.text, reading }, quote));
const UNCITED = { from: 0, end: 0, citationIndexes: [] };

/** @param before the words of the sentences before it in its block */
function judged(read: ReadQuote, before: readonly string[], report: ReadReport, surroundings: Surroundings): Judged {
  const { quote, plain, reading } = read.whole;
  const { said: saidBefore, spokenOf } = surroundings;
  const [first = REFERS_TO_NOTHING] = read.referred;
  const sentence = referring(read.whole, first, report, spokenOf);
  const said = saidIn(sentence, report);
  const candidate = candidateOf(said, quote);
  const isSentence = statesSomething(candidate);
  const asked = saidBefore ?? (before.length === 0 ? (quote.above.at(-1) ?? null) : null);
  const isComment = isSentence && saidBefore !== null && isQuotation(saidBefore);
  const isReply =
    read.cells === null && (isComment || repliesTo(asked, reading.text) || (!isSentence && repliesInBrief(asked, reading.text)));
  const isLed = needsLead(quote, reading);
  if (!isReply && (!isSentence || read.isPhrase || isLed)) {
    const item = listedItem(quote, plain, report);
    const answer = item || isSentence ? null : directAnswer(statementFrom(said, sentence, report), report, read.isLed);
    if (item || isLed || !isSentence)
      return { statement: item ?? answer, said: leftBy(item ?? answer, saidBefore, reading), spokenOf: null };
  }
  const statement = statementFrom(said, sentence, report);
  if (isReply || !first.reference || leansOnOthers(candidate)) {
    const leaned =
      leaning(statement, { before, said: saidBefore }, quote.above, surroundings, report) ??
      (mayLeanOnQuestion(candidate, report.question) ? behindQuestion(statement, report.question) : null);
    const context = before.length === 0 && leaned !== null ? (leaned.before ?? '') : saidBefore;
    return { statement: leaned, said: goingOn(context, reading.text), spokenOf: goingOn(spokenOf, reading.text) };
  }
  divide(statement, sentence, read, report);
  return { statement, said: statement.text, spokenOf: sentence.isOpen ? spokenOf : statement.text };
}

/**
 * What the next sentence of a block can be read with behind one that is no sentence or states nothing: the item of a list behind its lead-in, an
 * answer, a question, the lead-in itself, or a request: "[Forget cheap extenders.] They halve the speed".
 */
function leftBy(statement: Statement | null, saidBefore: string | null, { text, tokens }: Reading): string | null {
  if (statement) return statement.text.replace(/^\[([^\]]*):\] /, '$1: ');
  if (isQuotation(text)) return text;
  // As in "Train by effort. Here's why."
  if (isOfReport(text) && saidBefore !== null) return saidBefore;
  const isLeadIn = text.endsWith(':') && text.length <= MAX_LEAD_IN && !isTalk(text);
  return isLeadIn || isRequestOnSubject(text, tokens) ? text : askedIn(saidBefore, text);
}

/** In UTF-16 units. */
const MAX_LEAD_IN = 120;

/** Adds what parts of the sentence state without the rest. */
function divide(statement: Statement, sentence: ReadSentence, { cells, joined, referred }: ReadQuote, report: ReadReport): void {
  const clauses = joinedStatements(joined, referred, { sentence, statement }, report);
  if (cells) takeRowApart(statement, sentence, cells, report);
  else if (clauses === null) takeWhollyApart(statement, sentence, report);
  else statement.clauses = clauses;
  statement.stretches = new Stretches(statement, sentence, report);
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

/** The first sentence of a report without headings follows the question: "[Which drug works better?] Both work". */
function behindQuestion(statement: Statement, question: string): Statement | null {
  if (question.length > MAX_QUESTION_SHOWN) return null;
  statement.leansOn = question;
  statement.before = question;
  return statement;
}
/** What a report says first, or in short, in reply to a question whether something is so: "Yes, with caveats." */
function directAnswer(statement: Statement, { question, reportMarkdown }: ReadReport, isLed: boolean): Statement | null {
  if (!WHETHER.test(statement.text) || !ASKS_WHETHER.test(question)) return null;
  if (isLed) return behindQuestion(statement, question);
  if (statement.start > MAX_BEFORE_ANSWER) return null;
  const isFirst = !/\p{L}/u.test(reportMarkdown.slice(0, statement.start).replace(HEADINGS, ''));
  return isFirst ? behindQuestion(statement, question) : null;
}
/** Headings before the first sentence are not longer. In UTF-16 units. */
const MAX_BEFORE_ANSWER = 1_000;
const HEADINGS = /^#.*$|\*\*[^*\n]*\*\*/gmu;
const ASKS_WHETHER = /(?:^|[.?!]\s+)(?:is|are|was|were|can|could|do|does|did|will|would|should|has|have|may|must)\b/i;
const WHETHER = /^(?:yes|no|mostly|largely|usually|partly|not (?:really|quite|yet)|it depends|probably|possibly|perhaps)\b[^?]{0,80}[.!]$/i;

/** A longer question would hide the claim behind it. In UTF-16 units. */
const MAX_QUESTION_SHOWN = 200;

const withoutMarks = ({ own, ...cells }: Cells, { reader }: ReadReport): Cells => ({
  ...cells,
  own: own.map((cell) => reader.read(cell).text.trim()),
});
