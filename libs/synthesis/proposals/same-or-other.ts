import { sameName } from '@lib/language/reading/names';
import type { ContradictionCue } from '@lib/domain/vocabulary';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { haveOpposites } from '../agreement/compatibility';
import { isSaidWithReservation } from '../agreement/reservations';
import { differenceBetween } from '../difference/difference';
import { soleDifference } from '../difference/sole-difference';
import { isAffirming, NARROWING } from '../alignment/edit-kinds';
import { alignWords } from '../alignment/edits';
import { isSame } from '../alignment/same-word';
import { standAgainstEachOther } from '../difference/opposed-words';
import { differenceInOtherWords, mayBeSaidBy } from './other-words';
import { contentWordsOf } from '../difference/content-words';
import { unsaidIn } from '../difference/restatement';
import { areNegatedAlikeInAll } from '../difference/same-terms';

/** The share of the first quote that the other must have literally before a model is believed about the rest. */
const MIN_SHARED = 0.5;
const MIN_WORDS = 3;
/** Quotes that share this much are nearly copies, at least in the same order, so their differences are intended. */
const COPIED = 0.7;

/**
 * How the second statement says all of the first, as a model claims: mostly in the same words, with other words that carry no value; or in other
 * words, where the program only finds nothing against it. Null if it does not say it.
 * @param asked stems of the question
 */
export function saidBy(given: Reading, second: Reading, asked: ReadonlySet<string>): 'in the same words' | 'in other words' | null {
  if (contradict(given, second)) return null;
  const first = withNamesAsIn(given, second);
  // "In mice, it halved growth" does not say that it did, though all words of that are in it.
  const isReserved = isSaidWithReservation(first, second);
  if (!isReserved && unsaidIn(first, second, () => false) === null) return 'in the same words';
  const [mine, yours] = [contentWordsOf(first), contentWordsOf(second)];
  const shared = mine.filter(({ token }) => yours.some((item) => isSame(token.word, item.token.word))).length;
  const copied = COPIED * Math.max(mine.length, yours.length);
  if (!isReserved && shared >= MIN_WORDS && shared >= MIN_SHARED * mine.length && alignWords(first, second).shared < copied) {
    const mayBeSame = areNegatedAlikeInAll(first, second) && !haveOpposites(first, second) && !standAgainstEachOther(first, second, null);
    if (mayBeSame && unsaidIn(first, second, bearsNoValue) === null) return 'in the same words';
  }
  return shared < copied && mayBeSaidBy(first, second, asked) ? 'in other words' : null;
}

/** Drops parts of names that the second statement leaves out for the same name: "Alfred Wegener" and "Wegener". */
function withNamesAsIn(first: Reading, second: Reading): Reading {
  const left = new Set(
    first.names.flatMap(({ tokens, parts }) => {
      const theirs = second.names.find((other) => sameName(parts, other.parts));
      return theirs ? tokens.filter(({ word }) => !theirs.tokens.some((other) => isSame(word, other.word))) : [];
    }),
  );
  return left.size === 0
    ? first
    : new Reading(
        first.text,
        first.tokens.filter((token) => !left.has(token)),
      );
}

/** The difference that the program itself finds between two quotes about the same thing; null if there is none. */
export function differenceIn(one: Reading, other: Reading): ContradictionCue | null {
  const found = differenceBetween(one, other);
  if (found === 'none') return differenceInOtherWords(one, other);
  return found === 'unclear' ? (soleDifference(one, other) ?? differenceInOtherWords(one, other)) : found;
}

function contradict(one: Reading, other: Reading): boolean {
  const difference = differenceBetween(one, other);
  return difference !== 'none' && difference !== 'unclear';
}

const bearsNoValue = (token: Token): boolean => {
  const { word, isCapitalised } = token;
  return !word.isAmount && !isCapitalised && !word.isStopWord && isAffirming(token) && !NARROWING.has(word.text);
};
