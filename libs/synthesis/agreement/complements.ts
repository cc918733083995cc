import { FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import { isContentWord, isNameWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isPassive } from '@lib/language/reading/verbs';
import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { stemsOf } from '@lib/language/reading/lexicon';
import { isAmong, placesOf, placesOfItselfElseAlike } from '../alignment/same-word';
import { isFormOfVerb, isVerbAt, objectAfter } from '../roles/verb-and-object';

const JOINING = new Set(['and', 'or', 'nor']);
const JOINING_VERBS = new Set(['and', 'but']);

/**
 * Whether `theirs` gives an amount, a time, an infinitive or an object of a verb of `mine` to another verb, or joins the verb to another one by "or".
 */
export const hasOtherComplement = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some(
    (verb, at) =>
      isStatingVerb(mine, at) &&
      isAmong(verb, theirs) &&
      (isAmountOfOther(mine, at, theirs) ||
        isByAmount(mine, at, theirs) ||
        isToDoOther(mine, at, theirs) ||
        isOfJoinedVerb(mine, at, theirs) ||
        isOneOfTwo(verb, mine, theirs)),
  );

/** "Weighed 22 kg" is not said by "weighed 3 kg and carried 22 kg", nor "hit the pier at 1:29" by "fell at 1:29, after the ship had hit the pier". */
function isAmountOfOther(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const next = mine.findIndex((_, at) => at > verb && isStatingVerb(mine, at));
  const amounts = mine.slice(verb + 1, next < 0 ? mine.length : next).filter(({ word }) => word.isAmount);
  return amounts.some((amount) => {
    const places = placesOfItselfElseAlike(amount, theirs);
    return places.length > 0 && places.every((place) => isBehindOther(mine, theirs, place));
  });
}

/** "Raised $50 million" is not said by "raised its provisions by $50 million", but "rose 5 %" by "rose by 5 %". */
function isByAmount(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const [own, amount] = [mine[verb], mine[verb + 1]];
  if (!own || !amount?.word.isAmount) return false;
  const places = placesOfItselfElseAlike(own, theirs);
  return (
    places.length > 0 &&
    places.every((place) => {
      const by = theirs.findIndex((_, at) => at > place && textAt(theirs, at) === 'by' && theirs[at + 1]?.word.text === amount.word.text);
      return by > 0 && objectAfter(theirs, place).preposition === null && objectAfter(theirs, place).words.length > 0;
    })
  );
}

/** Whether the last verb before `place` is in `mine` neither itself nor by a synonym; asked both ways, as not all synonyms are mutual. */
function isBehindOther(mine: readonly Token[], theirs: readonly Token[], place: number): boolean {
  const verb = theirs.findLast((token, at) => at < place && isStatingVerb(theirs, at) && !mayBePlural(token));
  return verb !== undefined && !isAmong(verb, mine) && !mine.some((token) => isAmong(token, [verb]));
}

/** Words such as "films" may be plural nouns as well as verbs. */
const mayBePlural = ({ word }: Token): boolean => word.verb.endsInS && verbCertaintyInS(word.text) !== 'verb';

/** "Lowers it in men and women" is not said by "lowers it in men and raises it in women". */
function isOfJoinedVerb(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const own = mine[verb];
  const joined = theirs.findIndex((token, at) => isJoinedVerb(theirs, at) && !isAmong(token, mine));
  if (!own || joined < 0 || !isAmong(own, theirs.slice(0, joined - 2))) return false;
  const behind = theirs.slice(joined + 1);
  return mine
    .slice(verb + 1)
    .some((token) => (isContentWord(token) || token.word.isAmount) && isAmong(token, behind) && !isAmong(token, theirs.slice(0, joined)));
}

/** A verb as in "and raises", if no other verb stands right before the "and": the object of "wrote and directed" belongs to both verbs. */
const isJoinedVerb = (tokens: readonly Token[], at: number): boolean =>
  JOINING_VERBS.has(textAt(tokens, at - 1)) && (isStatingVerb(tokens, at) || isInS(tokens[at])) && !isJoining(tokens, at - 2);

/** "Raises" is a verb if it is coordinated with another verb, not a plural. */
const isInS = (token: Token | undefined): boolean =>
  token?.isCapitalised === false && token.word.verb.endsInS && verbCertaintyInS(token.word.text) !== undefined;

const isJoining = (tokens: readonly Token[], at: number): boolean => isFormOfVerb(tokens[at]) || tokens[at]?.word.text === 'born';

/** "Seal it" is not said by "seal or replace it", but "members may vote" is said by "may vote or abstain". */
function isOneOfTwo(verb: Token, mine: readonly Token[], theirs: readonly Token[]): boolean {
  const places = placesOfItselfElseAlike(verb, theirs);
  return (
    places.length > 0 &&
    places.every((place) => {
      const other = [place + 2, place - 2].find((at) => theirs[(at + place) / 2]?.word.text === 'or');
      const verbs = [theirs[place], theirs[other ?? -1]];
      if (
        !verbs.every((token) => token && mayBeVerb(token)) ||
        theirs.some((token) => ALLOWING.has(token.word.text) || token.word.isNegation)
      )
        return false;
      return !isAmong(verbs[1], mine);
    })
  );
}
const ALLOWING = new Set('can could may whether'.split(' '));
const mayBeVerb = (token: Token): boolean => isFormOfVerb(token) || verbCertainty(token.word.text) !== undefined;

/** "Refused to join the march" is not said by "refused to pay and joined the march". */
function isToDoOther(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const [own, said] = [mine[verb], infinitiveAfter(mine, verb)];
  if (own && DOING_OR_TO_DO.has(own.word.stem) && exchangesInfinitive(mine, verb, theirs)) return true;
  if (!own || !said || theirs.some(({ word }, at) => word.text === said.word.text && isListed(theirs, at))) return false;
  // "Was ordered to pay" is said by "a court ordered Kelm to pay".
  if (!isPassive(mine, verb) && placesOfItselfElseAlike(own, theirs).some((place) => isForOtherToDo(theirs, place, said))) return true;
  const others = placesOfItselfElseAlike(own, theirs).map((place) => infinitiveAfter(theirs, place));
  return others.length > 0 && others.every((other) => other !== null && !isAmong(said, [other]));
}

/** "Wanted to direct it" is not said by "wanted Ada to direct it". */
function isForOtherToDo(theirs: readonly Token[], verb: number, said: Token): boolean {
  const to = theirs.findIndex(({ word }, at) => at > verb + 1 && word.text === 'to');
  if (to < 0 || to > verb + MAX_WORDS_TO_INFINITIVE || theirs[to + 1]?.word.stem !== said.word.stem) return false;
  return theirs.slice(verb + 1, to).every((token) => isNameWord(token) || token.word.verb.isDeterminer || isContentWord(token));
}
const MAX_WORDS_TO_INFINITIVE = 5;

/** "Stopped to pray" is not "stopped praying". */
const exchangesInfinitive = (mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean => {
  const [own, next] = mine.slice(verb, verb + 2);
  if (!own || !next) return false;
  return placesOf(own, theirs).some((place) => {
    const other = theirs[place + 1];
    return other !== undefined && ((isTo(next) && other.word.verb.endsInIng) || (isTo(other) && next.word.verb.endsInIng));
  });
};
const isTo = ({ word }: Token): boolean => word.text === 'to';
const DOING_OR_TO_DO = stemsOf('stop remember forget regret');

/** A coordinated infinitive: "join" in "refused to pay or join" and "refused to pay and to join". */
function isListed(tokens: readonly Token[], infinitive: number): boolean {
  const before = tokens[infinitive - 1]?.word.text === 'to' ? infinitive - 2 : infinitive - 1;
  return JOINING.has(textAt(tokens, before)) || hasCommaBefore(tokens[before + 1]);
}

function infinitiveAfter(tokens: readonly Token[], verb: number): Token | null {
  const infinitive = tokens[verb + 2];
  return tokens[verb + 1]?.word.text === 'to' && infinitive && verbCertainty(infinitive.word.text) !== undefined ? infinitive : null;
}

/** A verb that states something, including "had" for possession, but not "estimated" in "an estimated 22 people". */
function isStatingVerb(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token || before?.word.verb.isDeterminer) return false;
  if (FORMS_OF_HAVE.has(token.word.text)) return next !== undefined && !isFormOfVerb(next) && next.word.text !== 'to';
  return isVerbAt(tokens, at) || (!token.word.isStopWord && isFormOfVerb(token));
}
