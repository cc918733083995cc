import { saysTheSame, type TermAlignment } from '../alignment/term-alignment';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { haveSameTerms } from '../difference/same-terms';
import type { Reading } from '@lib/language/reading/reading';
import { contradicts, type Stance } from './stance';

/** Both make mutually exclusive statements about the same thing at the same time: it rose and it fell, A beat B and B beat A. */
export function differInDirection(left: Reading, right: Reading, alignment: TermAlignment, stance: Stance): boolean {
  if (stance.isNegation || !contradicts(stance) || !haveSameTerms(left, right)) return false;
  return saysTheSame(alignment) && compareAmounts(left.amounts, right.amounts).kind === 'same';
}
