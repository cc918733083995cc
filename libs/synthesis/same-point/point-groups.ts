/** Whether two can be in one group; two of the same report only if each is similar to those of others. */
export type Fit = 'yes' | 'no' | 'of one report';

/**
 * Each pair forms a group, or adds a member to a group if that fits all its members. A claim that fits all but those of its own report is added at
 * the end, so the best of each report come first.
 * @param pairs by their positions, the best first
 */
export function pointGroups(
  pairs: readonly (readonly [number, number])[],
  fit: (left: number, right: number, pair: readonly [number, number]) => Fit,
): readonly number[][] {
  const groups = new Map<number, number[]>();
  for (const pair of pairs) {
    const group = groups.get(pair[0]) ?? groups.get(pair[1]) ?? [];
    const joining = pair.filter((place) => !groups.has(place));
    if (!joining.every((place) => group.every((member) => fit(member, place, pair) === 'yes'))) continue;
    group.push(...joining);
    for (const place of joining) groups.set(place, group);
  }
  for (const pair of pairs) {
    const [one, other] = pair;
    const group = groups.get(one) ?? groups.get(other);
    const joining = groups.has(one) ? other : one;
    if (!group || groups.has(joining) || !group.every((member) => fit(member, joining, pair) !== 'no')) continue;
    group.push(joining);
    groups.set(joining, group);
  }
  return [...new Set(groups.values())];
}
