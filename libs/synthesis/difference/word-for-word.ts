import { CLOSING, COMMA, DASH, OPENING, SEMICOLON } from '@lib/language/reading/characters';
import { APPROXIMATING } from '@lib/language/reading/comparators';
import { CONTINUING, RESTRICTING_CONJUNCTIONS, SUBJECT_PRONOUNS_AND_POSSESSIVES } from '@lib/language/reading/function-words';
import { areWordedAlike } from '@lib/language/reading/plain-wording';
import type { Reading } from '@lib/language/reading/reading';
import { isTelling, textAt, type Token } from '@lib/language/reading/token';

/** How far two sentences are the same word for word: the index after the last shared word in each. */
interface SharedBeginning {
  ofOne: number;
  ofOther: number;
}

const SET_OFF = COMMA | SEMICOLON | OPENING | CLOSING | DASH;
const APPROXIMATELY = APPROXIMATING.union(new Set(['approximately', 'some']));
/** Words that give a reason or go on; what stands before them holds without them. */
const GOING_ON = new Set('and while whereas because although though so thanks who which where'.split(' '));
/** In a past sentence these only add where, when or how. */
const OF_PAST = CONTINUING.difference(new Set('of and or including such that'.split(' ')));
/** What begins with these may take something back. */
const RESTRICTING = RESTRICTING_CONJUNCTIONS.union(new Set('provided providing except unlike than excluding but'.split(' ')));
/** A sentence with one of these says more without an addition than with it. */
const OF_ALL = new Set(['all', 'every', 'each', 'both', 'most', 'only', 'any', 'none', 'sole', 'entire', 'always', 'never']);
/** A rest with such a verdict may deny all before it: “which proved false”. */
const VERDICTS = new Set(
  'true false wrong incorrect untrue denied disproved disputed evidence proof proven proved claim claims claimed myth case fact'.split(' '),
);

/** So many words in the same wording are hardly said of two things: “The rest may have burned or been removed earlier”. Not with a pronoun. */
export const sayAtLengthAlike = (one: Reading, other: Reading): boolean =>
  areWordedAlike(one, other) && one.tokens.filter(isTelling).length >= LENGTH && !one.tokens.some(({ word }) => POINTING.has(word.text));
const POINTING = SUBJECT_PRONOUNS_AND_POSSESSIVES.union(new Set('him them this that these those'.split(' ')));
const LENGTH = 6;

/** “About 40” and “roughly 40”, and “1–2%” and “1 to 2%”, are the same words. */
function sharedBeginningOf({ tokens: mine }: Reading, { tokens: theirs }: Reading): SharedBeginning {
  let [ofOne, ofOther] = [0, 0];
  for (;;) {
    const [one, other] = [pastSmallWords(mine, ofOne), pastSmallWords(theirs, ofOther)];
    const [left, right] = [mine[one], theirs[other]];
    if (!left || !right || left.word.text !== right.word.text) return { ofOne, ofOther };
    ofOne = one + 1;
    ofOther = other + 1;
  }
}

function pastSmallWords(tokens: readonly Token[], at: number): number {
  const [word, isBeforeFigure] = [textAt(tokens, at), tokens[at + 1]?.word.isAmount === true];
  const isOfRange = word === 'to' && tokens[at - 1]?.word.isAmount === true;
  return isBeforeFigure && (isOfRange || APPROXIMATELY.has(word)) ? at + 1 : at;
}

/** Whether the other sentence says all of this one in the same words and then only adds to it: “Ada left Ulm in 1920, when the mill failed”. */
export function isBeginningOf(inner: Reading, outer: Reading): boolean {
  const { ofOne, ofOther } = sharedBeginningOf(inner, outer);
  if (ofOne < inner.tokens.length || ofOther === outer.tokens.length || !saysEnough(inner, ofOne)) return false;
  return !isOfAll(inner) && onlyAddsFrom(outer, ofOther);
}

/** Whether both begin with the same words up to an index of the first, and each adds something of another kind. */
export function goOnApart(one: Reading, other: Reading, end: number): boolean {
  const { ofOne, ofOther } = sharedBeginningOf(one, other);
  if (ofOne !== end || !saysEnough(one, end) || !onlyAddsFrom(one, ofOne) || !onlyAddsFrom(other, ofOther)) return false;
  // "Three bills were introduced, but did not become law", "…, all of which became law"
  if (isDeniedFrom(one, ofOne) || isDeniedFrom(other, ofOther)) return false;
  return textAt(one.tokens, ofOne) !== textAt(other.tokens, ofOther);
}

const saysEnough = ({ tokens }: Reading, end: number): boolean => tokens.slice(0, end).filter(isTelling).length >= MIN_TELLING;
const MIN_TELLING = 4;

const isDeniedFrom = ({ tokens }: Reading, at: number): boolean => tokens.slice(at).some(({ word }) => word.isNegation);

/** “No cases were found” and “All banks failed” say more than the same with an addition. */
const isOfAll = ({ hasNegation, tokens }: Reading): boolean => hasNegation || tokens.some(({ word }) => OF_ALL.has(word.text));

/** Whether the words from here on neither limit nor deny those before them. */
function onlyAddsFrom({ tokens, tense }: Reading, at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token) return true;
  const { text } = token.word;
  const isSetOff = (token.before & SET_OFF) !== 0;
  if (!isSetOff && !GOING_ON.has(text) && !(tense === 'past' && OF_PAST.has(text))) return false;
  if (RESTRICTING.has(text) || (next && RESTRICTING.has(next.word.text))) return false;
  return !tokens.slice(at).some(({ word }) => VERDICTS.has(word.text));
}
