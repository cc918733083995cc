import type { Amount } from '@lib/language/reading/amount';
import { areOfOtherTimes } from '../difference/values';
import type { ClaimFeatures } from './claim-features';
import { mayBeOneFigure } from './one-figure';
import { areOfOneUnit, type Field, type ToldInRecord } from './record-fields';

/** Most words that one name of a thing or measure has more than another: “Harbour Bridge” and “Harbour Bridge (north)”. */
const MAX_MORE = 2;

const YEAR = /^\d{4}$/;

/** How a value of a record compares with those of another record that are of the same measure of the same thing. */
export function fieldInRecord(field: Field, others: readonly Field[]): ToldInRecord | null {
  const told = others.map((other) => toldBetween(field, other));
  // Several columns may have similar heads, and the one with the same value is meant.
  return told.find((each) => each === 'same figures') ?? told.find((each) => each !== null) ?? null;
}

/** Whether two rows tell nothing of the same measure of the same thing. */
export const areUnrelatedRows = ({ fields: mine }: ClaimFeatures, { fields: theirs }: ClaimFeatures): boolean =>
  mine?.[0]?.kind === 'row' && theirs?.[0]?.kind === 'row' && !mine.some((one) => theirs.some((other) => areOfOne(one, other)));

function toldBetween(one: Field, other: Field): ToldInRecord | null {
  if (!areOfOne(one, other) || (one.period ?? other.period) !== (other.period ?? one.period)) return null;
  if (one.verdict !== null && other.verdict !== null) return (one.verdict === 'yes') === (other.verdict === 'yes') ? null : 'one denies it';
  if (one.amounts.length > 0 && other.amounts.length > 0) return toldByFigures(one.amounts, other.amounts);
  if (one.dates.length === 0 || other.dates.length === 0) return null;
  return areOfOtherTimes(one, other) ? 'dates differ' : 'same figures';
}

function toldByFigures(mine: readonly Amount[], theirs: readonly Amount[]): ToldInRecord | null {
  const pairs = mine.flatMap((one) => theirs.flatMap((other) => (areOfOneUnit(one, other) ? [[one, other] as const] : [])));
  if (pairs.length === 0) return null;
  return pairs.some(([one, other]) => mayBeOneFigure(one, other)) ? 'same figures' : 'figures differ';
}

/** Whether both are values of the same measure of the same thing, whichever of the two the rows and the columns are. */
const areOfOne = (one: Field, other: Field): boolean =>
  (isPartOf(one.row, other.row) && isPartOf(one.head, other.head)) || (isPartOf(one.row, other.head) && isPartOf(one.head, other.row));

/** Whether the shorter list of words is a part of the other one, with the same numbers. */
function isPartOf(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length === 0 || long.length - short.length > MAX_MORE || !short.every((stem) => long.includes(stem))) return false;
  const [mine, theirs] = [short, long].map((stems) => stems.filter((stem) => /\d/.test(stem)));
  return mine?.length === 0 ? !theirs?.some((stem) => YEAR.test(stem)) : mine?.join() === theirs?.join();
}
