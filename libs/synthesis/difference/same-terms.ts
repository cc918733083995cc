import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Compared } from './compared';

/** Whether two statements are both negated, or neither is. */
export const areNegatedAlike = ({ polarity: mine }: Reading, { polarity: yours }: Reading): boolean => mine.isNegated === yours.isNegated;

/** As `areNegatedAlike`, and so they are with what they only contrast: where it cannot be told what a "not" denies, the two do not say the same. */
export const areNegatedAlikeInAll = (left: Reading, right: Reading): boolean =>
  areNegatedAlike(left, right) && left.polarity.isNegatedInAll === right.polarity.isNegatedInAll;

/** Whether two statements hold under the same conditions, then or still, and both on somebody's authority or both on nobody's. */
export function haveSameConditions({ roles: mine }: Reading, { roles: yours }: Reading): boolean {
  if (mine.condition !== yours.condition || mine.former !== yours.former) return false;
  return (mine.attribution === '') === (yours.attribution === '');
}

/** As `haveSameConditions`, but for the words that the two differ in: these may themselves be a condition. */
export function haveSameConditionsBesideEdits({ left, right, telling }: Pick<Compared, 'left' | 'right' | 'telling'>): boolean {
  if (left.roles === right.roles) return true;
  const edited = telling.flatMap((edit) => [...edit.left, ...edit.right]);
  const words = ({ roles }: Reading): string =>
    `${roles.condition} ${roles.former} ${roles.attribution === '' ? '' : 'says'}`
      .split(' ')
      .filter((word) => word !== '' && !edited.some((token) => token.word.text === word))
      .join(' ');
  return words(left) === words(right);
}

/** Whether two statements speak of the same time, without leaving anything open, under the same conditions and on the same authority. */
export function haveSameTerms(left: Reading, right: Reading): boolean {
  if (left.roles.hedge !== '' || right.roles.hedge !== '' || left.tense !== right.tense) return false;
  return haveSameConditions(left, right) && sameDates(left.dates, right.dates);
}
