import type { Claim } from '../claims/claim-table';
import { haveOneProvider, isShared } from '../claims/who-says';
import { surelySpeakOfOneThing } from './remark';
import type { Remarks } from './remarks';
import { toldInRecord } from './told-in-record';

/** A group with as many records gets no further one. */
const MAX_RECORDS = 3;

/**
 * Adds each record to the groups of the claims that tell one of its values. A row tells values of several things, so it may stand in several groups. To a
 * record that several reports share, the others are added.
 * @param groups by the places of the claims
 */
export function withRecords(groups: readonly (readonly number[])[], claims: readonly Claim[], remarks: Remarks): readonly number[][] {
  const all = groups.map((group) => [...group]);
  const groupOf = (place: number): number[] | undefined => all.find((members) => members.includes(place));
  const isRecord = (place: number): boolean => {
    const claim = claims[place];
    return claim !== undefined && remarks.featuresOf(claim).fields !== null;
  };
  const join = (place: number, record: number): void => {
    const group = groupOf(place);
    if (!group) all.push([place, record]);
    else if (!group.includes(record) && group.filter(isRecord).length < MAX_RECORDS) group.push(record);
  };
  for (const [record, claim] of claims.entries()) {
    if (!isRecord(record)) continue;
    for (const [place, other] of claims.entries()) {
      if (place === record || (isRecord(place) && place > record) || !tellOneValue(claim, other, remarks)) continue;
      if (!isShared(claim)) join(place, record);
      else if (!isShared(other) && !groupOf(place)) join(record, place);
    }
  }
  return all;
}

const tellOneValue = (record: Claim, other: Claim, remarks: Remarks): boolean =>
  !haveOneProvider(record, other) &&
  toldInRecord(remarks.featuresOf(record), remarks.featuresOf(other)) !== null &&
  surelySpeakOfOneThing(record, other);
