import { datesConflict } from '@lib/language/reading/dates';
import { FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import type { NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, tells, type Token } from '@lib/language/reading/token';
import { areAlike } from '../difference/same-word';
import { valuesOnlyIn } from '../difference/values';

/** Where a name stands beside a verb: before it, with what the verb is said of, or behind it and a preposition. */
interface Place {
  verb: Token;
  preposition: string;
  object: Token | undefined;
}

/**
 * Whether two sentences that tell one time have different names in one place: "moved to Edinburgh in 1948" and "moved to Manchester in 1948", "in
 * June 2016 Ulm Shops ended the partnership" and "June 2016: Kelm Shops ends the partnership".
 */
export function haveOthersInOnePlace(one: Reading, other: Reading, asked: Reading): boolean {
  if (!tellOneTime(one, other)) return false;
  const [mine, theirs] = [placesIn(one, other, asked), placesIn(other, one, asked)];
  return mine.some((place) => theirs.some((their) => isOnePlace(place, their)));
}

const tellOneTime = ({ dates: mine }: Reading, { dates: theirs }: Reading): boolean =>
  mine.some((date) => theirs.some((their) => !datesConflict(date, their)));

const placesIn = (own: Reading, other: Reading, asked: Reading): Place[] =>
  valuesOnlyIn(own, other)
    .names.filter(({ tokens }) => !tokens.some(({ word }) => asked.stems.has(word.stem)))
    .flatMap((name) => placeOf(own, name));

function placeOf({ tokens }: Reading, name: NameRun): Place[] {
  const [first, last] = [name.tokens[0], name.tokens.at(-1)];
  if (!first || !last) return [];
  const [from, to] = [tokens.indexOf(first), tokens.indexOf(last) + 1];
  const before = tokens[from - 1]?.word.text === 'the' ? from - 2 : from - 1;
  const [preposition, doing] = [tokens[before]?.word.text ?? '', tokens[before - 1]];
  if (PREPOSITIONS.has(preposition)) return isVerb(doing) ? [{ verb: doing, preposition, object: undefined }] : [];
  const verb = tokens[FORMS_OF_HAVE.has(tokens[to]?.word.text ?? '') ? to + 1 : to];
  const object = verb && tokens.slice(tokens.indexOf(verb) + 1).find(tells);
  return isVerb(verb) && object ? [{ verb, preposition: '', object }] : [];
}
const PREPOSITIONS = new Set('to at from by'.split(' '));
const isVerb = (token: Token | undefined): token is Token => isFiniteOrPast(token) && !token?.word.isStopWord && !token?.word.isLight;

const isOnePlace = (mine: Place, their: Place): boolean =>
  mine.preposition === their.preposition &&
  areAlike(mine.verb, their.verb) &&
  (mine.object === undefined || their.object === undefined || areAlike(mine.object, their.object));
