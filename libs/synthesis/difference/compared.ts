import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast } from '@lib/language/reading/token';
import type { Edit } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';

/** Two statements with the edits that matter, and those where one of them only adds something. */
export interface Compared {
  left: Reading;
  right: Reading;
  telling: readonly Edit[];
  besides: readonly Edit[];
  shared: number;
}

/** With this many shared words, other differences hardly ever explain a pair of opposites. */
export const LONG_COPY = 5;

/** Whether an edit leaves both statements about the same thing, time and case. */
export function isBesideThePoint(compared: Compared, edit: Edit): boolean {
  if (compared.shared < LONG_COPY || isOfSubject(compared, edit)) return false;
  if ([...edit.left, ...edit.right].some(({ word }) => word.effect !== null && word.effect !== 'filler')) return false;
  const kind = kindOf(edit);
  return kind === 'other' || kind === 'quantifier' || (kind === 'number' && sameDates(compared.left.dates, compared.right.dates));
}

/** Whether an edit changes the subject, such as "the mother of" or "Jr.", or that of what somebody says: "found that beetroot juice lowers …". */
export function isOfSubject({ left, right }: Compared, { leftFrom, rightFrom }: Edit): boolean {
  return leftFrom <= endOfSubject(left) && rightFrom <= endOfSubject(right);
}

function endOfSubject({ tokens, subjectEnd }: Reading): number {
  if (tokens[subjectEnd + 1]?.word.text !== 'that') return subjectEnd;
  const end = tokens.findIndex((token, at) => at > subjectEnd + 2 && (isFiniteOrPast(token) || token.word.verb.endsInS));
  return end < 0 ? subjectEnd : end;
}
