import { verbCertaintyInS } from '@lib/language/known-words';
import { ARTICLES } from '@lib/language/reading/articles';
import { beginsNameLikePronoun, NAME_LINKS } from '@lib/language/reading/names';
import {
  POSSESSIVES,
  PRONOUNS_OF_PERSONS,
  PRONOUNS_OF_THINGS,
  RELATIVE_PRONOUNS,
  SUBJECT_PRONOUNS,
  SUBORDINATORS,
} from '@lib/language/reading/function-words';
import { COMMA, DASH, OPENING, SPACE, STOP } from '@lib/language/reading/characters';
import { wordsOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import { verbBehindSetOff } from '@lib/language/reading/set-off';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isImperative } from '../sentences/verb-without-ending';
import { introductionOf, INTRODUCING } from './introduction';
import { mayName } from './noun-phrase';
import { personIn } from './person-name';

/** The beginning of a sentence: the words from `from` to `to` name its subject, or `from` is a pronoun for it. */
export interface Opening {
  from: number;
  to: number;
  /** Their range in the text. */
  start: number;
  end: number;
  kind: 'name' | 'thing' | 'person' | 'neuter';
  /** The words that name the subject; null for a pronoun. */
  named: Reading | null;
  /** The person's name without a role, as in "Point guard Ada Lovelace". Null if it is hardly a person. */
  person: Reading | null;
  /** The first word of the predicate, in lower case; empty for a pronoun. */
  verb: string;
  /** Whether the object is indefinite, so that the next sentence may be about it: "A study found a fault". */
  hasIndefiniteObject: boolean;
  isPossessive: boolean;
}

/** Most words between a preposition and the pronoun: "In the same year he". */
const MAX_INTRODUCTION_WORDS = 6;
/** Lower-case words inside a name. */
export const PARTICLES = NAME_LINKS.union(new Set('di la el bin'.split(' ')));
const MAX_SUBJECT_LENGTH = 90;
const NAMED_OTHERWISE = new Set('known called named formerly previously originally abbreviated'.split(' '));

/** Verbs at the beginning of a request that `isImperative` leaves to others. */
const REQUESTING = new Set("please don't ignore disregard forget remember".split(' '));

/** Null if the subject of the sentence is unknown. */
export function openingOf(sentence: Reading): Opening | null {
  const { text, tokens } = sentence;
  const from = introductionOf(tokens);
  const first = tokens[from];
  if (!first) return null;
  const word = first.word.text;
  const isOpen = from > 0 || (first.before & ~SPACE) === 0;
  const isPronoun = (PRONOUNS_OF_PERSONS.has(word) || PRONOUNS_OF_THINGS.has(word)) && !beginsNameLikePronoun(tokens, from);
  if (isOpen && isPronoun) return pronounAt(from, first);
  if (INTRODUCING.has(word)) return pronounAfterIntroduction(tokens, from);
  // As in "Ignore the numbers printed on the box", which is about no subject of its own.
  if (REQUESTING.has(word) || (!first.word.verb.isDeterminer && isImperative(tokens.slice(from)))) return null;
  const next = verbAfter(tokens, from + 1, first.start + MAX_SUBJECT_LENGTH);
  let to = from + 1;
  while (to < (next < 0 ? tokens.length : next) && ((tokens[to]?.before ?? 0) & (COMMA | OPENING)) === 0) to += 1;
  const behind = verbBehindSetOff(tokens, to);
  const verb = behind < 0 ? next : behind;
  if (verb < 0 || isInRelativeClause(tokens, from, behind < 0 ? verb : to)) return null;
  const hasApposition = to < verb || ((tokens[verb]?.before ?? 0) & (COMMA | OPENING)) !== 0;
  const isName = isOpen && isNameFrom(tokens, from, to);
  if (hasApposition && !isName && !isSetOff(tokens, to)) return null;
  if (!mayName(tokens.slice(from, to))) return null;
  const { start } = first;
  const end = endOfSubject(text, tokens[to]?.start ?? text.length);
  const named = new Reading(text.slice(start, end), wordsOf(sentence, from, to));
  const person = isOpen && !isMade(tokens[to]) ? personIn(sentence, from, to, isName) : null;
  return {
    from,
    to,
    start,
    end,
    kind: isName ? 'name' : 'thing',
    named,
    person,
    verb: textAt(tokens, verb),
    hasIndefiniteObject: hasIndefinite(tokens, verb),
    isPossessive: false,
  };
}

/** A name in the headings as the opening of a sentence at the beginning of its section. */
export const openingAbove = (name: Reading): Opening => ({
  from: 0,
  to: name.tokens.length,
  start: 0,
  end: name.text.length,
  kind: 'name',
  named: name,
  person: personIn(name, 0, name.tokens.length, true),
  verb: '',
  hasIndefiniteObject: false,
  isPossessive: false,
});

/** Whether a participle shows that the name is no person's: "Finn Family, published in 1948, carried her name abroad". */
const isMade = (token: Token | undefined): boolean => token !== undefined && hasCommaBefore(token) && MADE.has(token.word.text);
const MADE = new Set(
  'published released issued written composed recorded filmed staged built opened founded established launched set'.split(' '),
);

const STATIVE_VERBS = new Set('is are was were has have'.split(' '));

function hasIndefinite(tokens: readonly Token[], verb: number): boolean {
  if (STATIVE_VERBS.has(textAt(tokens, verb))) return false;
  return tokens.some(({ word }, at) => at > verb && (word.text === 'a' || word.text === 'an'));
}

/** A pronoun that ends an introduction: "In 2010 he won", but not "After he won". */
function pronounAfterIntroduction(tokens: readonly Token[], from: number): Opening | null {
  for (let at = from + 1; at <= from + MAX_INTRODUCTION_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || token.before !== SPACE || isFiniteVerbAt(tokens, at)) return null;
    if (!SUBJECT_PRONOUNS.has(token.word.text) || beginsNameLikePronoun(tokens, at)) continue;
    return at === from + 1 || SUBORDINATORS.has(textAt(tokens, from)) ? null : pronounAt(at, token);
  }
  return null;
}

/** Whether the verb belongs to a relative clause: "Patients who took". */
function isInRelativeClause(tokens: readonly Token[], from: number, verb: number): boolean {
  for (let at = from + 1; at < verb; at += 1) {
    const token = tokens[at];
    if (token && RELATIVE_PRONOUNS.has(token.word.text) && !hasCommaBefore(token)) return true;
  }
  return false;
}

/** Whether another name follows, and not a second subject: "The Data Act (DA)", "The bridge, also known as …,". */
function isSetOff(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  if (token.before & OPENING) return !hasCommaBefore(token);
  return NAMED_OTHERWISE.has(token.word.text) || (token.word.text === 'also' && NAMED_OTHERWISE.has(textAt(tokens, at + 1)));
}

function pronounAt(from: number, { word: { text }, start, end }: Token): Opening {
  const kind = PRONOUNS_OF_PERSONS.has(text) ? 'person' : 'neuter';
  return {
    from,
    to: from + 1,
    start,
    end,
    kind,
    named: null,
    person: null,
    verb: '',
    hasIndefiniteObject: false,
    isPossessive: POSSESSIVES.has(text),
  };
}

/** Index of the first finite verb from a word on that begins before `limit`; -1 if there is none. */
export function verbAfter(tokens: readonly Token[], from: number, limit: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.start > limit) return -1;
    // As in "The cost of the project".
    if (ARTICLES.has(textAt(tokens, at - 1))) continue;
    if (token.before & SPACE && (isFiniteVerbAt(tokens, at) || isVerbInS(token, tokens[at + 1]))) return at;
  }
  return -1;
}

/** Whether a word in "s" is a verb that no other word has to prove: "The bridge carries two tracks", "Acme employs 300 people". */
function isVerbInS({ word, isCapitalised, after }: Token, next: Token | undefined): boolean {
  if (isCapitalised || !word.verb.endsInS || after !== SPACE || !next) return false;
  return next.word.isAmount || verbCertaintyInS(word.text) === 'verb';
}

function isNameFrom(tokens: readonly Token[], from: number, to: number): boolean {
  const first = tokens[from];
  if (!first?.isCapitalised || first.word.text === 'the') return false;
  for (let at = from + 1; at < to; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & ~(SPACE | STOP | DASH)) !== 0) return false;
    if (!token.isCapitalised && !PARTICLES.has(token.word.text) && (token.before & SPACE) !== 0) return false;
  }
  return true;
}

/** The end of the subject before an offset, without the opening bracket, commas and white space between. */
function endOfSubject(text: string, start: number): number {
  let end = start;
  while (end > 0 && /[\s,(]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
