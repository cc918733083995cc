import { CLOSING, COLON, COMMA, DASH, OPENING, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { mayReserve } from '../difference/scope';
import type { Stretch } from '../difference/leftover';
import { isCheckWorthy, type Candidate } from '../sentences/check-worthiness';
import { placeInQuote } from '../sentences/citation-marks';
import { capitalised, closed, completed } from './clause-text';
import { hasMarksInPairs } from './marks';
import { RELATIVE_TIME, standsAlone } from './stands-alone';
import { statementFrom, type ReadReport, type ReadSentence, type Said, type Statement, type StretchesOfSentence } from './statement';
import { isWholeSentence, OPEN_ENDS, PREPOSITIONS, RELATIVES, BEGIN_NO_SENTENCE } from './whole-sentence';

/** Between these a part of a sentence may be taken out. */
const JOINTS = new Set('and but while whereas where which who'.split(' '));
const BOUNDARIES = COMMA | SEMICOLON | COLON | OPENING | CLOSING;

/** An object of a class and no closure, as `StatementParts` is. */
export class Stretches implements StretchesOfSentence {
  constructor(
    private readonly statement: Statement,
    private readonly sentence: ReadSentence,
    private readonly report: ReadReport,
  ) {}

  between(start: number, end: number): Statement | null {
    const { reading, plain, quote } = this.sentence;
    // Where the words are those of a table row, they do not stand in the text as they were read.
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

  /** With the subject of the sentence where it has none. */
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
    const isAlone = isUnderstoodAlone({ text, reading: part, isTableRow: false, isItem: false, hasCitation: citationIndexes.length > 0 });
    return isAlone ? { ...where, text, reading: part } : null;
  }

  /** "Was rebuilt in 1990" is told of the dam in "The dam broke and was rebuilt in 1990", and not in "The dam broke, and the town burned and was rebuilt in 1990". */
  private hasSubjectOfSentence(from: number): boolean {
    const { read, reference, isUnknown } = this.sentence;
    if (reference.subject === null || this.statement.clauses.some(({ within }) => within !== null)) return false;
    return read.clausesAfter(reference.to, !isUnknown).some((clause) => clause.from === from);
  }
}

/**
 * Whether a part of a sentence holds by itself: it begins and ends where the sentence has a joint, and the rest neither doubts nor limits it, as "In
 * mice, it halved the risk" does.
 */
function mayStandAlone({ tokens }: Reading, { from, to }: Stretch): boolean {
  const [before, behind] = [tokens.slice(0, from), tokens.slice(to)];
  if (RELATIVES.has(tokens[from]?.word.text ?? '')) return false;
  if (before.length > 0 && !(isJoint(tokens, from) && before.some(({ word }) => word.verb.makesSentence))) return false;
  if (behind.length > 0 && !(isJoint(tokens, to) && !PREPOSITIONS.has(behind[0]?.word.text ?? ''))) return false;
  return ![before, behind].some((part) => mayReserve(part) || part.some(({ word }) => word.isNegation));
}

/** "Was born in Rome" and "the first to …": the subject stands before. */
function lacksSubject({ tokens }: Reading, from: number): boolean {
  const first = tokens[from];
  return first !== undefined && !first.isCapitalised && (isFiniteVerbAt(tokens, from) || first.word.verb.isPastForm);
}

/** "The rupture lasted ten minutes", which needs nothing before it. */
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

/** "Four years before Ada, Bea and Cleo won" is none: no verb stands before a word that makes what follows depend on another clause, or behind that clause. */
function hasMainClause(tokens: readonly Token[]): boolean {
  let depends = false;
  let isClosed = false;
  for (const [at, { word, before }] of tokens.entries()) {
    const isVerb = isVerbOfClause(tokens, at);
    if (isClosed && (before & BOUNDARIES) !== 0) depends = false;
    if (isVerb && !depends) return true;
    isClosed ||= isVerb;
    if (!BEGIN_NO_SENTENCE.has(word.text) && !RELATIVES.has(word.text)) continue;
    depends = true;
    isClosed = false;
  }
  return false;
}

/** "Threatened by cold" and "hungry and tired" tell of somebody whom another clause names. */
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
