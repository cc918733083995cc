import { gappedClauseIn } from '@lib/language/reading/gapped-clause';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
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
  return (
    second.length > 0 &&
    own.some((token) => isAmong(token, first)) &&
    !mine.tokens.some((token) => isAmong(token, second)) &&
    said.some((token) => placesOf(token, tokens).every((at) => at >= clause.behind))
  );
}

const tellsWhich = (token: Token): boolean => isContentWord(token) || token.word.hasDigit || token.word.isAmount;
