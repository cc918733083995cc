import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { INDEFINITE_ARTICLES } from '@lib/language/reading/articles';
import type { Reading } from '@lib/language/reading/reading';
import { isNameWord, isPastVerb, isTelling, textAt, type Token } from '@lib/language/reading/token';
import { areAlike, placesOf } from '../alignment/same-word';
import { changeItemsPlaces } from './listed-items';
import { isInLongerName } from './longer-name';
import { movesWords } from './moved-words';
import { isComparedOtherwise } from './compared-with';
import { isOfAnotherCondition } from './another-condition';
import { isSaidOfOtherSubject } from './gapped-subject';
import { hasOwnDoer, isDoneByWhoIsSetOff, isOfNextSubject, isSaidOfItsOwn, isSaidOfSomething } from './own-doer';
import { exchangesOwners } from '../roles/owners';
import { exchangesSubjectOrVoice, isOtherVoice } from '../roles/subject-and-voice';

/** Most words from a number or an article to its noun: "two young sons". */
const MAX_WORDS_TO_NOUN = 3;

/**
 * Whether `theirs` contains the words of `mine` but says them of something else. Then the action or number belongs to another verb, to another
 * subject, to another word before it, or to a longer name. English.
 */
export function isSaidOfAnother(one: Reading, other: Reading): boolean {
  const [{ tokens: mine, subjectEnd }, { tokens: theirs, subjectEnd: theirEnd }] = [one, other];
  return (
    hasOwnDoer(mine, theirs) ||
    isSaidOfItsOwn(mine, subjectEnd, theirs) ||
    isOfNextSubject(mine, subjectEnd, theirs) ||
    isSaidOfSomething(mine, subjectEnd, theirs, theirEnd) ||
    isOfWhatItIs(mine, subjectEnd, theirs) ||
    isDoneByWhoIsSetOff(mine, subjectEnd, theirs) ||
    exchangesOwners(mine, theirs) ||
    isUnderAnotherVerb(mine, subjectEnd, theirs) ||
    isInLongerName(mine, theirs) ||
    (!isOtherVoice(mine, theirs) && exchangesFellows(mine, theirs)) ||
    hasOtherFellow(mine, theirs) ||
    countsOthers(mine, theirs) ||
    exchangesSubjectOrVoice(one, other) ||
    isSaidOfOtherSubject(one, other) ||
    isOfAnotherCondition(one, other) ||
    isNamedOnly(mine, subjectEnd, theirs) ||
    isComparedOtherwise(one, other) ||
    movesWords(one, other)
  );
}

/** "Ada was a doctor" is not said by "Ada, the daughter of a doctor". */
function isOfWhatItIs(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  if (!FORMS_OF_BE.has(textAt(mine, subjectEnd)) || !INDEFINITE_ARTICLES.has(textAt(mine, subjectEnd + 1))) return false;
  const end = mine.findIndex(({ word }, at) => at > subjectEnd + 1 && word.isStopWord);
  const noun = mine[(end < 0 ? mine.length : end) - 1];
  if (!noun || noun.isCapitalised) return false;
  const places = placesOf(noun, theirs);
  return places.length > 0 && places.every((place) => isBehindOf(theirs, place));
}

/** Whether a noun follows "of": "of a country doctor". */
function isBehindOf(tokens: readonly Token[], noun: number): boolean {
  let at = noun - 1;
  while (at > noun - MAX_WORDS_TO_NOUN && tokens[at] && !tokens[at]?.word.isStopWord) at -= 1;
  if (INDEFINITE_ARTICLES.has(textAt(tokens, at)) || tokens[at]?.word.text === 'the') at -= 1;
  return tokens[at]?.word.text === 'of';
}

/** "It has fallen by more than half" is not said by "half of the fall": there it is only a noun, and something else is said of it. */
function isNamedOnly(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  const verb = mine.find(({ word, isCapitalised }, at) => at >= subjectEnd && !isCapitalised && !word.isStopWord && !word.verb.isAdverb);
  const places = verb ? placesOf(verb, theirs) : [];
  return places.length > 0 && places.every((place) => textAt(theirs, place - 1) === 'the' && textAt(theirs, place - 2) === 'of');
}

/** "Ada directed Sund" is not "Ada directed Kelm and produced Sund". */
function isUnderAnotherVerb(mine: readonly Token[], subjectEnd: number, theirs: readonly Token[]): boolean {
  const from = mine.findIndex((token, at) => at >= subjectEnd && isPastVerb(token));
  const verb = mine[from];
  if (
    !verb ||
    mine.some((token, at) => at > from && isPastVerb(token)) ||
    !theirs.some((token) => isPastVerb(token) && areAlike(token, verb))
  )
    return false;
  return mine.some((item, at) => {
    const isObject = at === from + 1 && isTelling(item);
    if (at <= from || !(isObject || isNameWord(item) || item.word.hasDigit)) return false;
    const places = placesOf(item, theirs);
    return places.length > 0 && places.every((place) => isGovernedByOther(theirs, place, verb));
  });
}

/** Whether the item belongs to a second verb after "and"; not if both verbs share their object: "wrote and directed it". */
function isGovernedByOther(tokens: readonly Token[], item: number, verb: Token): boolean {
  const at = tokens.findLastIndex((token, place) => place < item && isPastVerb(token));
  const [earlier, joint, governor] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!governor || areAlike(governor, verb) || (joint?.word.text !== 'and' && joint?.word.text !== 'but')) return false;
  return !(earlier && areAlike(earlier, verb)) && tokens.some((other, place) => place < at && areAlike(other, verb));
}

/** Whether two words have exchanged the words before them: "Gold in Ulm and silver in Graz" is not "silver in Ulm and gold in Graz". */
function exchangesFellows(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [own, others] = [fellowsIn(mine), fellowsIn(theirs)];
  return own.some(([one, before]) => {
    const [, moved] = others.find(([other]) => areAlike(one, other)) ?? [];
    if (!moved || areAlike(moved, before)) return false;
    return own.some(([two, beforeTwo]) => {
      const [, movedTwo] = areAlike(beforeTwo, moved) ? (others.find(([other]) => areAlike(two, other)) ?? []) : [];
      if (!movedTwo || !areAlike(movedTwo, before)) return false;
      return !changeItemsPlaces(mine, theirs, one, two) && !changeItemsPlaces(mine, theirs, before, beforeTwo);
    });
  });
}

/** Whether a word and its complement are paired differently: "Gold in Ulm" is not "silver in Ulm and gold in Graz". */
function hasOtherFellow(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const theirAdjuncts = adjunctsIn(theirs);
  return adjunctsIn(mine).some(({ head, joint, name }) => {
    const others = theirAdjuncts.filter((other) => other.joint === joint);
    const [ofHead, ofName] = [others.filter((other) => areAlike(other.head, head)), others.filter((other) => areAlike(other.name, name))];
    if (ofHead.length === 0 || ofName.length === 0 || ofHead.some((other) => areAlike(other.name, name))) return false;
    return theirs.some(
      ({ word: { text }, start }) => (text === 'and' || text === 'but') && isBetween(start, ofHead[0]?.name, ofName[0]?.name),
    );
  });
}

const isBetween = (place: number, one: Token | undefined, other: Token | undefined): boolean =>
  one !== undefined && other !== undefined && place > Math.min(one.start, other.start) && place < Math.max(one.start, other.start);

/** A word, a preposition, and a name or number: "Gold in Ulm", "Kelm from 1990". */
const adjunctsIn = (tokens: readonly Token[]): { head: Token; joint: string; name: Token }[] =>
  tokens.flatMap((name, at) => {
    const article = tokens[at - 1]?.word.text === 'the' ? 1 : 0;
    const [head, joint] = [tokens[at - 2 - article], tokens[at - 1 - article]];
    if (!head || !joint || head.word.isStopWord || !JOINTS.has(joint.word.text) || !(isNameWord(name) || name.word.isAmount)) return [];
    return [{ head, joint: joint.word.text, name }];
  });

const JOINTS = COMMON_PREPOSITIONS.union(new Set(['against']));

/** Each content word or amount, with the one before it. */
function fellowsIn(tokens: readonly Token[]): [Token, Token][] {
  const telling = tokens.filter(({ word }) => !word.isStopWord || word.isAmount);
  return telling.slice(1).map((token, at) => [token, telling[at] ?? token]);
}

/** "Two sons" are not "two daughters and a son". */
const countsOthers = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((count, at) => {
    const counted = mine[at + 1];
    if (!count.word.isAmount || !counted || counted.word.isStopWord || counted.word.isAmount || counted.isCapitalised) return false;
    const places = placesOf(counted, theirs);
    if (places.length === 0 || placesOf(count, theirs).length === 0) return false;
    const others = theirs.filter(
      (token, place) =>
        token.word.isAmount && !areAlike(token, count) && places.some((own) => own - place > 0 && own - place <= MAX_WORDS_TO_NOUN),
    );
    const isArticle = places.every((place) => theirs[place - 1]?.word.text === 'a' || theirs[place - 1]?.word.text === 'an');
    return (
      (others.length > 0 || isArticle) &&
      !places.some((place) => theirs.slice(Math.max(0, place - MAX_WORDS_TO_NOUN), place).some((token) => areAlike(token, count)))
    );
  });
