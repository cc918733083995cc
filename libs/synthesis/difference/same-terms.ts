import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Compared } from './compared';

/** Whether two statements are both negated, or neither is. */
export const areNegatedAlike = ({ polarity: mine }: Reading, { polarity: yours }: Reading): boolean => mine.isNegated === yours.isNegated;

/** Like `areNegatedAlike`, but also for contrasted parts: if it is unclear what a "not" denies, the two do not count as the same. */
export const areNegatedAlikeInAll = (left: Reading, right: Reading): boolean =>
  areNegatedAlike(left, right) && left.polarity.isNegatedInAll === right.polarity.isNegatedInAll;

/** Whether two statements have the same conditions, are both about the past or not, and are both attributed to somebody or not. */
export function haveSameConditions({ effects: mine }: Reading, { effects: yours }: Reading): boolean {
  if (mine.condition !== yours.condition || mine.former !== yours.former) return false;
  return (mine.attribution === '') === (yours.attribution === '');
}

/** Like `haveSameConditions`, except for the words in which the two differ, which may themselves be a condition. */
export function haveSameConditionsBesideEdits({ left, right, telling }: Pick<Compared, 'left' | 'right' | 'telling'>): boolean {
  if (left.effects === right.effects) return true;
  const edited = telling.flatMap((edit) => [...edit.left, ...edit.right]);
  const words = ({ effects }: Reading): string =>
    `${effects.condition} ${effects.former} ${effects.attribution === '' ? '' : 'says'}`
      .split(' ')
      .filter((word) => word !== '' && !edited.some((token) => token.word.text === word))
      .join(' ');
  return words(left) === words(right);
}

/** Whether two statements are definite, about the same time, under the same conditions and on the same authority. */
export function haveSameTerms(left: Reading, right: Reading): boolean {
  if (left.effects.hedge !== '' || right.effects.hedge !== '' || left.tense !== right.tense) return false;
  return haveSameConditions(left, right) && sameDates(left.dates, right.dates);
}
