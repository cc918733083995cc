import type { Claim } from '../claims/claim-table';
import { isShared, tellsInFull } from '../claims/who-says';
import { ownNames } from '../same-point/names-in-place';
import { tellsApart, type Remark } from '../same-point/remark';
import type { Remarks } from '../same-point/remarks';
import { surelyNameOthers } from '../same-point/telling-names';
import { quotedClaim } from './claim-text';
import type { Outline } from './outline';
import { providerList } from './wording';

/** The notes before what stands below the shown claims, without remarks. */
export const leadsIn = (outline: Outline): ReadonlySet<string> =>
  new Set(outline.shown.flatMap((claim) => leadsBelow(claim, outline)).map((lead) => (lead.startsWith('Compare') ? 'Compare' : lead)));

/** The notes on what stands below a claim. */
export function leadsBelow(claim: Claim, outline: Outline): readonly string[] {
  const others = outline.samePoint.get(claim) ?? [];
  return others.map((other, place) => leadOf(claim, others.slice(0, place), other, outline));
}

/**
 * The note on a claim that is shown with others on the same point: that it tells the first of them in full, how it compares with that one,
 * or with an earlier one that it may conflict with.
 */
function leadOf(first: Claim, above: readonly Claim[], other: Claim, { remarks, judgement }: Outline): string {
  if (isShared(first) && tellsInFull(other, first)) return 'In full';
  const seen = remarks.between(first, other);
  const unlike = tellsApart(seen) ? undefined : above.find((earlier) => remarks.mayDiffer(earlier, other));
  const beside = unlike ? ` with ${nameOf(unlike, [first, ...above])} above` : '';
  const told = shownRemark(unlike ? remarks.between(unlike, other) : seen, unlike ?? first, other, remarks);
  if (!unlike && judgement.areLikelyTheSame(first, other)) return 'Likely the same';
  return `Compare${beside}${told === null ? '' : `, ${told.replace('figures in common', 'some figures the same')}`}`;
}

/** Not “other names” where none surely differ: “Britain” and “the UK”. */
function shownRemark(remark: Remark | null, one: Claim, other: Claim, { asked }: Remarks): Remark | null {
  if (remark === null || !remark.endsWith('other names') || surelyNameOthers(...ownNames(one.reading, other.reading, asked))) return remark;
  return WITHOUT_NAMES.get(remark) ?? null;
}
const WITHOUT_NAMES: ReadonlyMap<Remark, Remark> = new Map([
  ['same figures, other names', 'same figures'],
  ['same year, other names', 'same year'],
  ['figures in common, other names', 'figures in common'],
]);

/** Its providers or, if others above have the same, the beginning of its words. */
function nameOf(claim: Claim, above: readonly Claim[]): string {
  const providers = providerList(claim.supporting);
  const isOnlyOne = above.filter(({ supporting }) => providerList(supporting) === providers).length < 2;
  return isOnlyOne ? providers : `“${quotedClaim(claim.text, claim.supporting, MAX_NAMED_BY)}”`;
}
const MAX_NAMED_BY = 60;
