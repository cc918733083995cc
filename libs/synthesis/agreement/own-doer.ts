import { CLAUSE_CONJUNCTIONS_AND_SO, FORMS_OF_HAVE, SUBJECT_PRONOUNS } from '@lib/language/reading/function-words';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { ARTICLES } from '@lib/language/reading/articles';
import { COMMA, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { FEMALE_KIN, MALE_KIN } from '@lib/language/reading/kin';
import { isNameWord, isPastVerb, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isBehindBe } from '@lib/language/reading/verbs';
import { isAmong, placesOf } from '../alignment/same-word';
import { isPossessive } from '../roles/owners';

const THINGS = new Set(['which', 'that']);
/** Persons described by their relation to somebody else: "her brother", "the son of Ivo Brand". */
const KIN_AND_COMPANIONS = MALE_KIN.union(FEMALE_KIN).union(
  new Set('brothers sisters sons daughters parents cousin cousins partner friend colleague'.split(' ')),
);
const PERSONAL = new Set('he she him her they them it'.split(' '));
/** Words that may stand between a verb and its subject. */
const BETWEEN = FORMS_OF_HAVE.union(new Set(['also', 'later', 'then', 'once', 'first']));

/**
 * Whether what `mine` says of a name, `theirs` says only of something that belongs to that name, or names it as the agent: "Ada's rival was elected",
 * "raised by Ada, Ivo became a doctor".
 */
export function isSaidOfItsOwn(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  const subject = mine.slice(0, subjectEnd);
  const head = subject.at(-1);
  if (!head || !subject.every(isNameWord) || isPossessive(head) || mine[subjectEnd + 1]?.word.text === 'by') return false;
  // A pronoun may refer to the owner: "Ada's books sold well, making her famous".
  if (theirs.some(({ word }) => PERSONAL.has(word.text))) return false;
  const places = placesOf(head, theirs);
  const isPassive = FORMS_OF_BE.has(textAt(mine, subjectEnd));
  return places.length > 0 && places.every((place) => isOwner(theirs, place) || (isPassive && isAgent(theirs, place)));
}

/** Whether the verb belongs to a later clause with another subject: "metformin lowers it, but insulin raises weight" says it of insulin only. */
export function isOfNextSubject(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  const verb = mine[subjectEnd];
  if (!verb || verb.word.isStopWord) return false;
  const places = placesOf(verb, theirs);
  return places.length > 0 && places.every((place) => hasSubjectWithout(theirs, place, mine.slice(0, subjectEnd)));
}

function hasSubjectWithout(tokens: readonly Token[], verb: number, subject: readonly Token[]): boolean {
  for (let at = verb - 1; at >= Math.max(1, verb - MAX_SUBJECT_WORDS); at -= 1) {
    const token = tokens[at];
    if (!token || isAmong(token, subject) || SUBJECT_PRONOUNS.has(token.word.text)) return false;
    if (CLAUSE_CONJUNCTIONS_AND_SO.has(token.word.text)) return at < verb - 1 && token.before === (COMMA | SPACE);
    if ((token.before & SEMICOLON) !== 0) return true;
    if (hasCommaBefore(token)) return false;
  }
  return false;
}

/**
 * Whether `theirs` says it only of a pronoun that may mean several things: "The state bought the bank although it was insolvent" says it of neither.
 */
export function isSaidOfSomething(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[], theirEnd: number): boolean {
  const said = mine.find(({ word }, at) => at >= subjectEnd && !word.isStopWord && !word.verb.isAdverb);
  const places = said ? placesOf(said, theirs) : [];
  return places.length > 0 && places.every((place) => isBehindPronoun(theirs, theirEnd, place));
}

function isBehindPronoun(tokens: readonly Token[], subjectEnd: number, said: number): boolean {
  let at = said - 1;
  while (at > 1 && (tokens[at]?.word.isStopWord || tokens[at]?.word.verb.isAdverb) && !THINGS_SPOKEN_OF.has(textAt(tokens, at))) at -= 1;
  if (at < 2 || !THINGS_SPOKEN_OF.has(textAt(tokens, at)) || !SUBORDINATING.has(textAt(tokens, at - 1))) return false;
  // "Kelm is popular because it is fast" mentions only one thing, so the pronoun is clear.
  return tokens.slice(subjectEnd, at).some((token, place, all) => isNameWord(token) || all[place - 1]?.word.verb.isDeterminer);
}

const THINGS_SPOKEN_OF = new Set(['it', 'they']);
const SUBORDINATING = new Set('although though because that since as if when while'.split(' '));

const MAX_SUBJECT_WORDS = 5;

/** Whether a name is the owner of a common noun: "Ada’s" in "Ada’s rival, Ivo, was". */
function isOwner(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token !== undefined && next?.isCapitalised === false && !next.word.isStopWord && isPossessive(token);
}

/** Whether a name follows "by": "raised by Ada Lund", with only the rest of the name between. */
function isAgent(tokens: readonly Token[], at: number): boolean {
  let begin = at;
  while (isNameWord(tokens[begin - 1]) && tokens[begin]?.before === SPACE) begin -= 1;
  return tokens[begin - 1]?.word.text === 'by';
}

/** Whether `theirs` says of somebody else what `mine` says somebody did or was: "her brother founded it", "the play, which Bea directed". */
export const hasOwnDoer = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (at === 0 || !isPastVerb(verb) || isBehindBe(mine, at)) return false;
    const places = placesOf(verb, theirs);
    return places.length > 0 && places.every((place) => isOther(mine, at, theirs, place));
  });

function isOther(mine: readonly Token[], verb: number, theirs: readonly Token[], place: number): boolean {
  const doer = doerBefore(theirs, place);
  const name = theirs[doer];
  if (isUnknown(theirs, doer)) return isNameWord(mine[doerBefore(mine, verb)]);
  const kin = kinAt(theirs, doer);
  const own = kinAt(mine, doerBefore(mine, verb));
  if (name && (kin || own)) return kin ? !isAmong(kin, mine.slice(0, verb)) : isNameWord(name);
  // "Ada joined the Sund, which disbanded": the antecedent of "which", not the subject before it, is what disbanded.
  return isNameWord(name) && !isAmong(name, THINGS.has(textAt(theirs, doer + 1)) ? mine.slice(0, verb) : mine);
}

/** A pronoun in a later clause that was not resolved to a name: "Ivo became her teacher, and she won". */
const isUnknown = (tokens: readonly Token[], at: number): boolean =>
  SUBJECT_PRONOUNS.has(textAt(tokens, at)) &&
  (CLAUSE_CONJUNCTIONS_AND_SO.has(textAt(tokens, at - 1)) || ((tokens[at]?.before ?? 0) & SEMICOLON) !== 0);

/** Index of the last word of the subject of a verb, or of a noun that says what somebody was; -1 if it does not stand before it. */
function doerBefore(tokens: readonly Token[], verb: number): number {
  let at = verb;
  while (ARTICLES.has(textAt(tokens, at - 1))) at -= 1;
  const isSaidToBe = at < verb && isBehindBe(tokens, at);
  if (isSaidToBe) at -= 1;
  while (!hasCommaBefore(tokens[at]) && BETWEEN.has(textAt(tokens, at - 1))) at -= 1;
  if (hasCommaBefore(tokens[at])) return tokens.findLastIndex((token, place) => place < at && hasCommaBefore(token)) - 1;
  return THINGS.has(textAt(tokens, at - 1)) ? at - 2 : at - 1;
}

/**
 * The kinship word of a phrase that ends at `end`: "brother" in "her brother", "Roth’s brother Karl" and "the brother of Ada Roth", but not in "Ada
 * and her brother Karl".
 */
function kinAt(tokens: readonly Token[], end: number): Token | undefined {
  let at = end;
  while (isNameWord(tokens[at]) && !hasCommaBefore(tokens[at])) at -= 1;
  const word = tokens[at];
  if (at < end && word?.word.text === 'of') return isKin(tokens[at - 1]) ? tokens[at - 1] : undefined;
  return isKin(word) && tokens[at - 2]?.word.text !== 'and' ? word : undefined;
}

const isKin = (token: Token | undefined): boolean => token !== undefined && KIN_AND_COMPANIONS.has(token.word.text);

/** "Kelm owned the rig" is not said by "Kelm, the operator, …; Ulm, the rig's owner, …". */
export function isDoneByWhoIsSetOff(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  const subject = mine.slice(0, subjectEnd);
  if (!subject.some(isNameWord)) return false;
  const doers = theirs.flatMap((noun, at) => (mine.some((verb, place) => place >= subjectEnd && isDoerOf(verb, noun)) ? [at] : []));
  return (
    doers.length > 0 &&
    doers.every((at) => {
      const comma = theirs.findLastIndex((token, place) => place <= at && hasCommaBefore(token));
      const named = comma < at - MAX_SET_OFF_WORDS ? undefined : theirs[comma - 1];
      return named !== undefined && isNameWord(named) && !isAmong(named, subject);
    })
  );
}
/** Whether a noun names the doer of a verb: "owner" for "owned". */
const isDoerOf = ({ word: { verb, text } }: Token, { word: noun }: Token): boolean =>
  verb.isPastForm && text.length > 4 && DOER.test(noun.text) && noun.text.startsWith(text.replace(/e?d$/, ''));
const DOER = /[eo]rs?$/;
/** Most words between the comma and the doer: "the rig's owner". */
const MAX_SET_OFF_WORDS = 4;
