import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { isBehindBe } from '@lib/language/reading/verbs';
import type { Reading } from '@lib/language/reading/reading';
import { isParticipleForm } from '@lib/language/reading/verb-forms';
import { isFiniteOrPast, isNameWord, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { DEED_NOUNS, DEEDS, UNSURE } from './deed-words';
import { isBreak, named, played, type StatedRole } from './stated-role';

/** After the verb these introduce a statement, not an object. */
const TELLING_THAT = new Set('that to how why whether what'.split(' '));
const [CREATION, FOUNDING, WRITING] = ['creation', 'founding', 'writing'];
/** Most words between the buyer and "purchase of". */
const MAX_BETWEEN = 4;

/** The roles in the deed that a word of a sentence names; none if it names no deed. */
export function deedsAt(reading: Reading, at: number): StatedRole[] {
  const token = reading.tokens[at];
  if (!token || token.isCapitalised) return [];
  const { word } = token;
  const noun = DEED_NOUNS.get(word.text);
  if (noun !== undefined && reading.tokens[at + 1]?.word.text === 'of') return doerOfNoun(reading, at, noun);
  const isDone = word.verb.isPastForm || isParticipleForm(word.text);
  const deed = isDone && word.text !== UNSURE ? DEEDS.get(word.stem) : undefined;
  return deed === undefined ? [] : rolesOfDeed(reading, at, deed);
}

/** The doer of a noun: "Ulm Energy completed its purchase of …", "Ulm Energy's purchase of …". */
function doerOfNoun(reading: Reading, at: number, deed: string): StatedRole[] {
  const { tokens } = reading;
  let to = at;
  while (to > 0 && at - to < MAX_BETWEEN && !isNameWord(tokens[to - 1]) && !isBreak(tokens[to])) to -= 1;
  // Not somebody who "cleared the acquisition of" it.
  if (to < at && !tokens.slice(to, at).some(({ word }) => word.text === 'its' || word.text === 'their')) return [];
  let from = to;
  while (isNameWord(tokens[from - 1])) from -= 1;
  const object = objectBehind(tokens, at + 2);
  return from === to || object.length === 0 ? [] : played(reading, `${deed} by`, from, to, object);
}

/** The roles for a verb: "built by …", "built at …", "… built", "it was … who built". */
function rolesOfDeed(reading: Reading, at: number, deed: string): StatedRole[] {
  const { tokens } = reading;
  let next = at + 1;
  // Skips a second verb: "designed and built by".
  if (tokens[next]?.word.text === 'and' && isFiniteOrPast(tokens[next + 1])) next += 2;
  const preposition = textAt(tokens, next);
  if (TELLING_THAT.has(preposition)) return [];
  const isPassive = preposition === 'by' || isBehindBe(tokens, at);
  const object = isPassive ? subjectBefore(tokens, at) : objectBehind(tokens, at + 1);
  if (preposition === 'by') return named(reading, next + 1, `${deed} by`, object);
  if (preposition === 'at' && (deed === CREATION || deed === FOUNDING))
    return named(reading, next + 1, `${deed} at`, subjectBefore(tokens, at));
  if (preposition === 'in' && deed === WRITING) return named(reading, next + 1, `${deed} in`, subjectBefore(tokens, at));
  const last = tokens[at - 1]?.word.text === 'who' ? at - 2 : at - 1;
  let from = last + 1;
  while (isNameWord(tokens[from - 1])) from -= 1;
  return from > last || isPassive || object.length === 0 ? [] : played(reading, `${deed} by`, from, last + 1, object);
}

/** The subject before a verb: "the oak tower of Tolm" in "the oak tower of Tolm was built". */
function subjectBefore(tokens: readonly Token[], at: number): Token[] {
  let from = at - 1;
  while (from > 0 && !isBreak(tokens[from])) from -= 1;
  return tokens.slice(Math.max(from, 0), at).filter((token) => isContentWord(token) && !isFiniteOrPast(token));
}

/** The object after a verb: "the oak tower" in "built the oak tower in 1911". */
function objectBehind(tokens: readonly Token[], from: number): Token[] {
  let to = from;
  while (!(to > from && isBreak(tokens[to])) && tokens[to] && !ENDING_OBJECT.has(textAt(tokens, to))) to += 1;
  return tokens.slice(from, to).filter((token) => isContentWord(token) || token.word.isAmount || OF_ORDER.has(token.word.text));
}
const OF_ORDER = new Set('first last second third'.split(' '));
const ENDING_OBJECT = COMMON_PREPOSITIONS.union(
  new Set('without after before during and but while into near under over who which that'.split(' ')),
);
