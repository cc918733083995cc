import { datesConflict } from '@lib/language/reading/dates';
import { FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import type { NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { INSTITUTIONS, OPTIONAL_IN_NAMES } from '../comparison/institutions';
import { areAlike, countSharedContentWords } from '../alignment/same-word';
import { valuesOnlyIn } from '../difference/values';

/** The place of a name beside a verb: before it, with the verb's object, or after it and a preposition. */
interface Place {
  verb: Token;
  preposition: string;
  object: Token | undefined;
}

/** A sentence with the names that are neither in the other one nor in the question. */
export interface WithNames {
  reading: Reading;
  own: readonly NameRun[];
}

/** The names that only one of them has: who bought it, where it was built. */
export function ownNames(one: Reading, other: Reading, asked: Reading): [WithNames, WithNames] {
  const isOwn = ({ tokens }: NameRun): boolean => !tokens.some(({ word }) => asked.stems.has(word.stem));
  return [
    { reading: one, own: valuesOnlyIn(one, other).names.filter(isOwn) },
    { reading: other, own: valuesOnlyIn(other, one).names.filter(isOwn) },
  ];
}

/**
 * Whether two sentences with the same time have different names at the same place: "moved to Edinburgh in 1948" and "moved to Manchester in 1948",
 * "in June 2016 Ulm Shops ended the partnership" and "June 2016: Kelm Shops ends the partnership".
 */
export function haveOthersInOnePlace(one: WithNames, other: WithNames, asked: Reading): boolean {
  const [names, others] = [one.own, other.own];
  const isOneTime = tellOneTime(one.reading, other.reading);
  if (
    areOfOneKind(names, others) &&
    countSharedContentWords(one.reading, other.reading, asked) >= (isOneTime ? MIN_SHARED : MIN_SURELY_SHARED)
  )
    return true;
  if (areIdentifiersInOnePlace(one, other, asked)) return true;
  if (!isOneTime) return false;
  // For two persons, different names afterwards are to be expected.
  const [[name], [their]] = [names, others];
  if (!name || !their || !areNamesOfTwo(name, their)) return false;
  const [place, itsPlace] = [placeOf(one.reading, name), placeOf(other.reading, their)];
  return place !== null && itsPlace !== null && isOnePlace(place, itsPlace);
}

/** Whether each has exactly one name of its own, both of the same kind: "the Ulm Foundation" and "the Kelm Foundation". */
function areOfOneKind(names: readonly NameRun[], others: readonly NameRun[]): boolean {
  const [[name], [other]] = [names, others];
  if (!name || !other || names.length > 1 || others.length > 1) return false;
  return !INSTITUTIONS.intersection(name.parts).isDisjointFrom(other.parts) && areNamesOfTwo(name, other);
}

/** Whether each has one identifier of its own behind the same word: "signed with HMAC-SHA256" and "signed with HMAC-SHA512". */
function areIdentifiersInOnePlace(one: WithNames, other: WithNames, asked: Reading): boolean {
  const [mine, theirs] = [wordBeforeIdentifier(one), wordBeforeIdentifier(other)];
  if (mine === undefined || theirs === undefined || mine.word.stem !== theirs.word.stem) return false;
  return countSharedContentWords(one.reading, other.reading, asked) >= MIN_SHARED_WITH_IDENTIFIER;
}
const MIN_SHARED_WITH_IDENTIFIER = 3;

function wordBeforeIdentifier({ own: [name, ...others], reading: { tokens } }: WithNames): Token | undefined {
  const [token, second] = name?.tokens ?? [];
  return token?.word.isIdentifier && !second && others.length === 0 ? tokens[tokens.indexOf(token) - 1] : undefined;
}

/** Whether the distinguishing parts of two names, without words for kind and country, exist and differ. */
function areNamesOfTwo(name: NameRun, other: NameRun): boolean {
  const [mine, theirs] = [name.parts, other.parts].map((parts) => parts.difference(INSTITUTIONS).difference(OPTIONAL_IN_NAMES));
  return mine !== undefined && theirs !== undefined && mine.size > 0 && theirs.size > 0 && mine.isDisjointFrom(theirs);
}
const MIN_SHARED = 4;
/** Two studies or firms may do the same thing at different times. */
const MIN_SURELY_SHARED = 6;

const tellOneTime = ({ dates: mine }: Reading, { dates: theirs }: Reading): boolean =>
  mine.some((date) => theirs.some((their) => !datesConflict(date, their)));

function placeOf({ tokens }: Reading, name: NameRun): Place | null {
  const [first, last] = [name.tokens[0], name.tokens.at(-1)];
  if (!first || !last) return null;
  const [from, to] = [tokens.indexOf(first), tokens.indexOf(last) + 1];
  const before = tokens[from - 1]?.word.text === 'the' ? from - 2 : from - 1;
  const [preposition, doing] = [textAt(tokens, before), tokens[before - 1]];
  if (BEFORE_NAME.has(preposition)) {
    if (isVerb(doing)) return { verb: doing, preposition, object: undefined };
    const verb = tokens[before - 2];
    return doing && isVerb(verb) && isContentWord(doing) ? { verb, preposition, object: doing } : null;
  }
  const verb = tokens[FORMS_OF_HAVE.has(textAt(tokens, to)) ? to + 1 : to];
  const object = verb && tokens.slice(tokens.indexOf(verb) + 1).find(isContentWord);
  return isVerb(verb) && object ? { verb, preposition: '', object } : null;
}
const BEFORE_NAME = new Set('to at from by with'.split(' '));
const isVerb = (token: Token | undefined): token is Token => isFiniteOrPast(token) && !token?.word.isStopWord && !token?.word.isLight;

const isOnePlace = (mine: Place, their: Place): boolean =>
  mine.preposition === their.preposition &&
  areAlike(mine.verb, their.verb) &&
  (mine.object === undefined || their.object === undefined || areAlike(mine.object, their.object));
