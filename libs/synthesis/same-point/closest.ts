/** How alike two claims are, by their positions; 0 for those that cannot be on one point. */
export type Alike = (left: number, right: number) => number;
/** Whether two claims share next to nothing or may not fit together, by their positions. */
export type Apart = (left: number, right: number) => boolean;

/** How alike two claims are, at least, that are each the closest of all to the other; read on reports that rules are tuned on. */
const CLOSEST = 0.22;
/** The same for a claim and the closest to it, which stands in a group. */
const JOINS = 0.3;
/** And how alike the claim is to all others of that group. */
const FITS = 0.07;
const NONE = -1;

/**
 * What is in no group joins the group of the claim closest to it, or makes one with that claim where each is the closest of all to the other. Two
 * who say one thing in words of their own share few of them, and yet more than with anybody else. Two whose figures, dates or denials differ as well
 * speak of two things.
 */
export function withClosest(groups: readonly (readonly number[])[], count: number, alike: Alike, areApart: Apart): number[][] {
  const closestTo = (place: number, least: number, among: readonly number[]): number => {
    let [closest, most] = [NONE, least];
    for (const other of among) {
      if (other === place || alike(other, place) < most || areApart(other, place)) continue;
      [closest, most] = [other, alike(other, place)];
    }
    return closest;
  };
  const all = groups.map((group) => [...group]);
  const places = [...Array(count).keys()];
  const left = new Set(places).difference(new Set(all.flat()));
  for (const place of left) {
    const closest = closestTo(place, JOINS, places);
    const group = all.find((members) => members.includes(closest));
    if (!group?.every((member) => alike(member, place) >= FITS && !areApart(member, place))) continue;
    group.push(place);
    left.delete(place);
  }
  const alone = [...left];
  for (const place of alone) {
    const closest = closestTo(place, CLOSEST, alone);
    if (closest > place && closestTo(closest, CLOSEST, alone) === place) all.push([place, closest]);
  }
  return all;
}
