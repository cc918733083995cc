import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { gappedClauseIn, type GappedClause } from '@lib/language/reading/gapped-clause';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isAmong, placesOf } from '../alignment/same-word';

/**
 * Whether `theirs` says of the other of two subjects that share a verb what `mine` says: “Oslo offers grants for three years” is not said by “Oslo offers
 * grants for five years, Bergen for three years”.
 */
export function isSaidOfOtherSubject(mine: Reading, theirs: Reading): boolean {
  const clause = gappedClauseIn(theirs);
  if (!clause) return false;
  const { tokens } = theirs;
  const [first, second] = [tokens.slice(0, clause.verb), tokens.slice(clause.subject, clause.behind)];
  const own = mine.tokens.slice(0, mine.subjectEnd).filter(isContentWord);
  const said = mine.tokens.filter(
    (token, at) => at >= mine.subjectEnd && (isContentWord(token) || token.word.hasDigit || token.word.isAmount),
  );
  const isOfSecond = own.some((token) => isAmong(token, second) && !isAmong(token, first));
  if (isOfSecond)
    return said.some((token) => placesOf(token, tokens).every((at) => isReplaced(theirs, clause, at)) && isAmong(token, tokens));
  return (
    own.some((token) => isAmong(token, first)) &&
    !mine.tokens.some((token) => isContentWord(token) && isAmong(token, second)) &&
    said.some((token) => isAmong(token, tokens) && placesOf(token, tokens).every((at) => at >= clause.behind))
  );
}

/** Whether the second clause has something else in place of a word of the first: another number, or another word behind the same preposition. */
function isReplaced({ tokens, amounts }: Reading, { verb, subject, behind }: GappedClause, at: number): boolean {
  if (at <= verb || at >= subject) return false;
  const isNumber = (place: number): boolean => amounts.some(({ from, to }) => place >= from && place < to);
  if (isNumber(at)) return tokens.some((_, place) => place >= behind && isNumber(place));
  const lead = leadOf(tokens, at);
  return lead !== '' && tokens.slice(behind).some(({ word }) => word.text === lead);
}

/** The preposition of a word; empty if it has none. */
function leadOf(tokens: readonly Token[], at: number): string {
  for (let place = at - 1; place > Math.max(0, at - MAX_PHRASE); place -= 1) {
    if (COMMON_PREPOSITIONS.has(textAt(tokens, place))) return textAt(tokens, place);
  }
  return '';
}
const MAX_PHRASE = 4;
