import type { ContradictionCue } from '@lib/domain/vocabulary';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { datesConflict, sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAffirming, kindOf, REPEATED } from './edit-kinds';
import { alignWords, type Edit } from './edits';
import { namesExclude } from './single-values';

/** What two statements of mostly the same words differ in: in nothing that matters, in more than can be told, or so that not both can hold. */
export type Difference = 'none' | 'unclear' | ContradictionCue;

/** So many meaningful words must be shared in their order before a difference is taken for the only one. */
const LEAST_SHARED = 2;
/** So many words the statements may say besides what they differ in. */
const MOST_BESIDES = 3;

export function differenceBetween(left: Reading, right: Reading): Difference {
  const alignment = alignWords(left, right);
  const telling = alignment.edits.filter((edit) => kindOf(edit) !== 'addition');
  const [edit] = telling;
  if (!edit) return 'none';
  if (telling.length > 1 || alignment.shared < LEAST_SHARED || alignment.moved > 0) return 'unclear';
  const besides = alignment.edits.filter((other) => other !== edit);
  if (besides.reduce((sum, other) => sum + other.left.length + other.right.length, 0) > MOST_BESIDES) return 'unclear';
  if (besides.some((other) => isOfSubject(left, right, other)) || !haveSameConditions(left, right, edit)) return 'unclear';
  return cueOf(edit, left, right, besides);
}

function cueOf(edit: Edit, left: Reading, right: Reading, besides: readonly Edit[]): Difference {
  const kind = kindOf(edit);
  const isOnlyEdit = besides.length === 0;
  if (kind === 'number') return numberDifference(left, right, isOnlyEdit);
  if (kind === 'quantifier') return 'quantity';
  if (left.roles.hedge !== right.roles.hedge || !sameDates(left.dates, right.dates)) return 'unclear';
  if (compareAmounts(left.amounts, right.amounts).kind !== 'same') return 'unclear';
  if (kind === 'denial') return isDenied(edit, left, right, besides) ? 'polarity' : 'unclear';
  if (kind === 'opposite' || (kind === 'opposed' && left.dates.length > 0))
    return isTurnedRound(edit, left, right) ? 'direction' : 'unclear';
  return kind === 'name' && isOnlyEdit && namesExclude(left, right, edit) ? 'value' : 'unclear';
}

/**
 * A negation counts for the whole statement, and a verb such as "refuse" for what is left when no negation does. What is denied in general is
 * denied in each case, but not the other way round: the side that denies may say no more than the other.
 */
function isDenied(edit: Edit, left: Reading, right: Reading, besides: readonly Edit[]): boolean {
  if (LEAVES_OPEN.test(left.roles.hedge) || left.tense !== right.tense) return false;
  const isNegation = [...edit.left, ...edit.right].some(isNegated);
  const deniesLeft = isNegation ? left.polarity.isNegated : edit.left.some((token) => !isAffirming(token));
  if (besides.some((other) => (deniesLeft ? other.left : other.right).length > 0)) return false;
  if (!isNegation) return hasOnePolarity(left, right);
  return !hasOnePolarity(left, right) && Math.min(left.polarity.negations.length, right.polarity.negations.length) === 0;
}

const isNegated = ({ word }: Token): boolean => word.isNegation || word.isNegated || word.isNegationBeforeTo;

/** Nothing else turns it back: neither a negation nor another pair of opposites. */
function isTurnedRound(edit: Edit, left: Reading, right: Reading): boolean {
  if (!hasOnePolarity(left, right) || left.polarity.isNegatedInAll !== right.polarity.isNegatedInAll) return false;
  const others = ({ directions }: Reading, edited: readonly Token[]): string =>
    directions
      .filter((token) => !edited.includes(token))
      .map(({ word }) => word.stem)
      .sort()
      .join(' ');
  return others(left, edit.left) === others(right, edit.right);
}

const hasOnePolarity = ({ polarity: mine }: Reading, { polarity: yours }: Reading): boolean => mine.isNegated === yours.isNegated;

/** What one says more of the subject makes it another: "the mother of", "Jr." */
function isOfSubject({ tokens: left }: Reading, { tokens: right }: Reading, { leftFrom, rightFrom }: Edit): boolean {
  return leftFrom <= firstVerbIn(left) && rightFrom <= firstVerbIn(right);
}

function firstVerbIn(tokens: readonly Token[]): number {
  return tokens.findIndex((_, at) => at > 0 && isFiniteVerbAt(tokens, at));
}

/** What is counted or measured, or the time of what happens once. */
function numberDifference(left: Reading, right: Reading, isOnlyEdit: boolean): Difference {
  const [mine, yours] = [left.dates[0], right.dates[0]];
  const amounts = compareAmounts(left.amounts, right.amounts);
  if (mine && yours && left.dates.length + right.dates.length === 2 && datesConflict(mine, yours))
    return amounts.kind === 'same' && mayHappenOnce(left) ? 'value' : 'unclear';
  if (amounts.kind === 'same' && sameDates(left.dates, right.dates)) return 'none';
  if (!isOnlyEdit || !sameDates(left.dates, right.dates) || amounts.kind !== 'different') return 'unclear';
  return amounts.isBare ? 'value' : 'quantity';
}

function mayHappenOnce({ tokens, tense }: Reading): boolean {
  return tense === 'past' && (tokens.some(({ word }) => word.text === 'first') || !tokens.some(({ word }) => REPEATED.has(word.stem)));
}

/** With such a word a statement and its denial can both hold. */
const LEAVES_OPEN = /\b(?:may|might|could|possibly|perhaps|some|several|few|certain|most|partly|partially|sometimes)\b/;

/** Both hold under the same conditions, at the same time and on the same authority; what the two differ in may itself be a condition. */
function haveSameConditions(left: Reading, right: Reading, { left: mine, right: yours }: Edit): boolean {
  const words = (reading: Reading, edited: readonly Token[]): string =>
    `${reading.roles.condition} ${reading.roles.former} ${reading.roles.attribution === '' ? '' : 'says'}`
      .split(' ')
      .filter((word) => !edited.some((token) => token.word.text === word))
      .join(' ');
  return words(left, mine) === words(right, yours);
}
