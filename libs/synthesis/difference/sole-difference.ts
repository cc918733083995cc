import type { ContradictionCue } from '@lib/domain/vocabulary';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { sameDates } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import type { EditKind } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';
import { alignWords } from '../alignment/edits';

/** Least number of meaningful words shared in order. */
const MIN_SHARED = 3;
/** The cue that an edit of each kind gives. */
const KIND_CUES: Readonly<Partial<Record<EditKind, ContradictionCue>>> = {
  denial: 'polarity',
  opposite: 'direction',
  opposed: 'direction',
  quantifier: 'quantity',
  name: 'value',
};

/**
 * The single difference between two statements of the same words; null if there are several or none. Only for statements already proposed as
 * contradictory, since the difference alone is no contradiction: two names may both have been there.
 */
export function soleDifference(left: Reading, right: Reading): ContradictionCue | null {
  const { edits, shared, moved } = alignWords(left, right);
  const [edit, ...others] = edits.filter((candidate) => kindOf(candidate) !== 'addition');
  if (!edit || others.length > 0 || moved > 0 || shared < MIN_SHARED) return null;
  const size = edits.reduce((sum, { left: mine, right: yours }) => sum + Math.max(mine.length, yours.length), 0);
  if (size > shared) return null;
  const kind = kindOf(edit);
  if (kind === 'other') return edit.left.length > 0 && edit.right.length > 0 ? 'value' : null;
  if (kind !== 'number') return KIND_CUES[kind] ?? null;
  if (!sameDates(left.dates, right.dates)) return 'value';
  const amounts = compareAmounts(left.amounts, right.amounts);
  return amounts.kind === 'same' ? null : 'quantity';
}
