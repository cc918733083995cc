import type { ClaimFeatures } from './claim-features';
import { toldInField } from './told-in-field';
import { toldInFields } from './told-in-fields';

/** How a record and another claim compare in a value that both tell. */
export type ToldInRecord = 'figures differ' | 'dates differ' | 'one denies it' | 'same figures';

/**
 * How two claims compare if one or both are records and both tell the same measure of the same thing: “Harbour Bridge | Length: 388 m” and “The Harbour
 * Bridge is 412 m long”. Null if that is not so, or unclear. A single difference counts more than all that is the same.
 */
export function toldInRecord(one: ClaimFeatures, other: ClaimFeatures): ToldInRecord | null {
  const [mine, theirs] = [one.fields, other.fields];
  if (!mine && !theirs) return null;
  const told =
    mine && theirs
      ? toldInFields(mine, theirs)
      : [...(mine ?? []).map((field) => toldInField(field, one, other)), ...(theirs ?? []).map((field) => toldInField(field, other, one))];
  return told.find((each) => each !== null && each !== 'same figures') ?? told.find((each) => each !== null) ?? null;
}
