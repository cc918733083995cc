import { POSSESSIVES, PREPOSITIONS, RELATIVE_PRONOUNS, SUBORDINATORS } from '@lib/language/reading/function-words';
import { COMMA, DASH, SPACE } from '@lib/language/reading/characters';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { verbCertaintyInS } from '@lib/language/known-words';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, isOneOf, textAt, type Token } from '@lib/language/reading/token';
import { unitOf } from '@lib/language/reading/units';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isBeingA } from '../subject/stated-kind';
import { isRole } from '../subject/person-name';

/** A sentence that ends with one of these is incomplete. */
export const OPEN_ENDS = new Set(
  `known best noted regarded considered described named called titled entitled dubbed involved located situated based able unable such most one first second
third several many some also and or but nor not is are was were be been being has have had does do did can could may might will would should must the a an his her its
their other another various proven supposed expected reported said allowed scheduled designed intended responsible famous those these about approximately roughly nearly almost serve serves served`.split(
    /\s+/,
  ),
);
/** After a possessive, a final adjective still needs its noun: "her powerful". */
const ADJECTIVE = /(?:ful|ous|ive|less|able|ible)$/;
/** Words that cannot begin a complete sentence. */
export const BEGIN_NO_SENTENCE = SUBORDINATORS.union(new Set(['whenever', 'where', 'that']));
export const RELATIVES_AND_WHEN = RELATIVE_PRONOUNS.union(new Set(['when']));
/** Least number of words of a relative clause; "who was born" and "which he joined" are incomplete. */
const MIN_RELATIVE_WORDS = 4;
/** Most words of an item in a list without "and": "television presenter". */
const MAX_LISTED_WORDS = 3;
/** A verb and a complement. */
const MIN_SAID = 2;
/** Most words of "that" with a subject and verb. */
const MAX_TOLD_WORDS = 6;
/** Words for what could be said of almost anybody: began a career, had roles, won awards. */
const VAGUE = new Set(
  `begin begins began begun beginning start starts started starting continue continues continued continuing make makes made pursue pursued
career careers life lives work works working role roles film films movie movies series show shows play plays production productions project projects award awards accolade accolades number
variety range thing things way ways time times year years success attention recognition fame contribution contributions appearance appearances
part parts member several many various numerous multiple different television title titles position
positions post posts office offices
honour honours honor honors trophy trophies medals third fourth fifth sixth seventh eighth ninth tenth`.split(/\s+/),
);

/** Words that always need a continuation. */
const WAITING = new Set('the a an about approximately roughly nearly his its their such'.split(' '));

/**
 * Whether something is missing at the end: a figure ("The mission cost about"), or what identifies some of few or many ("one of the few musicians",
 * "one of 62 people").
 */
export function isUnfinished({ tokens }: Reading): boolean {
  if (WAITING.has(tokens.at(-1)?.word.text ?? '')) return true;
  const [one, of, count, people] = tokens.slice(-4);
  if (one?.word.text === 'one' && of?.word.text === 'of' && count?.word.isAmount && people?.word.text === 'people') return true;
  const few = tokens.findLastIndex(({ word }) => FEW.has(word.text));
  return (
    few > 2 &&
    tokens[few - 2]?.word.text === 'of' &&
    tokens.slice(few + 1).every(({ word, isCapitalised }) => !word.isStopWord && !isCapitalised)
  );
}

const FEW = new Set(['few', 'only']);

/** Whether the words form a complete sentence, with a verb for its subject and the verb's complements. English. */
export function isWholeSentence(reading: Reading): boolean {
  const { tokens } = reading;
  const end = tokens.at(-1);
  // "May" is a month.
  if (!end || (OPEN_ENDS.has(end.word.text) && !(end.isCapitalised && end.word.text === 'may'))) return false;
  const last = end.word;
  // "The board says that rice keeps" lacks how long.
  const isAlone = last.verb.endsInS && verbCertaintyInS(last.text) === 'verb';
  if (isAlone && tokens.slice(-MAX_TOLD_WORDS).some(({ word }) => word.text === 'that')) return false;
  const isOwn = POSSESSIVES.has(tokens.at(-2)?.word.text ?? '');
  if ((isOwn && (ADJECTIVE.test(last.text) || VAGUE.has(last.text))) || endsInList(tokens) || lacksRoles(tokens)) return false;
  if (waitsForMeasured(reading) || waitsForVerb(tokens) || endsWithPart(tokens)) return false;
  const verb = mainVerbIn(tokens);
  // "Doubly linked lists" has no subject.
  if (verb < 0 || tokens.slice(0, verb).every(({ word }) => word.verb.isAdverb)) return false;
  const relative = tokens.findLastIndex(isRelative);
  if (relative > 0 && tokens.length - relative < MIN_RELATIVE_WORDS) return false;
  return saidFrom(tokens, verb) >= MIN_SAID;
}

/** Whether nothing is said of a part that a comma sets off: "Days can be taken in fractions, most of them". */
function endsWithPart(tokens: readonly Token[]): boolean {
  const [part, of, whole] = tokens.slice(-3);
  return part !== undefined && hasCommaBefore(part) && of?.word.text === 'of' && WHOLES.has(whole?.word.text ?? '');
}
const WHOLES = new Set('them these those which whom it'.split(' '));

/** Whether a last noun lacks its verb: "added because the larger", "while some functions, such as sharding", "at €12, so a firm". */
function waitsForVerb(tokens: readonly Token[]): boolean {
  const joint = tokens.findLastIndex(
    (token, at) => at > 0 && (BEFORE_CLAUSE.has(token.word.text) || (token.word.text === 'so' && hasCommaBefore(token))),
  );
  const [next, ...others] = joint < 0 ? [] : tokens.slice(joint + 1);
  if (!next || next.word.text === 'of' || next.word.verb.endsInIng || next.word.verb.isPastForm) return false;
  return !others.some((_, at) => isFiniteVerbAt(tokens, joint + 2 + at));
}
const BEFORE_CLAUSE = new Set('because although though while whereas'.split(' '));

/**
 * Whether a final amount needs a continuation: "The planet is 124 light-years" (away), "free up to 3x". "The distance is 124 light-years" does not,
 * nor does an amount for "the span of the bridge".
 */
function waitsForMeasured({ tokens, amounts }: Reading): boolean {
  const last = amounts.at(-1);
  if (!last) return false;
  if (MULTIPLE.test(textAt(tokens, tokens.length - 1))) return last.high < Infinity && last.low === -Infinity;
  const isAtEnd = last.to === tokens.length || (last.unit === LIGHT_YEARS && last.to + 2 === tokens.length);
  if (!isAtEnd || !EXTENTS.has(last.unit) || !FINITE_FORMS_OF_BE.has(textAt(tokens, last.from - 1))) return false;
  return !tokens.slice(0, last.from).some(({ word }) => word.text === 'of' || MEASURES.has(word.text));
}
const MULTIPLE = /^\d+(?:\.\d+)?x$/;
/** Units of length and time, which may be followed by "old", "high", "wide" or "away". */
const LIGHT_YEARS = 'light year';
const EXTENTS = new Set([LIGHT_YEARS, ...['m', 's', 'years'].map((name) => unitOf(name)?.dimension ?? '')]);
const MEASURES = new Set(
  `height length width depth distance diameter radius range size age duration delay term limit minimum maximum period time lifetime lifespan wavelength altitude elevation
life half-life span wingspan circumference perimeter gauge draught incubation jump throw result best record`.split(/\s+/),
);

/** Whether the last item of a list is missing: "Is an actress, producer". A capitalised item may be the wider part of a place. */
function endsInList(tokens: readonly Token[]): boolean {
  const comma = tokens.findLastIndex(hasCommaBefore);
  const item = comma < 0 ? [] : tokens.slice(comma);
  if (
    item.length === 0 ||
    item.length > MAX_LISTED_WORDS ||
    item.some(({ word, isCapitalised }) => isCapitalised || word.isStopWord || word.hasDigit)
  )
    return false;
  // "A site of interest, notified" lacks a time.
  const [{ word } = { word: null }] = item;
  if (item.length === 1 && word?.verb.endsInEd) return true;
  return !item.some(({ word: { verb } }) => verb.isAdverb || verb.isFinite || verb.isPastForm || verb.endsInIng);
}

/** Whether only one of several roles is left: "Is known for his roles as Faramir". */
function lacksRoles(tokens: readonly Token[]): boolean {
  const roles = tokens.findLastIndex(({ word }, at) => word.text === 'roles' && tokens[at + 1]?.word.text === 'as');
  return roles >= 0 && !tokens.some(({ word, before }, at) => at > roles + 1 && (word.text === 'and' || (before & COMMA) !== 0));
}

/** Whether a sentence says nothing specific about its subject: "She began her career", "He won several awards". */
export function isEmpty({ tokens }: Reading): boolean {
  const verb = mainVerbIn(tokens);
  if (verb < 0 || !tokens.some(({ word }, at) => at >= verb && VAGUE.has(word.text))) return false;
  return saidFrom(tokens, verb) < MIN_SAID;
}

/** How much is said from a verb on. A phrase with a preposition counts more than the object of a vague verb. */
function saidFrom(tokens: readonly Token[], verb: number): number {
  let said = 0;
  let weight = 1;
  for (let at = verb; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    if (PREPOSITIONS.has(token.word.text)) weight = MIN_SAID;
    if (saysSomething(token)) said += saysWhoItIs(tokens, verb, at) ? MIN_SAID : weight;
  }
  return said;
}

/** Whether a role is stated: "Ada is a singer", unlike "The server is a fast" and "The glacier is a glacier". */
function saysWhoItIs(tokens: readonly Token[], verb: number, at: number): boolean {
  const role = tokens[at]?.word;
  if (at !== verb + 2 || !isBeingA(tokens, verb)) return false;
  return (
    role !== undefined && isRole(role.text) && !tokens.slice(0, verb).some(({ word, isCapitalised }) => word === role || !isCapitalised)
  );
}

function saysSomething({ word, before }: Token): boolean {
  if (word.isStopWord || word.effect === 'filler' || word.verb.isAdverb || VAGUE.has(word.text)) return false;
  // The second part of "re-elected" does not count.
  return word.hasDigit || (before & DASH) === 0 || (before & SPACE) !== 0;
}

/** The main verb, outside of relative clauses and of participles after a comma; -1 if there is none. */
function mainVerbIn(tokens: readonly Token[]): number {
  const from = BEGIN_NO_SENTENCE.has(textAt(tokens, 0)) ? tokens.findIndex((token, at) => at > 0 && hasCommaBefore(token)) : 1;
  if (from < 0) return -1;
  let relative: 'none' | 'closed by comma' | 'closed by verb' = 'none';
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const isAfterComma = hasCommaBefore(token);
    if (isRelative(token)) relative = isAfterComma || isOfPart(tokens, at) ? 'closed by comma' : 'closed by verb';
    else if (isAfterComma && relative === 'closed by comma') relative = 'none';
    if (token.word.text !== 'born' && (!isFiniteVerbAt(tokens, at) || isPartOfNoun(tokens, at))) continue;
    if (relative === 'none' && !(isAfterComma && token.word.verb.endsInEd && !hasCommaBetween(tokens, from, at))) return at;
    if (relative === 'closed by verb') relative = 'none';
  }
  return -1;
}

/** Not the name "WHO". */
const isRelative = (token: Token): boolean => isOneOf(RELATIVES_AND_WHEN, token);

/** "Which" in "plants, most of which cannot be identified". */
const isOfPart = (tokens: readonly Token[], at: number): boolean => textAt(tokens, at - 1) === 'of' && hasCommaBefore(tokens[at - 2]);

/** Whether its only verbs are in relative clauses: "plants, most of which cannot be identified". */
export const hasNoMainVerb = ({ tokens }: Reading): boolean =>
  mainVerbIn(tokens) < 0 && tokens.some((token, at) => at > 0 && isRelative(token) && hasVerbBehind(tokens, at));
const hasVerbBehind = (tokens: readonly Token[], at: number): boolean =>
  tokens.some((_, place) => place > at && isFiniteVerbAt(tokens, place));

/** Whether a word in "s" is part of a noun: "The works contract is held". */
const isPartOfNoun = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.word.text.endsWith('s') === true &&
  verbCertaintyInS(tokens[at].word.text) !== 'verb' &&
  tokens[at + 1]?.word.isStopWord === false &&
  FINITE_FORMS_OF_BE.has(textAt(tokens, at + 2));

/**
 * Whether a comma stands between; "Quill Systems, founded by Raman" only mentions the founding in passing, "Ada, a singer, moved to Rome" has its
 * verb after the insertion.
 */
const hasCommaBetween = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.some((token, at) => at >= from && at < to && hasCommaBefore(token));
