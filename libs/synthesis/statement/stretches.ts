import { CLOSING, COLON, COMMA, DASH, OPENING, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { PREPOSITIONS } from '@lib/language/reading/function-words';
import { partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { mayReserve } from '../difference/scope';
import type { Stretch } from '../difference/leftover';
import { isCheckWorthy, type Candidate } from '../sentences/check-worthiness';
import { placeInQuote } from '../sentences/citation-marks';
import { capitalised, closed, completed } from './clause-text';
import { hasMarksInPairs } from './marks';
import { RELATIVE_TIME, standsAlone } from './stands-alone';
import { statementFrom, type ReadReport, type ReadSentence, type Said, type Statement, type StretchesOfSentence } from './statement';
import { isWholeSentence, OPEN_ENDS, RELATIVES_AND_WHEN, BEGIN_NO_SENTENCE } from './whole-sentence';

/** Words at which a part may be cut out of a sentence. */
const JOINTS = new Set('and but while whereas where which who'.split(' '));
const BOUNDARIES = COMMA | SEMICOLON | COLON | OPENING | CLOSING;

/** A class instead of closures, like `StatementParts`. */
export class Stretches implements StretchesOfSentence {
  constructor(
    private readonly statement: Statement,
    private readonly sentence: ReadSentence,
    private readonly report: ReadReport,
  ) {}

  between(start: number, end: number): Statement | null {
    const { reading, plain, quote } = this.sentence;
    // The words of a table row do not stand in the text as they were read.
    if (reading.text !== plain.text) return null;
    const isWithin = ({ start: at }: Token): boolean => {
      const place = quote.start + placeInQuote(plain, at, quote.text);
      return place >= start && place < end;
    };
    const stretch = { from: reading.tokens.findIndex(isWithin), to: reading.tokens.findLastIndex(isWithin) + 1 };
    if (stretch.from < 0 || !mayStandAlone(reading, stretch)) return null;
    const said = this.said(stretch);
    return said && hasMarksInPairs(said.text) ? statementFrom(said, this.sentence, this.report, this.statement.wording) : null;
  }

  /** The part, with the sentence's subject if it has none. */
  private said({ from, to }: Stretch): Said | null {
    const { reading, plain, quote, reference } = this.sentence;
    const last = reading.tokens[to - 1]?.end ?? 0;
    const place = (at: number): number => placeInQuote(plain, at, quote.text);
    const { citationIndexes } = this.statement;
    const where = { from: from === 0 ? 0 : place(reading.tokens[from]?.start ?? 0), end: place(last), citationIndexes };
    if (from > 0 && lacksSubject(reading, from) && !this.hasSubjectOfSentence(from)) return null;
    if ((from === 0 && reference.subject !== null) || lacksSubject(reading, from)) {
      const { text, reading: whole } = completed({ from, to, end: last }, reading, plain.text, reference);
      return isWholeSentence(whole) && hasMainClause(whole.tokens) ? { ...where, text, reading: whole } : null;
    }
    const part = partOf(reading, from, to);
    const text = closed(capitalised(part.text));
    const isAlone = isUnderstoodAlone({
      text,
      reading: part,
      isTableRow: false,
      isItem: false,
      hasCitation: citationIndexes.length > 0,
      hasCode: false,
    });
    return isAlone ? { ...where, text, reading: part } : null;
  }

  /**
   * Whether a part has the sentence's subject. "Was rebuilt in 1990" is about the dam in "The dam broke and was rebuilt in 1990", but not in "The dam
   * broke, and the town burned and was rebuilt in 1990".
   */
  private hasSubjectOfSentence(from: number): boolean {
    const { read, reference, isUnknown } = this.sentence;
    if (reference.subject === null || this.statement.clauses.some(({ within }) => within !== null)) return false;
    return read.clausesAfter(reference.to, !isUnknown).some((clause) => clause.from === from);
  }
}

/**
 * Whether a part of a sentence holds by itself: it begins and ends at a joint, and the rest neither doubts nor limits it, as "In mice" does in "In
 * mice, it halved the risk".
 */
function mayStandAlone({ tokens }: Reading, { from, to }: Stretch): boolean {
  const [before, behind] = [tokens.slice(0, from), tokens.slice(to)];
  if (RELATIVES_AND_WHEN.has(textAt(tokens, from))) return false;
  if (before.length > 0 && !(isJoint(tokens, from) && before.some(({ word }) => word.verb.makesSentence))) return false;
  if (behind.length > 0 && !(isJoint(tokens, to) && !PREPOSITIONS.has(textAt(behind, 0)))) return false;
  return ![before, behind].some((part) => mayReserve(part) || part.some(({ word }) => word.isNegation));
}

/** Whether the subject stands before the part: "Was born in Rome", "the first to …". */
function lacksSubject({ tokens }: Reading, from: number): boolean {
  const first = tokens[from];
  return first !== undefined && !first.isCapitalised && (isFiniteVerbAt(tokens, from) || first.word.verb.isPastForm);
}

/** Whether a part needs no context: "The rupture lasted ten minutes". */
function isUnderstoodAlone(candidate: Candidate): boolean {
  const { reading } = candidate;
  return (
    isCheckWorthy(candidate) &&
    hasMainClause(reading.tokens) &&
    !RELATIVE_TIME.test(reading.text) &&
    standsAlone(reading) &&
    !OPEN_ENDS.has(reading.tokens.at(-1)?.word.text ?? '')
  );
}

/**
 * Whether there is a main clause, that is a verb before any subordinating word or after the subordinate clause. "Four years before Ada, Bea and Cleo
 * won" has none.
 */
function hasMainClause(tokens: readonly Token[]): boolean {
  let depends = false;
  let isClosed = false;
  for (const [at, { word, before }] of tokens.entries()) {
    const isVerb = isVerbOfClause(tokens, at);
    if (isClosed && (before & BOUNDARIES) !== 0) depends = false;
    if (isVerb && !depends) return true;
    isClosed ||= isVerb;
    if (!BEGIN_NO_SENTENCE.has(word.text) && !RELATIVES_AND_WHEN.has(word.text)) continue;
    depends = true;
    isClosed = false;
  }
  return false;
}

/** Whether a token is a verb of a clause; not a participle or adjective about a subject elsewhere: "threatened by cold", "hungry and tired". */
function isVerbOfClause(tokens: readonly Token[], at: number): boolean {
  const [last, token, next] = [tokens[at - 1]?.word, tokens[at]?.word, tokens[at + 1]?.word];
  if (!token || (token.verb.endsInEd && next?.text === 'by')) return false;
  return isFiniteVerbAt(tokens, at) || (token.verb.makesSentence && token.verb.isPastForm && last?.isStopWord === false);
}

function isJoint(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!before || !token) return true;
  return (
    (token.before & BOUNDARIES) !== 0 || (token.before & ~SPACE) === DASH || JOINTS.has(token.word.text) || JOINTS.has(before.word.text)
  );
}
