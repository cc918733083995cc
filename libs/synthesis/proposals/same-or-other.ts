import type { ContradictionCue } from '@lib/domain/vocabulary';
import { areOpposite } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { haveOnePolarity, haveOpposites } from '../agreement/compatibility';
import { differenceBetween } from '../difference/difference';
import { soleDifference } from '../difference/sole-difference';
import { isAffirming, NARROWING } from '../difference/edit-kinds';
import { alignWords } from '../difference/edits';
import { isSame } from '../difference/same-word';
import { itemsOf } from '../difference/items';
import { unsaidIn } from '../difference/restatement';

/** Share of what the first of two quotes says that the other has to say in the same words before a model is believed about the rest. */
const LEAST_SHARED = 0.5;
const LEAST_WORDS = 3;
/** Two that share so much in the same order are nearly a copy: what differs, differs on purpose. */
const COPIED = 0.6;

/** Whether all that the first says is said by the second, so far as a program can see: the rest, in words that bear no value, a model has vouched for. */
export function isSaidBy(first: Reading, second: Reading): boolean {
  if (contradict(first, second)) return false;
  if (unsaidIn(first, second, () => false) === null) return true;
  const [mine, yours] = [itemsOf(first), itemsOf(second)];
  const shared = mine.filter(({ token }) => yours.some((item) => isSame(token.word, item.token.word))).length;
  if (shared < LEAST_WORDS || shared < LEAST_SHARED * mine.length) return false;
  if (alignWords(first, second).shared >= COPIED * Math.max(mine.length, yours.length)) return false;
  if (!haveOnePolarity(first, second) || haveOpposites(first, second) || standAgainstEachOther(first, second)) return false;
  return unsaidIn(first, second, bearsNoValue) === null;
}

/** In what two quotes about the same thing differ, by the program's own reading; null where it finds no such difference. */
export function differenceIn(one: Reading, other: Reading): ContradictionCue | null {
  const found = differenceBetween(one, other);
  if (found === 'none') return null;
  return found === 'unclear' ? soleDifference(one, other) : found;
}

function contradict(one: Reading, other: Reading): boolean {
  const difference = differenceBetween(one, other);
  return difference !== 'none' && difference !== 'unclear';
}

const bearsNoValue = (token: Token): boolean => {
  const { word, isCapitalised } = token;
  return !word.isAmount && !isCapitalised && !word.isStopWord && isAffirming(token) && !NARROWING.has(word.text);
};

/** A word of the one excludes a word of the other. */
function standAgainstEachOther({ tokens: left }: Reading, { tokens: right }: Reading): boolean {
  return left.some(({ word }) => !word.isStopWord && right.some((token) => areOpposite(word.stem, token.word.stem)));
}
