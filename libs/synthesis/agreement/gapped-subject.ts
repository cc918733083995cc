import { COMMON_PREPOSITIONS } from '@lib/language/reading/function-words';
import { gappedClauseIn, type GappedClause } from '@lib/language/reading/gapped-clause';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { isAmong, placesOf } from '../alignment/same-word';

/**
 * Whether `theirs` says of the other of two subjects that share a verb what `mine` says: “Oslo offers grants for three years” is not said by “Oslo offers
 * grants for five years, Bergen for three years”.
 */
export function isSaidOfOtherSubject(mine: Reading, theirs: Reading): boolean {
  const clause = gappedClauseIn(theirs);
  if (!clause) return false;
  const { tokens } = theirs;
  const first = tokens.slice(0, clause.verb);
  const second = tokens.slice(clause.subject, clause.behind).filter((token) => tellsWhich(token) && !isAmong(token, first));
  const own = mine.tokens.slice(0, mine.subjectEnd).filter(tellsWhich);
  const said = mine.tokens.filter((token, at) => at >= mine.subjectEnd && tellsWhich(token) && isAmong(token, tokens));
  if (second.length === 0) return false;
  if (own.some((token) => isAmong(token, second)))
    return said.some((token) => placesOf(token, tokens).every((at) => isReplaced(theirs, clause, at)));
  return (
    own.some((token) => isAmong(token, first)) &&
    !mine.tokens.some((token) => isAmong(token, second)) &&
    said.some((token) => placesOf(token, tokens).every((at) => at >= clause.behind))
  );
}

const tellsWhich = (token: Token): boolean => isContentWord(token) || token.word.hasDigit || token.word.isAmount;

/** “France exports more cars” is not said by “Germany exports more cars than France”. */
export function isOnlyComparedWith(mine: Reading, theirs: Reading): boolean {
  const than = theirs.tokens.findIndex(({ word }) => word.text === 'than');
  if (than < 0 || mine.tokens.some(({ word }) => word.text === 'than')) return false;
  const own = mine.tokens.slice(0, mine.subjectEnd).filter(isNameWord);
  return own.length > 0 && own.every((token) => isAmong(token, theirs.tokens) && placesOf(token, theirs.tokens).every((at) => at > than));
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
