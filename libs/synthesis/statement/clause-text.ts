import { verbCertaintyInS } from '@lib/language/known-words';
import { COMMON_PREPOSITIONS, FORMS_OF_HAVE, RELATIVE_PRONOUNS } from '@lib/language/reading/function-words';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, SPACE } from '@lib/language/reading/characters';
import { ARTICLES_OR_ONE, type Clause } from '@lib/language/reading/clauses';
import { isKnownFor } from '@lib/language/reading/known-for';
import { readingOf } from '@lib/language/reading/read-text';
import { after, partOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { verbBehindSetOff } from '@lib/language/reading/set-off';
import { isFiniteOrPast, isPastVerb, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { BASES, INTRANSITIVE, isParticipleLead } from '@lib/language/reading/verb-forms';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import type { Word } from '@lib/language/reading/word';
import { withItems } from './common-items';
import type { Piece } from './common-part';
import { closedAt, hasMarksInPairs, openedAt } from './marks';
import { atBeginning } from '../subject/put-in';
import { isBehindSetOff, withSubject, type Reference } from '../subject/reference';

/** Participles that describe the subject, before or after it: "Born in Rome, Ada …", "Ada is a singer born in Rome". */
const PARTICIPLES = new Set('born raised founded established built released educated trained'.split(' '));
/** Participles at the beginning of a sentence, but elsewhere verbs without an object: "Regulators opened a facility". */
const ONLY_FIRST = new Set(['opened', 'closed']);
/** Least number of words from the participle to the subject. */
const MIN_WORDS = 3;

const isLead = ([first, second]: readonly Token[]): boolean =>
  first !== undefined &&
  (PARTICIPLES.has(first.word.text) || ONLY_FIRST.has(first.word.text) || isParticipleLead(first.word.text, second?.word.text ?? ''));

/** Separates a participle phrase before the subject from its main clause. */
export function withoutLead(clauses: readonly Clause[], { text, tokens }: Reading, { subject, at, start }: Reference): readonly Clause[] {
  const [first, ...others] = clauses;
  const subjectBegin = tokens[at];
  if (!first || !subject || at < MIN_WORDS || first.to <= at || !isLead(tokens)) return clauses;
  if (subjectBegin?.before !== (COMMA | SPACE)) return clauses;
  const end = text.slice(0, start).trimEnd().length - 1;
  return [{ from: 0, to: at, end }, { ...first, from: at }, ...others];
}

const BEFORE_PARTICIPLE = FINITE_FORMS_OF_BE.union(new Set(['been']));
const AFTER_PASSIVE = COMMON_PREPOSITIONS.difference(new Set(['of'])).union(new Set(['under']));

/**
 * The auxiliary that a clause shares with the one before: "is written in Rust and licensed under Apache 2.0", "had been sent and read by nobody", "is
 * free and backed by a bank"; null if it needs none.
 */
function passiveBefore(tokens: readonly Token[], from: number): string | null {
  const [own, next] = [tokens[from], tokens[from + 1]];
  if (!own || !next || !own.word.verb.isPastForm || FINITE_FORMS_OF_BE.has(own.word.text) || !AFTER_PASSIVE.has(next.word.text))
    return null;
  if (next.word.text !== 'by' && (!own.word.verb.endsInEd || INTRANSITIVE.has(own.word.text))) return null;
  const earlier = tokens.findLastIndex(
    (_, at) => at < from && isFiniteVerbAt(tokens, at) && !BEFORE_PARTICIPLE.has(textAt(tokens, at - 1)),
  );
  const verb = textAt(tokens, earlier);
  const auxiliary = FORMS_OF_HAVE.has(verb) && tokens[earlier + 1]?.word.text === 'been' ? `${verb} been` : verb;
  const participle = tokens[earlier + auxiliary.split(' ').length]?.word;
  const isPassive =
    (FINITE_FORMS_OF_BE.has(auxiliary) || auxiliary !== verb) &&
    participle !== undefined &&
    (isParticiple(participle) || next.word.text === 'by') &&
    participle.text !== 'born';
  return isPassive ? auxiliary : null;
}

/** Whether a clause needs a form of "be": "a painter from Turku", "known for her novels". */
const lacksCopula = (tokens: readonly Token[], from: number): boolean =>
  ARTICLES_OR_ONE.has(textAt(tokens, from)) || isKnownFor(tokens, from);

const copulaBefore = (tokens: readonly Token[], from: number): string | null =>
  tokens.findLast(({ word, isCapitalised }, at) => at < from && !isCapitalised && FINITE_FORMS_OF_BE.has(word.text))?.word.text ?? null;

const isParticiple = ({ text, verb }: Word): boolean => verb.isPastForm || BASES.has(text);

/** Capitalises a text, unless it begins with a name such as "eBay" or "pg_dump". */
export const capitalised = (text: string): string =>
  /^\p{Ll}+[\p{Lu}\p{N}_]/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** The end of a sentence in any script, also before closing quotation marks and brackets. */
const ENDED = /[\p{Sentence_Terminal}…:]["'\p{Pf}\p{Pe}]*$/u;
/** The end of a text in a script whose sentences end with another mark, or with none. */
const ENDS_WITHOUT_STOP =
  /(?=[\p{L}\p{M}])[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Hangul}\p{sc=Inherited}]["'\p{Pf}\p{Pe}]*$/u;

/** The text with a full stop at its end. */
export const closed = (text: string): string =>
  // The common case first, since it is fast to check.
  text === '' || text.endsWith('.') || ENDED.test(text) || ENDS_WITHOUT_STOP.test(text) ? text : `${text.replace(/[;,]+$/, '')}.`;

/** A part of a sentence completed with its subject, in place of an initial pronoun or before a clause without a subject. */
export function completed(
  { from, to, end }: Clause,
  reading: Reading,
  text: string,
  reference: Reference,
): { text: string; reading: Reading } {
  const { subject: known, insert, at, start } = reference;
  const isBeforeSubject = to <= at;
  const part = partOf(reading, from, to);
  const upToEnd = withLastJoined(text, reading.tokens, { from, to, end }, reference.to);
  if (!isBeforeSubject && (from === 0 || from === at)) {
    const said = closed(withSubject(upToEnd, reference));
    return { text: from === 0 ? said : capitalised(said.slice(start)), reading: insert ? replacing(part, at - from, insert) : part };
  }
  // A fragment without its main clause states nothing: "Having met Ada in 1833".
  if (isBeforeSubject && from === 0 && known && !isLead(part.tokens)) return { text: '', reading: part };
  const own = closed(upToEnd.slice(reading.tokens[from]?.start));
  if (!known) return { text: own, reading: part };
  const subject = atBeginning(known);
  if (isBehindSetOff(from, reading, reference)) return { text: `${subject.text} ${own}`, reading: after(subject, part) };
  const copula = lacksCopula(reading.tokens, from)
    ? (copulaBefore(reading.tokens, from) ?? (reading.tense === 'past' ? 'was' : 'is'))
    : null;
  if (copula !== null) return { text: `[${subject.text} ${copula}] ${own}`, reading: after(subject, after(readingOf(copula), part)) };
  const auxiliary = passiveBefore(reading.tokens, from);
  if (auxiliary !== null) return { text: `[${subject.text} ${auxiliary}] ${own}`, reading: after(subject, part) };
  if (PARTICIPLES.has(textAt(part.tokens, 0)) || (from === 0 && isLead(part.tokens)))
    return { text: `[${subject.text} was] ${own.charAt(0).toLowerCase()}${own.slice(1)}`, reading: after(subject, part) };
  return { text: `[${subject.text}] ${own}`, reading: after(subject, part) };
}

/**
 * The text up to the end of a clause. If the last of several verbs is cut off, "and" is put between the last two left: "drew, cut" from "drew, cut
 * and printed".
 */
function withLastJoined(text: string, tokens: readonly Token[], { from, to, end }: Clause, subjectEnd: number): string {
  const said = text.slice(0, end);
  const joint = tokens.findLastIndex((token, at) => at > from && at < to && hasCommaBefore(token));
  const [last, verb, next] = [tokens[joint - 1], tokens[joint], tokens[tokens[to]?.word.text === 'and' ? to + 1 : to]];
  const goesOn = tokens[to]?.word.text === 'and' || hasCommaBefore(tokens[to]);
  if (!last || !verb || !goesOn || !areOfOneList(verb, next) || verbBehindSetOff(tokens, subjectEnd) === joint) return said;
  // The verb has another subject: "signed, followed by Ulm", "the band, which split, left".
  if (isParticipleLead(verb.word.text, textAt(tokens, joint + 1))) return said;
  const before = tokens.slice(Math.max(from, subjectEnd), joint);
  if (
    !before.some((token) => isFiniteOrPast(token) || isVerbInS(token)) ||
    before.some((token) => hasCommaBefore(token) && RELATIVE_PRONOUNS.has(token.word.text))
  )
    return said;
  return `${said.slice(0, last.end)} and ${said.slice(verb.start)}`;
}

const areOfOneList = (verb: Token, next: Token | undefined): boolean =>
  (isPastVerb(verb) && isPastVerb(next)) || (isVerbInS(verb) && isVerbInS(next));

const isVerbInS = (token: Token | undefined): boolean =>
  token?.isCapitalised === false &&
  (token.word.text === 'has' || (token.word.verb.endsInS && verbCertaintyInS(token.word.text) === 'verb'));

/** Joins pieces of a text into a text of its own, with their quotation marks and brackets; null if one of a pair is missing. */
export function textOfPieces({ text, tokens }: Reading, pieces: readonly Piece[]): string | null {
  let whole = '';
  for (const [place, { from, to, listed }] of pieces.entries()) {
    const start = place === 0 ? 0 : openedAt(text, tokens[from]?.start ?? 0);
    const piece = listed ? withItems(text, listed).slice(start) : text.slice(start, closedAt(text, tokens[to - 1], tokens[to]));
    whole = place === 0 ? piece.trim() : `${withArticleFor(whole, piece)} ${piece.trim()}`;
  }
  return hasMarksInPairs(whole) ? whole : null;
}

/** Corrects the article after a word was removed: "a well-known artist" becomes "an artist". */
function withArticleFor(text: string, next: string): string {
  return text.replace(/\ban?$/, /^[aeiou]/i.test(next) ? 'an' : 'a');
}
