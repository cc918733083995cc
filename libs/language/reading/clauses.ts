import { COMMA, SEMICOLON, SPACE } from './characters';
import { FINITE_FORMS_OF_BE } from './forms-of-be';
import { endBefore, hasWords, MIN_WORDS, openIn, type IsOpen } from './cuts';
import type { Reading } from './reading';
import { joinsVerbs, predicateFrom } from './joined-verbs';
import { isKnownFor } from './known-for';
import { verbBehindSetOff } from './set-off';
import { isPastVerb, hasCommaBefore, textAt, type Token } from './token';
import { isFiniteVerbAt } from './verbs';
import { CLAUSE_CONJUNCTIONS, SUBJECT_PRONOUNS, MODALS_AND_DO } from './function-words';

/** A part of a sentence that states something: its words from `from` to `to`, exclusive, without its conjunction. */
export interface Clause {
  from: number;
  to: number;
  /** Its end in the text. */
  end: number;
}

/** Least number of words in the first clause, which contains the subject. */
const MIN_FIRST_WORDS = 4;

export const ARTICLES_OR_ONE = new Set(['a', 'an', 'the', 'one']);
const AFTER_BORN = new Set(['on', 'in', 'to', 'at', 'as']);
const NOT_BEFORE_BORN = new Set('was is were are being be been first foreign newly not'.split(' '));
const NO_PARTICIPLES = new Set(
  'during including according following starring featuring regarding concerning excluding king being'.split(' '),
);
/** Most words between "is a" and the "who" that continues it. */
const MAX_PREDICATE_WORDS = 20;

/**
 * The clauses of an English sentence that share its subject, in order; the first contains the subject. A sentence with only one, or with parts too
 * short to state anything, is a single clause; in other languages every sentence is. The subject, which ends before the word at `subjectEnd`, is
 * never divided.
 */
export function clausesOf(reading: Reading, subjectEnd: number, dividesSetOff: boolean): Clause[] {
  const { text, tokens } = reading;
  const behind = subjectEnd > 0 ? verbBehindSetOff(tokens, subjectEnd) : -1;
  const setOff = dividesSetOff ? setOffClause(reading, subjectEnd, behind) : null;
  const clauses: Clause[] = setOff ? [setOff] : [];
  let isOpen: IsOpen | undefined;
  let from = setOff?.to ?? 0;
  for (let at = Math.max(1, subjectEnd, behind + 1); at < tokens.length; at += 1) {
    const next = clauseAfterJoint(tokens, at);
    if (next < 0 || next < from || isUnfinished(tokens, at) || hasOtherSubject(tokens, from, at) || isJoinedToOther(tokens, from, at))
      continue;
    isOpen ??= openIn(text);
    if (!isOpen(tokens[at]?.start ?? 0)) continue;
    if (!hasWords(tokens, isOpen, from, at, from === 0 ? MIN_FIRST_WORDS : MIN_WORDS)) continue;
    if (!hasWords(tokens, isOpen, next, tokens.length, MIN_WORDS)) continue;
    clauses.push({ from, to: at, end: endBefore(text, tokens[at]?.start ?? 0) });
    from = next;
    at = next - 1;
  }
  clauses.push({ from, to: tokens.length, end: text.length });
  return clauses;
}

/** The clause between commas after the subject: "Ada, an army doctor, …", "Ada, who was ill, …". Null if there is none. */
function setOffClause({ text, tokens }: Reading, subjectEnd: number, verb: number): Clause | null {
  const first = tokens[subjectEnd];
  if (verb < 0 || !first || !hasWords(tokens, openIn(text), subjectEnd, verb, MIN_WORDS)) return null;
  const isRelative = (first.word.text === 'who' || first.word.text === 'which') && isFiniteVerbAt(tokens, subjectEnd + 1);
  if (!isRelative && !ARTICLES_OR_ONE.has(first.word.text)) return null;
  // Another name for the subject belongs to it.
  if (tokens.slice(subjectEnd, verb).some(({ word }) => NAMING.has(word.text))) return null;
  return { from: isRelative ? subjectEnd + 1 : subjectEnd, to: verb, end: endBefore(text, tokens[verb]?.start ?? 0) };
}

const NAMING = new Set('name names named known called born pseudonym nickname alias formerly'.split(' '));

/**
 * Whether the joined verb belongs to a clause with another subject: in "Sales were poor until Ulm took four and ordered more", Ulm ordered. A pronoun
 * there may refer to the main subject.
 */
function isJoinedToOther(tokens: readonly Token[], from: number, joint: number): boolean {
  if ((tokens[joint]?.before ?? 0) & SEMICOLON) return false;
  const near = Math.max(from + 1, joint - MAX_WORDS_OF_OTHER);
  const at = tokens.slice(near, joint).findLastIndex(({ word, before }) => WITH_SUBJECT.has(word.text) && (before & COMMA) === 0) + near;
  if (at < near || SUBJECT_PRONOUNS.has(textAt(tokens, at + 1))) return false;
  return tokens.slice(at + 2, joint).some((_, place) => isFiniteVerbAt(tokens, at + 2 + place));
}
/** Most words of a clause with its own subject, before the joint. */
const MAX_WORDS_OF_OTHER = 30;
const WITH_SUBJECT = new Set('until when because'.split(' '));

/**
 * Whether an earlier clause has another subject, which the next verb may belong to: "Kelm fell, whereupon Ulm and Graz signed a treaty and left",
 * "Kelm found that Ulm saw it and did nothing".
 */
const hasOtherSubject = (tokens: readonly Token[], from: number, joint: number): boolean =>
  tokens.some(
    ({ word }, at) => at > from && at < joint && (BEFORE_SUBJECT.has(word.text) || (word.text === 'that' && tellsWhatFollows(tokens, at))),
  );

/** Whether "that" introduces a statement: "found that Ulm …", "found in 2019 that Ulm …", but neither "found that it …" nor "band that …". */
const tellsWhatFollows = (tokens: readonly Token[], that: number): boolean =>
  !SUBJECT_PRONOUNS.has(textAt(tokens, that + 1)) &&
  (isPastVerb(tokens[that - 1]) ||
    (that > 1 && isFiniteVerbAt(tokens, that - 1)) ||
    (tokens[that - 1]?.word.hasDigit === true && tokens.slice(0, that).some(isPastVerb)));

const BEFORE_SUBJECT = new Set(['whereupon', 'whereby']);

/** Whether the part before still needs the verb after the joint: "does not, but will use", "was loudly but in vain opposed". */
function isUnfinished(tokens: readonly Token[], joint: number): boolean {
  const [last, next] = [tokens[joint - 1], tokens[joint + 1]];
  if (!last) return false;
  return (
    UNFINISHED.has(last.word.text) ||
    (last.word.verb.isAdverb && next?.word.verb.isAdverb === true && FINITE_FORMS_OF_BE.has(textAt(tokens, joint - 2)))
  );
}

const UNFINISHED = MODALS_AND_DO.union(new Set('not never be been to about'.split(' ')));

/**
 * The beginning of the clause whose joint is this word; -1 if there is none: "X did this, and did that", "… who did", "… born in …", "…, working on
 * …".
 */
function clauseAfterJoint(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (!token || (token.before & SPACE) === 0) return -1;
  const { text } = token.word;
  if (token.before & SEMICOLON) return predicateFrom(tokens, text === 'and' || text === 'but' ? at + 1 : at);
  return token.isCapitalised ? -1 : joined(tokens, at, token);
}

function joined(tokens: readonly Token[], at: number, token: Token): number {
  const { text, verb } = token.word;
  if (CLAUSE_CONJUNCTIONS.has(text)) return token.after === SPACE && !joinsVerbs(tokens, at) ? predicateFrom(tokens, at + 1) : -1;
  if (text === 'who') return token.after === SPACE && isFiniteVerbAt(tokens, at + 1) && describes(tokens, at) ? at + 1 : -1;
  if (text === 'born') return isBirth(tokens, at) ? at : -1;
  if (isKnownFor(tokens, at)) return saysWhatItIs(tokens, at) ? at : -1;
  const isParticiple = verb.endsInIng && !NO_PARTICIPLES.has(text) && hasCommaBefore(token) && token.after === SPACE;
  return isParticiple && !endsList(tokens, at) ? at : -1;
}

/** Whether only another form in "ing" follows, as in a list of activities: "in judo, rowing and fencing". */
const endsList = (tokens: readonly Token[], at: number): boolean =>
  CLAUSE_CONJUNCTIONS.has(textAt(tokens, at + 1)) &&
  tokens[at + 2]?.word.verb.endsInIng === true &&
  (tokens[at + 3] === undefined || hasCommaBefore(tokens[at + 3]) || tokens[at + 3]?.word.isStopWord === true);

/** Whether the words before "who" describe the subject: "is a singer who". */
function describes(tokens: readonly Token[], who: number): boolean {
  for (let at = who - 1; at >= Math.max(1, who - MAX_PREDICATE_WORDS); at -= 1) {
    if (at < who - 1 && (tokens[at + 1]?.before ?? 0) & (COMMA | SEMICOLON)) return false;
    if (ARTICLES_OR_ONE.has(textAt(tokens, at)) && FINITE_FORMS_OF_BE.has(textAt(tokens, at - 1))) return at < who - 1;
  }
  return false;
}

/** Whether only nouns and no preposition stand between the article and this word: "Is an actress, model and producer". */
function saysWhatItIs(tokens: readonly Token[], end: number): boolean {
  for (let at = end - 1; at >= Math.max(1, end - MAX_PREDICATE_WORDS); at -= 1) {
    const token = tokens[at];
    if (!token) return false;
    // "The oldest pilot known for it" is not the oldest pilot in general.
    if (ARTICLES_OR_ONE.has(token.word.text))
      return token.word.text !== 'the' && FINITE_FORMS_OF_BE.has(textAt(tokens, at - 1)) && at < end - 1;
    if (token.word.isStopWord && !LISTING.has(token.word.text)) return false;
  }
  return false;
}

const LISTING = new Set(['and', 'former']);

function isBirth(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (!after || tokens[at]?.after !== SPACE || NOT_BEFORE_BORN.has(before?.word.text ?? '')) return false;
  return AFTER_BORN.has(after.word.text) || after.word.hasDigit || after.isCapitalised;
}
