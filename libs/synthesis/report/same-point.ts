import type { Claim } from '../claims/claim-table';
import type { Likeness } from './likeness';
import { isShared } from './who-says';
import { providersOf } from './wording';

/** From this cosine on two claims of different providers speak of the same point; read on reports and biographies that rules are tuned on. */
const SAME_POINT = 0.3;
/** A third is as like one of the two, and so like the other. */
const THIRD = SAME_POINT / 2;

/**
 * Claims of different providers on the same point, in words that nothing shows to mean the same or to exclude each other: by the best of them
 * the others, or by the best of those that answer the question. A reader is to compare them.
 */
export function onSamePoint({ claims, cosines }: Likeness, isAnAnswer: (claim: Claim) => boolean): Map<Claim, readonly Claim[]> {
  const providers = claims.map(({ supporting }) => new Set(providersOf(supporting)));
  const cosine = (left: number, right: number): number => cosines[left]?.[right] ?? 0;
  const isAlike = (left: number, right: number, least: number): boolean =>
    cosine(left, right) >= least && (providers[left]?.isDisjointFrom(providers[right] ?? new Set()) ?? false);
  const pairs: [number, number][] = [];
  for (const right of claims.keys()) {
    for (let left = 0; left < right; left += 1) if (isAlike(left, right, SAME_POINT)) pairs.push([left, right]);
  }
  pairs.sort((one, other) => cosine(...other) - cosine(...one));
  return new Map(
    groupsOf(pairs, (left, right) => isAlike(left, right, THIRD)).flatMap((places) => {
      const group = places.toSorted((one, other) => one - other).flatMap((place) => claims[place] ?? []);
      const first = group.find(isAnAnswer) ?? group[0];
      // What several say stands in a part of its own, not below what one says.
      const others = group.filter((claim) => claim !== first && (!isShared(claim) || (first && isShared(first))));
      return first && others.length > 0 ? [[first, others] as const] : [];
    }),
  );
}

/** Each pair makes a group, or brings one more into a group where it is like all others. */
function groupsOf(pairs: readonly (readonly [number, number])[], isAlike: (left: number, right: number) => boolean): number[][] {
  const groups = new Map<number, number[]>();
  for (const pair of pairs) {
    const group = groups.get(pair[0]) ?? groups.get(pair[1]) ?? [];
    const joining = pair.filter((place) => !groups.has(place));
    if (!joining.every((place) => group.every((member) => isAlike(member, place)))) continue;
    group.push(...joining);
    for (const place of joining) groups.set(place, group);
  }
  return [...new Set(groups.values())];
}
