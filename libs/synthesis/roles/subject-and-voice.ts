import { SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isNameWord, isPastVerb, isTelling, type Token } from '@lib/language/reading/token';
import { isBehindBe, isPassive } from '@lib/language/reading/verbs';
import { withRelations } from '../difference/content-words';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { ALIKE_FOR_BOTH } from './roles-of-words';
import { objectAfter } from './verb-and-object';

/**
 * Whether one verb has another subject in the same voice, or the same subject in the other voice: "The club sued the bank" is not "the bank sued the club",
 * and "Ada was succeeded by Bea" is not "Ada succeeded Bea".
 */
export function exchangesSubjectOrVoice({ tokens: mine, subjectEnd }: Reading, { tokens: theirs, subjectEnd: theirEnd }: Reading): boolean {
  const [mySubject, theirSubject] = [mine.slice(0, subjectEnd).filter(isTelling), theirs.slice(0, theirEnd).filter(isTelling)];
  if (mySubject.length === 0 || theirSubject.length === 0) return false;
  const [verbAt, theirVerbAt] = [firstContentWord(mine, subjectEnd), firstContentWord(theirs, theirEnd)];
  const [verb, theirVerb] = [mine[verbAt], theirs[theirVerbAt]];
  const isSameVerb = verb !== undefined && theirVerb !== undefined && isPastVerb(verb) && areAlike(verb, theirVerb);
  const inPassive = isBehindBe(mine, verbAt);
  const isOtherwise = inPassive !== isBehindBe(theirs, theirVerbAt);
  if (mySubject.every((token) => isAmong(token, theirSubject))) {
    const hasObject = beginsObject(inPassive ? theirs[theirVerbAt + 1] : mine[verbAt + 1]);
    return (isSameVerb && isOtherwise && hasObject) || doesWhatIsDone(mine, theirs) || doesWhatIsDone(theirs, mine);
  }
  const own = mySubject.filter((token) => !isAmong(token, theirSubject));
  const theirOwn = theirSubject.filter((token) => !isAmong(token, mySubject));
  if (own.length === 0 || theirOwn.length === 0 || !isSameVerb || isOtherwise || namesDoer(mine) !== namesDoer(theirs)) return false;
  const [rest, theirRest] = [mine.slice(subjectEnd), theirs.slice(theirEnd)];
  return own.every((token) => isAmong(token, theirRest)) && theirOwn.every((token) => isAmong(token, rest));
}

/** Whether a verb takes an object, as in "killed 40 men" but not in "opened in Kelm". Then passive and active have opposite meanings. */
const beginsObject = (token: Token | undefined): boolean =>
  token?.before === SPACE && (isNameWord(token) || token.word.verb.isDeterminer || token.word.isAmount);

const firstContentWord = (tokens: readonly Token[], from: number): number =>
  tokens.findIndex((token, at) => at >= from && isTelling(token));

/** Whether one statement is in the passive, or names its agent with "by", and the other does not. */
export const isOtherVoice = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  namesDoer(mine) !== namesDoer(theirs) || hasPassive(mine) !== hasPassive(theirs);

const hasPassive = (tokens: readonly Token[]): boolean => tokens.some((token, at) => isPastVerb(token) && isBehindBe(tokens, at));

/** Whether "by" may name who did it. */
export const namesDoer = (tokens: readonly Token[]): boolean => tokens.some(({ word }) => word.text === 'by');

/** Whether a name after "by" in `mine` is the object of a verb in `theirs`. */
const doesWhatIsDone = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  withRelations(mine).some(({ at, relation }) => {
    const doer = mine[at];
    if (relation !== 'by' || !doer || !isNameWord(doer)) return false;
    return placesOf(doer, theirs).some((place) => isPastVerb(theirs.findLast((token, before) => before < place && !isNameWord(token))));
  });

/**
 * Whether the subject does in `theirs` what is done to it in `mine`: "Ulm were beaten" is not said by "Ulm beat Kelm". But who "is married" has married.
 */
export const isDoneNotSuffered = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isPastVerb(verb) || ALIKE_FOR_BOTH.has(verb.word.text) || !isBehindBe(mine, at) || mine[at + 1]?.word.text === 'by') return false;
    const subject = mine.slice(0, at).filter(isContentWord);
    const places = placesOf(verb, theirs);
    return places.length > 0 && places.every((place) => isDoneBy(subject, theirs, place));
  });

/** Whether the verb at `place` follows the subject and has another object. */
function isDoneBy(subject: readonly Token[], tokens: readonly Token[], place: number): boolean {
  const { preposition, words } = objectAfter(tokens, place);
  if (isPassive(tokens, place) || preposition !== null || words.length === 0 || isAmong(words[0], subject)) return false;
  return (
    tokens[place]?.before === SPACE &&
    isAmong(
      tokens.findLast((token, at) => at < place && isContentWord(token)),
      subject,
    )
  );
}
