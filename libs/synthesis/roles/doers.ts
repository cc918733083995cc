import { isContentWord, isNameWord, isPastVerb, type Token } from '@lib/language/reading/token';
import { isPassive } from '@lib/language/reading/verbs';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { prepositionOf } from './verb-and-object';

/**
 * Whether who gives something in one statement is given it in the other: "The mayor refused permission" and "the mayor was refused permission". In the passive
 * a verb with two objects keeps one of them.
 */
export const isGivenWhatIsGiven = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    const [subject, object] = [subjectBefore(mine, at), mine[at + 1]];
    if (!isPastVerb(verb) || !subject || !object || !isContentWord(object) || object.word.verb.endsInIng) return false;
    return theirs.some((token, place) => {
      if (!isPastVerb(token) || !areAlike(token, verb) || isPassive(mine, at) === isPassive(theirs, place)) return false;
      return isAmong(subjectBefore(theirs, place), [subject]) && isAmong(theirs[place + 1], [object]);
    });
  });

const subjectBefore = (tokens: readonly Token[], verb: number): Token | undefined =>
  tokens.findLast((token, at) => at < verb && isContentWord(token));

/** "Ada designed the hall" is not said by "the hall was designed by a pupil of Ada". */
export const isDoneByRelated = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    const subject = subjectBefore(mine, at);
    if (!isPastVerb(verb) || isPassive(mine, at) || !subject || !isNameWord(subject)) return false;
    const by = theirs.findIndex((token, place) => token.word.text === 'by' && isAmong(theirs[place - 1], [verb]));
    if (by < 0) return false;
    const end = theirs.findIndex(({ word }, place) => place > by && word.isStopWord && !word.verb.isDeterminer);
    const head = theirs[end - 1];
    if (!head || isAmong(head, mine) || CIVIC.has(head.word.text)) return false;
    return theirs[end]?.word.text === 'of' && !isAmong(subject, theirs.slice(by, end)) && isAmong(subject, theirs.slice(end));
  });

/** What these do, their place is said to do: "the city of Oslo". */
const CIVIC = new Set('city town state government parliament council'.split(' '));

/** Who did it in the one only appears in the other: "sung by Brandt" and "Ferro sang, because Brandt was ill". */
export const isDoneByOther = (one: readonly Token[], other: readonly Token[]): boolean =>
  namesOtherDoer(one, other) || namesOtherDoer(other, one);

/** Whether the agent of a passive is neither before nor in the place of the agent of the same verb in `active`, but elsewhere. */
const namesOtherDoer = (passive: readonly Token[], active: readonly Token[]): boolean =>
  passive.some((verb, at) => {
    if (!isContentWord(verb) || !isPassive(passive, at) || passive[at + 1]?.word.text !== 'by') return false;
    const end = passive.findIndex(({ word }, place) => place > at + 1 && word.isStopWord && !word.verb.isDeterminer);
    const agent = passive.slice(at + 2, end < 0 ? passive.length : end).filter(isContentWord);
    const places = placesOf(verb, active).filter(
      (place) => isPastVerb(active[place]) && !isPassive(active, place) && active[place + 1]?.word.text !== 'by',
    );
    if (agent.length === 0 || places.length === 0) return false;
    const isAmongAgents = (token: Token, place: number): boolean => isAmong(token, active.slice(0, place));
    return places.every(
      (place) => !agent.some((token) => isAmongAgents(token, place)) && agent.every((token) => isAmong(token, active.slice(place))),
    );
  });

/** "The fee was raised by the courts" is not said by "the fee was raised for the courts". */
export const isNoDoer = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((token, at) => {
    if (!isContentWord(token)) return false;
    const [place, ...others] = placesOf(token, theirs);
    if (place === undefined || others.length > 0) return false;
    const [own, other] = [prepositionOf(mine, at), prepositionOf(theirs, place)];
    return (
      own !== other &&
      (own === 'by' || other === 'by') &&
      [own, other].some((preposition) => preposition !== null && NO_DOERS.has(preposition))
    );
  });
const NO_DOERS = new Set('for among against'.split(' '));
