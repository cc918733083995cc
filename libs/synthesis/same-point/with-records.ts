import type { Claim } from '../claims/claim-table';
import { haveOneProvider, isShared } from '../claims/who-says';
import { surelySpeakOfOneThing } from './remark';
import type { Remarks } from './remarks';
import { toldInRecord } from './told-in-record';

/** Most records in a group that gets another one. */
const MAX_RECORDS = 3;

/**
 * Adds each record to the groups of the claims that tell one of its values. A row tells values of several things, so it may stand in several groups.
 * @param groups by the places of the claims
 */
export function withRecords(groups: readonly (readonly number[])[], claims: readonly Claim[], remarks: Remarks): readonly number[][] {
  const all = groups.map((group) => [...group]);
  const isRecord = (place: number): boolean => {
    const claim = claims[place];
    return claim !== undefined && remarks.featuresOf(claim).fields !== null;
  };
  for (const [record, claim] of claims.entries()) {
    if (!isRecord(record) || isShared(claim)) continue;
    for (const [place, other] of claims.entries()) {
      if (place === record || (isRecord(place) && place > record) || !tellOneValue(claim, other, remarks)) continue;
      const group = all.find((members) => members.includes(place));
      if (!group) all.push([place, record]);
      else if (!group.includes(record) && group.filter(isRecord).length < MAX_RECORDS) group.push(record);
    }
  }
  return all;
}

const tellOneValue = (record: Claim, other: Claim, remarks: Remarks): boolean =>
  !haveOneProvider(record, other) &&
  toldInRecord(remarks.featuresOf(record), remarks.featuresOf(other)) !== null &&
  surelySpeakOfOneThing(record, other);
