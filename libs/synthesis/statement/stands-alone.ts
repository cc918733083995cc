import { APPROXIMATING } from '@lib/language/reading/comparators';
import { PAST_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { PRONOUNS_OF_PERSONS, PRONOUNS_OF_THINGS, SUBORDINATORS } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isExpletive } from '../subject/expletive';
import { isRole } from '../subject/person-name';

/** Alone before a verb these refer to something named before: "Another was recorded". */
const COUNTING = new Set('another others one some most many several few none each all either neither two three four five'.split(' '));
/** Approximations before a number: "Over 200 are retired". */
const ESTIMATING = APPROXIMATING.union(new Set('approximately over more fewer less some'.split(' ')));
const PLACES = new Set('in at when during since'.split(' '));
const FEW = new Set('two three four pair'.split(' '));
const COMPARING = new Set('latter former other others same'.split(' '));
/** Nouns that need an "of": "the number of turbines". */
const MEASURES = new Set(
  'number majority minority rest remainder rate share percentage proportion amount level total average figure size price cost effect result difference comparison increase decrease'.split(
    ' ',
  ),
);
/** These compare with things named before: "similar bills". */
const LIKE_OTHERS = new Set('similar another other'.split(' '));
const PLACING = new Set('in at on near within among between'.split(' '));
/** Most words of a connective such as "as a result". */
const MAX_CONNECTIVE_WORDS = 3;
const INTRODUCING_CLAUSES = SUBORDINATORS.difference(new Set(['unless', 'whereas']));
const DEMONSTRATIVES = new Set(['this', 'these']);
const PRONOUNS_AND_HIM = PRONOUNS_OF_PERSONS.union(new Set(['him']));
/** Words in introductions that name nothing: "As a result, …", "In addition, …", "In May …". */
const IN_PASSING = new Set(
  `instead today now then thus hence therefore consequently meanwhile moreover nevertheless result results addition time first contrast comparison fact
january february march april may june july august september october november december`.split(/\s+/),
);
const SUBJECTS = new Set(['he', 'she']);
/** With a name, these introduce a time or place: "After World War II he opened a school". */
const BEFORE_TIME = new Set('in at on after before since during throughout following under until'.split(' '));
const OBJECTS = new Set(['him', 'them', 'it']);
/** All words that may refer to another sentence, for a quick check: most words are not among them. */
const MAY_POINT_BACK = new Set(['there', 'the', ...DEMONSTRATIVES, ...PRONOUNS_AND_HIM, ...PRONOUNS_OF_THINGS, ...OBJECTS]);
/** Words before a clause of its own: "because it was cheap". */
const INTRODUCING = new Set(
  'that which when while where if because as since and but or so although though until before after than whether'.split(' '),
);

/** Times relative to something in another sentence. */
export const RELATIVE_TIME =
  /\b(?:later|earlier|afterwards?|thereafter|soon|then|meanwhile|by then|at the time|(?:the (?:same|following|next|previous)|that) (?:day|night|week|month|spring|summer|autumn|winter|season|year|decade)|the (?:day|night|week|month|year) (?:before|after))\b/i;

/** Whether a sentence can be understood without those before it, as a sentence shared by several reports must be. English. */
export function standsAlone({ tokens, names }: Reading): boolean {
  const said = withoutConnective(tokens);
  if (lacksSubject(tokens) || leansOnOthers(said) || tokens.some((_, at) => pointsBack(tokens, at))) return false;
  return names.length > 0 || !isNowhere(said);
}

/** The words after a connective such as "However, …" or "As a result, …", which does not affect whether the rest can be understood. */
function withoutConnective(tokens: readonly Token[]): readonly Token[] {
  const comma = tokens.findIndex((token, at) => at > 0 && hasCommaBefore(token));
  return comma > 0 && comma <= MAX_CONNECTIVE_WORDS && !hasNounBefore(tokens, comma) && !tokens[0]?.word.verb.endsInEd
    ? tokens.slice(comma)
    : tokens;
}

/** Whether the place is missing: "There were 1,461 pupils". */
function isNowhere(tokens: readonly Token[]): boolean {
  const there = tokens.findIndex(({ word }) => word.text === 'there');
  if (there < 0 || !PAST_FORMS_OF_BE.has(textAt(tokens, there + 1))) return false;
  return !tokens.some(({ word }, at) => PLACING.has(word.text) && at > there);
}

/** Whether there is no subject: "Was released in 2015", "Drafted in 1967 by the team". */
function lacksSubject(tokens: readonly Token[]): boolean {
  const [first] = tokens;
  if (!first) return true;
  const { verb } = first.word;
  if (!first.isCapitalised && (verb.isFinite || verb.endsInEd)) return true;
  return verb.endsInEd && !tokens.some((_, at) => at > 0 && isFiniteVerbAt(tokens, at));
}

function leansOnOthers(tokens: readonly Token[]): boolean {
  const [first, second] = tokens;
  if (LIKE_OTHERS.has(first?.word.text ?? '') && second?.word.text !== 'to' && !tokens.some(isNameWithin)) return true;
  if (COUNTING.has(first?.word.text ?? '')) return isFiniteVerbAt(tokens, 1);
  if (ESTIMATING.has(first?.word.text ?? '') && (tokens[1]?.word.hasDigit || tokens[2]?.word.hasDigit))
    return isFiniteVerbAt(tokens, tokens[1]?.word.hasDigit ? 2 : 3) && !tokens.some((_, at) => placesInName(tokens, at));
  if (first?.word.text !== 'the' || !second || second.isCapitalised || !isFiniteVerbAt(tokens, 2)) return false;
  return COMPARING.has(second.word.text) || MEASURES.has(second.word.text);
}

/** Whether a word refers to something in another sentence. */
function pointsBack(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || (token.isCapitalised && at > 0)) return false;
  const { text } = token.word;
  if (!MAY_POINT_BACK.has(text)) return false;
  if (text === 'there' && at === tokens.length - 1) return !tokens.some(isNameWithin);
  if (text === 'the' && FEW.has(textAt(tokens, at + 1)) && isFiniteVerbAt(tokens, at + 2))
    return !tokens.slice(0, at).some(({ word }) => word.text === 'and') && namesBefore(tokens, at) < 2;
  if (DEMONSTRATIVES.has(text)) return !pointsWithin(tokens, at);
  if (at > 0 && PRONOUNS_OF_THINGS.has(text) && (!hasNounBefore(tokens, at) || isIntroduced(tokens, at) || isLater(tokens, at)))
    return !isExpletive(tokens, at);
  if (OBJECTS.has(text) || (text === 'her' && isObject(tokens, at))) return isOfSameVerb(tokens, at);
  if (at === 0 || !PRONOUNS_AND_HIM.has(text)) return false;
  return ((SUBJECTS.has(text) && isLater(tokens, at)) || !tokens.slice(0, at).some(mayBePerson)) && !isNamedAfter(tokens, at);
}

/** Whether a name tells the event: "About 45 died in the Orsk flood". */
const placesInName = (tokens: readonly Token[], at: number): boolean =>
  PLACES.has(textAt(tokens, at)) && tokens.slice(at + 1, at + 3).some(({ isCapitalised }) => isCapitalised);

/** The number of names before an index; "Karl Weil" counts once. */
const namesBefore = (tokens: readonly Token[], end: number): number =>
  tokens.filter((token, at) => at < end && isNameWord(token) && !isNameWord(tokens[at - 1])).length;

/** Whether a word refers to the previous clause: "Norland passed the Act in 2019, and this was the first …". */
const pointsWithin = (tokens: readonly Token[], at: number): boolean =>
  INTRODUCING.has(textAt(tokens, at - 1)) && isFiniteVerbAt(tokens, at + 1) && hasNounBefore(tokens, at);

/** Whether only a time or place precedes the pronoun: "After World War II he", "After the war it". */
const isLater = (tokens: readonly Token[], at: number): boolean =>
  BEFORE_TIME.has(textAt(tokens, 0)) &&
  !hasVerbBefore(tokens, at) &&
  (SUBJECTS.has(textAt(tokens, at)) || (isFiniteVerbAt(tokens, at + 1) && !tokens.slice(1, at + 1).some(hasCommaBefore)));

const isNameWithin = ({ isCapitalised }: Token, at: number): boolean => isCapitalised && at > 0;

/** Whether a noun precedes that the pronoun may refer to, unlike in "Instead, it …", "In May 2010 they …" and "It is known that it …". */
function hasNounBefore(tokens: readonly Token[], at: number): boolean {
  const from = isExpletive(tokens, 0) ? tokens.findIndex(({ word }) => word.text === 'that') : 0;
  return tokens
    .slice(Math.max(0, from), Math.max(0, at))
    .some(({ word }) => !(word.isStopWord || word.hasDigit || word.verb.isAdverb || IN_PASSING.has(word.text)));
}

/** Whether the introduction describes the pronoun's own referent: "Located in Port Vila, it …". */
const isIntroduced = (tokens: readonly Token[], at: number): boolean =>
  hasCommaBefore(tokens[at]) && !hasVerbBefore(tokens, at) && isFiniteVerbAt(tokens, at + 1);

const hasVerbBefore = (tokens: readonly Token[], at: number): boolean =>
  tokens.some((_, place) => place < at && isFiniteVerbAt(tokens, place));

/** Whether the referent follows the introduction: "While he was a student, Ada Brandt won", "In his first term, Alito wrote". */
function isNamedAfter(tokens: readonly Token[], at: number): boolean {
  const comma = tokens.findIndex((token, place) => place > at && hasCommaBefore(token));
  if (comma < 0 || !tokens[comma]?.isCapitalised) return false;
  return INTRODUCING_CLAUSES.has(textAt(tokens, 0)) || !tokens.slice(0, comma).some((_, place) => isFiniteVerbAt(tokens, place));
}

const mayBePerson = (token: Token): boolean => isNameWord(token) || isRole(token.word.text);

/** Whether a pronoun is an object, as in "called her the best" but not in "her plan". */
function isObject(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return !next || next.word.isStopWord || next.word.verb.isAdverb || hasCommaBefore(next);
}

/**
 * Whether a pronoun is the object of the subject's own verb, so that it cannot refer to the subject, and nothing else precedes that it could refer
 * to.
 */
function isOfSameVerb(tokens: readonly Token[], at: number): boolean {
  if (INTRODUCING.has(textAt(tokens, at - 1)) || isFiniteVerbAt(tokens, at + 1)) return false;
  const verbs = tokens.flatMap((_, place) =>
    place > 0 && place < at && isFiniteVerbAt(tokens, place) && !isFiniteVerbAt(tokens, place - 1) ? [place] : [],
  );
  const [verb] = verbs;
  // The verb may look like a noun: "Spiders leave it".
  if (verb === undefined) return tokens[0]?.word.verb.endsInIng === true || tokens.slice(1, at).every(({ word }) => !word.isStopWord);
  if (verbs.length > 1) return false;
  return !tokens
    .slice(verb + 1, at)
    .some(({ word, isCapitalised }) => !word.isStopWord && !word.isAmount && (isCapitalised || !word.verb.isPastForm));
}
