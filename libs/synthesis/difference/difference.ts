import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isOfSubject, type Compared } from './compared';
import { conflictAt, exchangesSiblings } from './conflicts';
import type { Edit } from '../alignment/edit';
import { kindOf } from '../alignment/edit-kinds';
import { alignWords, type WordAlignment } from '../alignment/edits';
import { exchangesOneThing } from './exchange';
import { inPlainOrder } from './plain-order';
import { haveSameConditionsBesideEdits } from './same-terms';

/** How two statements with mostly the same words differ: not in anything that matters, in an unclear way, or so that they cannot both hold. */
export type Difference = 'none' | 'unclear' | ContradictionCue;

/** Least number of meaningful words shared in order, so that a difference counts as the only one. */
export const MIN_SHARED = 2;
/** The same if several things differ: this number, and this share of the longer statement's words. */
const MIN_SHARED_OF_SEVERAL = 3;
const SHARED_OF_SEVERAL = 0.5;
export const MAX_DIFFERENCES = 3;
/** Most additional words beside the differences. */
export const MAX_BESIDES = 3;

export function differenceBetween(left: Reading, right: Reading): Difference {
  return differenceOf(alignWords(left, right), left, right);
}

/** Like `differenceBetween`, for statements that are already aligned. */
export function differenceOf(alignment: WordAlignment, left: Reading, right: Reading): Difference {
  if (alignment.moved < 1) return differenceIn(alignment, left, right);
  const [mine, yours] = [inPlainOrder(left), inPlainOrder(right)];
  return differenceIn(mine === left && yours === right ? alignment : alignWords(mine, yours), mine, yours);
}

function differenceIn({ edits, shared, moved }: WordAlignment, left: Reading, right: Reading): Difference {
  const mayConflict = shared >= MIN_SHARED && moved === 0;
  const telling: Edit[] = [];
  const besides: Edit[] = [];
  let wordsBeside = 0;
  for (const edit of edits) {
    if (kindOf(edit) === 'addition') {
      besides.push(edit);
      wordsBeside += edit.left.length + edit.right.length;
    } else if (!mayConflict || telling.push(edit) > MAX_DIFFERENCES) return 'unclear';
  }
  if (telling.length === 0) return 'none';
  const compared: Compared = { left, right, telling, besides, shared };
  if (wordsBeside > MAX_BESIDES || besides.some((edit) => isOfSubject(compared, edit) && saysWhich(edit))) return 'unclear';
  if (telling.length > 1 && !mayDifferInSeveral(compared)) return 'unclear';
  return cueOf(compared) ?? (exchangesOneThing(compared) ? 'value' : 'unclear');
}

function cueOf(compared: Compared): ContradictionCue | null {
  const { telling } = compared;
  if (!haveSameConditionsBesideEdits(compared) || (telling.length > 1 && telling.some(exchangesSiblings))) return null;
  const firstNumber = telling.find((edit) => kindOf(edit) === 'number');
  for (const edit of telling) {
    // One exchange of numbers stands for all of them.
    if (kindOf(edit) === 'number' && edit !== firstNumber) continue;
    const cue = conflictAt(compared, edit);
    if (cue) return cue;
  }
  return null;
}

/** Whether an introduction specifies which thing is meant: "Since 2008, it …" and "Finally, it …" do not. */
const saysWhich = ({ left, right }: Edit): boolean => left.some(isSpecific) || right.some(isSpecific);
export const isSpecific = ({ word }: Token): boolean => !word.verb.isAdverb && !INTRODUCING.has(word.text);
const INTRODUCING = new Set('since during additionally consequently'.split(' '));

/** Whether two statements share enough words for several differences to be told apart. */
export function mayDifferInSeveral({ left, right, shared }: Pick<Compared, 'left' | 'right' | 'shared'>): boolean {
  return shared >= MIN_SHARED_OF_SEVERAL && shared >= SHARED_OF_SEVERAL * Math.max(left.meaningfulCount, right.meaningfulCount);
}
