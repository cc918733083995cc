import { tellsRank } from '../difference/superlatives';
import { ARTICLES } from '@lib/language/reading/articles';
import { CLOSING, COMMA, DASH, OPENING, SPACE } from '@lib/language/reading/characters';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import type { Enumeration } from '@lib/language/reading/enumerations';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { RESTRICTING_CONJUNCTIONS } from '@lib/language/reading/function-words';
import { needsWhatFollows } from '@lib/language/reading/needed';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAffirming, NARROWING } from '../alignment/edit-kinds';
import type { Stretch } from '../difference/leftover';

/** Words that begin additional information: where, when, how and by whom. */
export const ADJOINING = new Set(
  `in at on for with from as by during after before since through throughout over under between among alongside including while where who which when
until following despite`.split(/\s+/),
);
/** Words that need a continuation. */
const UNFINISHED = new Set('known such as well the a an of to and or but more than also most is are was were be been'.split(' '));
/** With such a word, leaving something out changes the meaning: "the first … to gain fame", "the largest … in Texas". */
const RESTRICTING = new Set('sole all every each most least second third one'.split(' '));
/** Endings of adjectives that may be left out. A noun before another noun is essential: a package manager manages only packages. */
const LIKE_ADJECTIVE = /(?:ed|ing|al|ous|ful|ive|ic|able|ible|ary|less|ish|known)$/;
/** Of the words after a verb only a date may be left out: "was born on July 13, 1942, in Chicago". */
const MAX_DATE_WORDS = 5;

/** The parts of a stretch that may be left out one by one: each begins at a comma, a bracket or a word that begins additional information. */
export function chunksOf(tokens: readonly Token[], { from, to }: Stretch, earliest: number, lists: readonly Enumeration[]): Stretch[] {
  const chunks: Stretch[] = [];
  let begin = from;
  for (let at = Math.max(from + 1, earliest); at < to; at += 1) {
    if (!isBoundary(tokens, at) || lists.some(({ items }) => at > (items[0]?.from ?? 0) && at < (items.at(-1)?.to ?? 0))) continue;
    chunks.push({ from: begin, to: at });
    begin = at;
  }
  chunks.push({ from: begin, to });
  return chunks;
}

function isBoundary(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token || !before || (hasCommaBefore(token) && token.word.hasDigit && before.word.hasDigit)) return false;
  return (token.before & (COMMA | OPENING | CLOSING)) !== 0 || beginsAdjunct(token);
}

export const beginsAdjunct = (token: Token | undefined): boolean =>
  token !== undefined &&
  !token.isCapitalised &&
  ADJOINING.has(token.word.text) &&
  (token.before & SPACE) !== 0 &&
  (token.after & DASH) === 0;

/** Whether a stretch may be omitted: an insertion, or an adjunct to something complete without it. */
export function mayBeLeftOut(tokens: readonly Token[], { from, to }: Stretch): boolean {
  const [before, first] = [tokens[from - 1], tokens[from]];
  if (!before || !first || needsWhatFollows(tokens, from)) return false;
  if (first.before & (COMMA | OPENING)) return true;
  if (!beginsAdjunct(first) || UNFINISHED.has(before.word.text)) return false;
  const { verb, isStopWord } = before.word;
  if (before.isCapitalised || !(verb.isPastForm || verb.isFinite || verb.endsInIng || isStopWord)) return true;
  return first.word.text === 'by' || (to - from <= MAX_DATE_WORDS && tokens.slice(from, to).some(({ word }) => word.hasDigit));
}

export const givesExamples = (words: readonly Token[]): boolean =>
  words.some(({ word, isCapitalised }) => !isCapitalised && (word.text === 'including' || word.text === 'such'));

/** Whether an omission leaves a comma unclosed: "Ada, her coach since 2011, is". */
export function leavesOpen(tokens: readonly Token[], { from, to }: Stretch): boolean {
  const closes = hasCommaBefore(tokens[to]) && isFiniteVerbAt(tokens, to);
  return closes && tokens[from]?.before === SPACE;
}

/** Whether a chunk completes a pair: in "Strokes by 14 % and deaths by 12 %", omitting the end would give the second one the first one's figure. */
export function completesPair(tokens: readonly Token[], { from }: Stretch, kept: Stretch | undefined): boolean {
  const lead = tokens[from];
  if (!kept || kept.to !== from || !beginsAdjunct(lead)) return false;
  const same = tokens.findLastIndex(({ word }, at) => at < from && word.text === lead?.word.text);
  return same >= kept.from && tokens.slice(same, from).some(({ word }) => word.text === 'and');
}

/** Whether the next phrase may describe a noun: "as a nurse" after "for her role", but not "in Rome" after "in 2007". */
export function mayTellOfNoun(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before !== undefined && !before.isCapitalised && !before.word.hasDigit;
}

/** Whether an adjective can be left out: "a well-known sexologist" is a sexologist. */
export function isModifier(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!before || !token || !next || token.isCapitalised || token.word.isStopWord || token.word.isAmount) return false;
  if (turns(token) || restricts(token) || token.word.verb.isAdverb) return false;
  if (!ARTICLES.has(before.word.text) || !FINITE_FORMS_OF_BE.has(textAt(tokens, at - 2))) return false;
  return token.before === SPACE && token.after === SPACE && !next.word.isStopWord && LIKE_ADJECTIVE.test(token.word.text);
}

/** Whether leaving out anything else would change what the word says. */
export const restricts = ({ word, isCapitalised }: Token): boolean =>
  !isCapitalised && (RESTRICTING.has(word.text) || tellsRank(word.text));

/** Whether it turns or narrows the sentence, so that it cannot be left out itself. */
export const turns = (token: Token): boolean =>
  !token.isCapitalised && (!isAffirming(token) || NARROWING.has(token.word.text) || RESTRICTING_CONJUNCTIONS.has(token.word.text));
