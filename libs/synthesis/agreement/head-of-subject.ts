import { SPACE } from '@lib/language/reading/characters';
import { PREPOSITIONS } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAmong } from '../alignment/same-word';
import { isVerbAt } from '../roles/verb-and-object';

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
export function isOfItsHead({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  const [subject, theirSubject] = [mine.slice(0, verbOf(mine)), theirs.slice(0, verbOf(theirs))];
  return [headOfNamed(subject, theirSubject), headBeside(subject, theirSubject)].some(
    (head) => head !== undefined && isContentWord(head) && !KINDS.has(head.word.text) && !isAmong(head, mine),
  );
}

/** What is beside all that the inner subject names: "road" in "the road across the bridge". */
function headBeside(subject: readonly Token[], theirs: readonly Token[]): Token | undefined {
  const at = theirs.findIndex(({ word }) => BESIDE.has(word.text));
  if (at < 1 || theirs.some(({ after }) => (after & ~SPACE) !== 0)) return undefined;
  const own = subject.filter(isContentWord);
  const isBehind = own.length > 0 && own.every((token) => isAmong(token, theirs.slice(at + 1)));
  return isBehind ? theirs.slice(0, at).findLast(isContentWord) : undefined;
}

/** What belongs to the thing that the inner subject names: "founder" in "the founder of Kelm", "area" in "the Kelm metropolitan area". */
function headOfNamed(subject: readonly Token[], theirs: readonly Token[]): Token | undefined {
  if (!subject.some(isNameWord) || !subject.every((token) => isNameWord(token) || token.word.isStopWord)) return undefined;
  const named = theirs.findIndex((token) => isNameWord(token) && isAmong(token, subject));
  if (named < 0 || theirs.some(({ word, after }) => word.text === 'and' || (after & ~SPACE) !== 0)) return undefined;
  const of = theirs.findLastIndex(({ word }, at) => at < named && word.text === 'of');
  if (PREPOSITIONS.has(textAt(theirs, 0)) || (of >= 0 && theirs.slice(of + 1, named).some(isContentWord))) return undefined;
  if (of >= 0) return theirs.findLast((token, at) => at < of && isContentWord(token));
  const last = theirs.at(-1);
  return last?.isCapitalised ? undefined : last;
}

const verbOf = (tokens: readonly Token[]): number =>
  Math.max(
    0,
    tokens.findIndex((_, at) => isFiniteVerbAt(tokens, at) || isVerbAt(tokens, at)),
  );
