import { align, saysTheSame, without, type Alignment } from './alignment';
import { compareAmounts } from './amounts';
import { differInAttribute } from './attribute';
import { differInAuthor } from './authorship';
import { datesConflict, sameDates } from './dates';
import { placesConflict } from './places';
import { sameConditions } from './polarity';
import type { Reading } from './reading';
import { contradicts, type Stance } from './stance';

/** The two sentences are the same but for what fills a slot that holds one value: the year of a founding, an author, a capital. */
export function differInValue(left: Reading, right: Reading, alignment: Alignment, stance: Stance): boolean {
  if (contradicts(stance) || stance.isOpposite || !sameConditions(left, right) || left.roles.hedge !== right.roles.hedge) return false;
  if (compareAmounts(left.amounts, right.amounts).kind !== 'same') return false;
  return (
    differInDate(left, right, alignment) || differInAuthor(left, right) || differInPlace(left, right) || differInAttribute(left, right)
  );
}

/** Something in it has but one value, and is named: they can differ in that and say the same otherwise. */
export function hasValueSlot(reading: Reading): boolean {
  return reading.authors().length > 0 || reading.attribute() !== null || (reading.happening()?.place ?? null) !== null;
}

function differInDate(left: Reading, right: Reading, alignment: Alignment): boolean {
  const [mine, yours] = [left.dates[0], right.dates[0]];
  if (!mine || !yours || left.dates.length + right.dates.length > 2 || !left.happening() || !right.happening()) return false;
  return datesConflict(mine, yours) && alignment.shared >= 2 && saysTheSame(alignment);
}

/** "formed in Amsterdam": where something happened once. */
function differInPlace(left: Reading, right: Reading): boolean {
  const [mine, yours] = [left.happening()?.place, right.happening()?.place];
  if (!mine || !yours || !placesConflict(mine.text, yours.text) || !sameDates(left.dates, right.dates)) return false;
  const rest = align(without(left, [mine.name]), without(right, [yours.name]));
  return rest !== null && rest.shared >= 2 && saysTheSame(rest, 0);
}
