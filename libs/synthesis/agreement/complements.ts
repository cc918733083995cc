import { FORMS_OF_HAVE } from '@lib/language/reading/function-words';
import { COMMA } from '@lib/language/reading/characters';
import { tells, type Token } from '@lib/language/reading/token';
import { verbCertainty, verbCertaintyInS } from '@lib/language/known-words';
import { isAmong, placesOfItselfElseAlike } from '../difference/same-word';
import { endOfPhrase, isFormOfVerb, isVerbAt } from './sides-of-verb';

const JOINING = new Set(['and', 'or', 'nor']);
const JOINING_VERBS = new Set(['and', 'but']);
/** Words from a verb to its amount: "fell by about 8 percent". */
const AMOUNT_WITHIN = 4;

/** Whether what stands behind a verb in one statement stands behind another one in a statement that has both: an amount, what is to be done, or what a joined verb has. */
export const hasOtherComplement = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some(
    (verb, at) =>
      isTold(mine, at) &&
      isAmong(verb, theirs) &&
      (isAmountOfOther(mine, at, theirs) || isToDoOther(mine, at, theirs) || isOfJoinedVerb(mine, at, theirs)),
  );

/** "Weighed 22 kg" is not said by "weighed 3 kg and carried 22 kg". */
function isAmountOfOther(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const end = Math.max(endOfPhrase(mine, verb + 1), verb + 1 + AMOUNT_WITHIN);
  const amounts = mine.slice(verb + 1, end).filter(({ word }) => word.isAmount);
  return amounts.some((amount) => {
    const places = placesOfItselfElseAlike(amount, theirs);
    return places.length > 0 && places.every((place) => isBehindOther(mine, theirs, place));
  });
}

/** The last verb before it is none of those of the other statement. */
function isBehindOther(mine: readonly Token[], theirs: readonly Token[], place: number): boolean {
  const verb = theirs.findLast((_, at) => at < place && isTold(theirs, at));
  return verb !== undefined && !isAmong(verb, mine);
}

/** "Lowers it in men and women" is not said by "lowers it in men and raises it in women". */
function isOfJoinedVerb(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const own = mine[verb];
  const joined = theirs.findIndex((token, at) => isJoinedVerb(theirs, at) && !isAmong(token, mine));
  if (!own || joined < 0 || !isAmong(own, theirs.slice(0, joined - 2))) return false;
  const behind = theirs.slice(joined + 1);
  return mine
    .slice(verb + 1)
    .some((token) => (tells(token) || token.word.isAmount) && isAmong(token, behind) && !isAmong(token, theirs.slice(0, joined)));
}

/** A verb as that of "and raises" with no other verb right before the "and": what follows "wrote and directed" is of both. */
const isJoinedVerb = (tokens: readonly Token[], at: number): boolean =>
  JOINING_VERBS.has(tokens[at - 1]?.word.text ?? '') && (isTold(tokens, at) || isInS(tokens[at])) && !isJoining(tokens, at - 2);

/** "Raises": beside another verb no plural. */
const isInS = (token: Token | undefined): boolean =>
  token?.isCapitalised === false && token.word.verb.endsInS && verbCertaintyInS(token.word.text) !== undefined;

const isJoining = (tokens: readonly Token[], at: number): boolean => isFormOfVerb(tokens[at]) || tokens[at]?.word.text === 'born';

/** "Refused to join the march" is not said by "refused to pay and joined the march". */
function isToDoOther(mine: readonly Token[], verb: number, theirs: readonly Token[]): boolean {
  const [own, said] = [mine[verb], infinitiveAfter(mine, verb)];
  if (!own || !said || theirs.some(({ word }, at) => word.text === said.word.text && isListed(theirs, at))) return false;
  const others = placesOfItselfElseAlike(own, theirs).map((place) => infinitiveAfter(theirs, place));
  return others.length > 0 && others.every((other) => other !== null && !isAmong(said, [other]));
}

/** "Join" of "refused to pay or join" and "refused to pay and to join". */
function isListed(tokens: readonly Token[], infinitive: number): boolean {
  const before = tokens[infinitive - 1]?.word.text === 'to' ? infinitive - 2 : infinitive - 1;
  return JOINING.has(tokens[before]?.word.text ?? '') || ((tokens[before + 1]?.before ?? 0) & COMMA) !== 0;
}

function infinitiveAfter(tokens: readonly Token[], verb: number): Token | null {
  const infinitive = tokens[verb + 2];
  return tokens[verb + 1]?.word.text === 'to' && infinitive && verbCertainty(infinitive.word.text) !== undefined ? infinitive : null;
}

/** A verb that tells something, "had" of what something has among them, and not "estimated" of "an estimated 22 people". */
function isTold(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token || before?.word.verb.isDeterminer) return false;
  if (FORMS_OF_HAVE.has(token.word.text)) return next !== undefined && !isFormOfVerb(next) && next.word.text !== 'to';
  return isVerbAt(tokens, at) || (!token.word.isStopWord && isFormOfVerb(token));
}
