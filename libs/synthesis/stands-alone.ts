import { COMMA } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isRole } from './person-name';

/** Alone before a verb they stand for something that was named before: "Another was recorded". */
const COUNTING = new Set('another others one some most many several few none each all either neither two three four five'.split(' '));
const COMPARING = new Set('latter former other others same'.split(' '));
/** They are of something: "the number of turbines". */
const MEASURES = new Set(
  'number rate share percentage proportion amount level total average figure size price cost effect result difference increase decrease'.split(
    ' ',
  ),
);
const SUBORDINATORS = new Set('while when after before although though as since once because if until'.split(' '));
const POINTING = new Set(['this', 'these']);
const PERSONS = new Set(['he', 'she', 'his', 'her', 'him']);
const OBJECTS = new Set(['him', 'them', 'it']);
/** Before a clause of its own: "because it was cheap". */
const INTRODUCING = new Set(
  'that which when while where if because as since and but or so although though until before after than whether'.split(' '),
);

/** Whether a sentence can be understood without those before it, as one has to be that several reports share. English. */
export function standsAlone({ tokens }: Reading): boolean {
  return !lacksSubject(tokens) && !leansOnOthers(tokens) && !tokens.some((_, at) => pointsBack(tokens, at));
}

/** "Was released in 2015", "Drafted in 1967 by the team". */
function lacksSubject(tokens: readonly Token[]): boolean {
  const [first] = tokens;
  if (!first) return true;
  const { verb } = first.word;
  if (!first.isCapitalised && (verb.isFinite || verb.endsInEd)) return true;
  return verb.endsInEd && !tokens.some((_, at) => at > 0 && isFiniteVerbAt(tokens, at));
}

function leansOnOthers(tokens: readonly Token[]): boolean {
  const [first, second] = tokens;
  if (COUNTING.has(first?.word.text ?? '')) return isFiniteVerbAt(tokens, 1);
  if (first?.word.text !== 'the' || !second || second.isCapitalised || !isFiniteVerbAt(tokens, 2)) return false;
  return COMPARING.has(second.word.text) || MEASURES.has(second.word.text);
}

/** What it stands for is named in another sentence. */
function pointsBack(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || (token.isCapitalised && at > 0)) return false;
  const { text } = token.word;
  if (POINTING.has(text)) return true;
  if (OBJECTS.has(text) || (text === 'her' && isObject(tokens, at))) return isOfSameVerb(tokens, at);
  if (at === 0 || !PERSONS.has(text) || tokens.slice(0, at).some(mayBePerson)) return false;
  return !isNamedAfter(tokens, at);
}

/** "While he was a student, Ada Brandt won", "In his first term, Alito wrote". */
function isNamedAfter(tokens: readonly Token[], at: number): boolean {
  const comma = tokens.findIndex(({ before }, place) => place > at && (before & COMMA) !== 0);
  if (comma < 0 || !tokens[comma]?.isCapitalised) return false;
  return SUBORDINATORS.has(tokens[0]?.word.text ?? '') || !tokens.slice(0, comma).some((_, place) => isFiniteVerbAt(tokens, place));
}

const mayBePerson = ({ word, isCapitalised }: Token): boolean => (isCapitalised && !word.isStopWord) || isRole(word.text);

/** "Called her the best", but not "her plan". */
function isObject(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return !next || next.word.isStopWord || next.word.verb.isAdverb || (next.before & COMMA) !== 0;
}

/** The verb before it is that of the subject, for which it cannot stand then; what else was named before it can. */
function isOfSameVerb(tokens: readonly Token[], at: number): boolean {
  if (INTRODUCING.has(tokens[at - 1]?.word.text ?? '') || isFiniteVerbAt(tokens, at + 1)) return false;
  const verbs = tokens.flatMap((_, place) =>
    place > 0 && place < at && isFiniteVerbAt(tokens, place) && !isFiniteVerbAt(tokens, place - 1) ? [place] : [],
  );
  const [verb] = verbs;
  if (verb === undefined) return tokens[0]?.word.verb.endsInIng === true;
  if (verbs.length > 1) return false;
  return !tokens.slice(verb + 1, at).some(({ word, isCapitalised }) => !word.isStopWord && (isCapitalised || !word.verb.isPastForm));
}
