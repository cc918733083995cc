import { SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isNameWord, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAmong } from '../alignment/same-word';
import { isVerbAt } from './sides-of-verb';
import { PREPOSITIONS } from '../statement/whole-sentence';

/** Before "of" and a name, or after a name, these only say what the name stands for: "the city of Rome", "the Kelm company". */
const KINDS = new Set(
  `city town village municipality commune state province county region island kingdom republic country nation principality emirate company firm group band
corporation club team party river lake mountain planet moon ship movie film novel book song album series game app language religion house name`.split(
    /\s+/,
  ),
);

/** Before what something is at, in or for. */
const BESIDE = new Set(
  'in on at for from to through across over under near beside behind inside outside around along about against by with between among into'.split(
    ' ',
  ),
);

/**
 * Whether the outer statement is about a person or a part of what the inner one is about, or about something beside it: "the founder of Kelm", "the
 * Kelm metropolitan area", "the road across the bridge". Not if a comma, a bracket or a possessive stands in its subject.
 */
export const isOfItsHead = (inner: Reading, outer: Reading): boolean =>
  isPartOfNamed(inner.tokens, outer.tokens) || isBeside(inner.tokens, outer.tokens);

function isBeside(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const own = mine.slice(0, verbOf(mine)).filter(isContentWord);
  const theirSubject = theirs.slice(0, verbOf(theirs));
  const at = theirSubject.findIndex(({ word }) => BESIDE.has(word.text));
  if (at < 1 || own.length === 0 || theirSubject.some(({ after }) => (after & ~SPACE) !== 0)) return false;
  const head = theirSubject.slice(0, at).findLast(isContentWord);
  if (!head || KINDS.has(head.word.text) || isAmong(head, mine)) return false;
  return own.every((token) => isAmong(token, theirSubject.slice(at + 1)));
}

function isPartOfNamed(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const subject = mine.slice(0, verbOf(mine));
  if (!subject.some(isNameWord) || !subject.every((token) => isNameWord(token) || token.word.isStopWord)) return false;
  const theirSubject = theirs.slice(0, verbOf(theirs));
  const named = theirSubject.findIndex((token) => isNameWord(token) && isAmong(token, subject));
  if (named < 0 || theirSubject.some(({ word, after }) => word.text === 'and' || (after & ~SPACE) !== 0)) return false;
  const of = theirSubject.findLastIndex(({ word }, at) => at < named && word.text === 'of');
  if (PREPOSITIONS.has(theirs[0]?.word.text ?? '') || (of >= 0 && theirSubject.slice(of + 1, named).some(isContentWord))) return false;
  const head = of < 0 ? theirSubject.at(-1) : theirSubject.findLast((token, at) => at < of && isContentWord(token));
  return (
    head !== undefined && isContentWord(head) && !KINDS.has(head.word.text) && !isAmong(head, mine) && (of >= 0 || !head.isCapitalised)
  );
}

const verbOf = (tokens: readonly Token[]): number =>
  Math.max(
    0,
    tokens.findIndex((_, at) => isFiniteVerbAt(tokens, at) || isVerbAt(tokens, at)),
  );
