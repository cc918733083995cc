import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isNameWord, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';

/** Whether `theirs` compares with something else, or only compares with what `mine` speaks of. */
export const isComparedOtherwise = (mine: Reading, theirs: Reading): boolean => {
  const [own, other] = [mine, theirs].map(({ tokens }) => tokens.findIndex(({ word }) => word.text === 'than'));
  if (other === undefined || other < 0 || own === undefined) return false;
  return own < 0 ? isOnlyComparedWith(mine, theirs, other) : isBeforeOther(mine.tokens, own, theirs.tokens, other);
};

/** “France exports more cars” is not said by “Germany exports more cars than France”. */
function isOnlyComparedWith(mine: Reading, theirs: Reading, than: number): boolean {
  const own = mine.tokens.slice(0, mine.subjectEnd).filter(isNameWord);
  return own.length > 0 && own.every((token) => isAmong(token, theirs.tokens) && placesOf(token, theirs.tokens).every((at) => at > than));
}

/** “Doctors trust it more than patients do” is not said by “doctors trust it more than they trust patients”. */
function isBeforeOther(mine: readonly Token[], own: number, theirs: readonly Token[], other: number): boolean {
  const [word, theirWord] = [
    mine.find((token, at) => at > own && isContentWord(token)),
    theirs.find((token, at) => at > other && isContentWord(token)),
  ];
  if (!word || !theirWord || areAlike(word, theirWord)) return false;
  return isAmong(word, theirs) && isAmong(theirWord, mine);
}
