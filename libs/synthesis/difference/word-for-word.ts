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

/** Whether both begin with the same words up to an index of the first, and each only adds to them. */
export function goOnApart(one: Reading, other: Reading, end: number): boolean {
  const { ofOne, ofOther } = sharedBeginningOf(one, other);
  return ofOne === end && saysEnough(one, end) && onlyAddsFrom(one, ofOne) && onlyAddsFrom(other, ofOther);
}

const saysEnough = ({ tokens }: Reading, end: number): boolean => tokens.slice(0, end).filter(isTelling).length >= MIN_TELLING;
const MIN_TELLING = 4;

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
