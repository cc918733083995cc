import { saysTheSame, type TermAlignment } from '../alignment/term-alignment';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { sameDates } from '@lib/language/reading/dates';
import { haveSameConditions } from '../difference/same-terms';
import type { Reading } from '@lib/language/reading/reading';
import { contradicts, type Stance } from './stance';

/**
 * Both give an amount of the same thing, in the same unit and for the same time, with a difference beyond rounding. A number without a unit is a
 * value.
 */
export function differInQuantity(left: Reading, right: Reading, alignment: TermAlignment, stance: Stance): 'quantity' | 'value' | null {
  if (contradicts(stance) || stance.isOpposite || !saysTheSame(alignment, 0)) return null;
  if (left.effects.hedge !== right.effects.hedge || !haveSameConditions(left, right) || !sameDates(left.dates, right.dates)) return null;
  const comparison = compareAmounts(left.amounts, right.amounts);
  // A second amount may tell which one is meant: "systems below 10 kW earn 12 cents" and "systems above 100 kW earn 5 cents".
  if (comparison.kind !== 'different' || (comparison.differing > 1 && !comparison.isBare)) return null;
  return comparison.isBare ? 'value' : 'quantity';
}
