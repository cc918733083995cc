import { isPastVerb, hasCommaBefore, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';

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
