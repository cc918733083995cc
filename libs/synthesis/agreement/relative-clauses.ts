import { isContentWord, isPastVerb, hasCommaBefore, type Token } from '@lib/language/reading/token';
import { isFormOfVerb } from '../roles/verb-and-object';
import { areAlike, isAmong } from '../alignment/same-word';

export const RELATIVES_BEHIND_COMMA = new Set('who which whose'.split(' '));

/** The words outside of relative clauses between commas, such as ", who says that he is shy,". */
export function outsideRelatives(tokens: readonly Token[]): Token[] {
  let isWithin = false;
  return tokens.filter((token, at) => {
    const isAfterComma = at > 0 && hasCommaBefore(token);
    if (isAfterComma) isWithin = RELATIVES_BEHIND_COMMA.has(token.word.text);
    return !isWithin;
  });
}

/**
 * Whether a number belongs to a relative clause instead of the verb: "Walter Grimes coached the team from 2011" is not said by "they were coached by
 * Walter Grimes, who had joined in 2011".
 */
export function isNumberOfRelative(mine: readonly Token[], theirs: readonly Token[]): boolean {
  if (!mine.some(({ word }) => word.hasDigit) || !theirs.some(({ word }) => RELATIVES_BEHIND_COMMA.has(word.text))) return false;
  const outside = outsideRelatives(theirs);
  const verb = mine.find(isPastVerb);
  if (!verb || !isAmong(verb, outside) || mine.some((token) => RELATIVES_BEHIND_COMMA.has(token.word.text))) return false;
  const within = theirs.filter((token) => !outside.includes(token));
  if (isAmong(verb, within)) return false;
  return mine.some((token) => token.word.hasDigit && isAmong(token, within) && !isAmong(token, outside));
}

/**
 * Whether a relative clause without a comma belongs to another word, or restricts the same word by another deed: "The nurse who saw the patients fell ill" is not
 * said by "the nurse saw the patients who fell ill", nor "most who voted are young" by "most who are young voted".
 */
export function hangsOnOther(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [own, others] = [restrictionsIn(mine), restrictionsIn(theirs)];
  if (own.length !== 1 || others.length !== 1) return false;
  const [one, other] = [own[0], others[0]];
  if (!one || !other) return false;
  if (!areAlike(one.noun, other.noun)) return isAmong(one.noun, theirs) && isAmong(other.noun, mine);
  return !one.deed.some((token) => isAmong(token, other.deed)) && isAmong(one.deed[0], theirs) && isAmong(other.deed[0], mine);
}

/** The nouns with a relative clause, and its first content words. */
const restrictionsIn = (tokens: readonly Token[]): { noun: Token; deed: readonly Token[] }[] =>
  tokens.flatMap(({ word }, at) => {
    const noun = tokens[at - 1];
    if (!noun || !RESTRICTING.has(word.text) || hasCommaBefore(tokens[at]) || !isContentWord(noun) || isFormOfVerb(noun)) return [];
    return [
      {
        noun,
        deed: tokens
          .slice(at + 1)
          .filter(isContentWord)
          .slice(0, MAX_DEED_WORDS),
      },
    ];
  });
const RESTRICTING = new Set('who whom which that'.split(' '));
const MAX_DEED_WORDS = 2;
