import type { ClaimFeatures } from './claim-features';
import { fieldInSentence } from './field-in-sentence';
import { fieldInRecord } from './field-in-record';
import type { Field, ToldInRecord } from './record-fields';

/**
 * How two claims compare if one or both are records and both tell the same measure of the same thing: “Harbour Bridge | Length: 388 m” and “The Harbour
 * Bridge is 412 m long”. Null if that is not so, or unclear. A single difference counts more than all that is the same.
 */
export function toldInRecord(one: ClaimFeatures, other: ClaimFeatures): ToldInRecord | null {
  const told = [
    ...(one.fields ?? []).map((field) => toldOf(field, one, other)),
    ...(other.fields ?? []).map((field) => toldOf(field, other, one)),
  ];
  return told.find((each) => each !== null && each !== 'same figures') ?? told.find((each) => each !== null) ?? null;
}

/** The values of a record that another claim tells too. */
export const fieldsToldIn = (other: ClaimFeatures, record: ClaimFeatures): readonly Field[] =>
  (record.fields ?? []).filter((field) => toldOf(field, record, other) !== null);

const toldOf = (field: Field, record: ClaimFeatures, other: ClaimFeatures): ToldInRecord | null =>
  other.fields ? fieldInRecord(field, other.fields) : fieldInSentence(field, record, other);
