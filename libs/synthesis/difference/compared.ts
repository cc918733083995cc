import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { Edit } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';

/** Two statements with what they differ in, and what one of them only adds. */
export interface Compared {
  left: Reading;
  right: Reading;
  telling: readonly Edit[];
  besides: readonly Edit[];
  shared: number;
}

/** Where so many words are shared, a difference in other words hardly ever explains why one of two opposites holds. */
export const LONG_COPY = 5;

/** It does not make the two statements those of another thing, time or case. */
export function isBesideThePoint(compared: Compared, edit: Edit): boolean {
  if (compared.shared < LONG_COPY || isOfSubject(compared, edit)) return false;
  if ([...edit.left, ...edit.right].some(({ word }) => word.role !== null && word.role !== 'filler')) return false;
  const kind = kindOf(edit);
  return kind === 'other' || kind === 'quantifier' || (kind === 'number' && sameDates(compared.left.dates, compared.right.dates));
}

/** What one says more of the subject, or otherwise, makes it another: "the mother of", "Jr." */
export function isOfSubject({ left, right }: Compared, { leftFrom, rightFrom }: Edit): boolean {
  return leftFrom <= left.subjectEnd && rightFrom <= right.subjectEnd;
}
