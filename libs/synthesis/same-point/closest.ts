/** The similarity of two claims, by position; 0 if they cannot be on the same point. */
export type Alike = (left: number, right: number) => number;
/** Whether two claims, by position, share almost nothing or may conflict. */
export type Apart = (left: number, right: number) => boolean;

/** Least similarity of two claims that are each other's closest; chosen on the tuning reports. */
const CLOSEST = 0.22;
/** Least similarity of a claim and its closest one, if that is in a group. */
const JOINS = 0.3;
/** Least similarity of the claim and every other member of that group. */
const FITS = 0.07;
const NONE = -1;

/**
 * A claim outside all groups joins the group of its closest claim, or forms a group with it if each is the other's closest. Two claims that word the
 * same thing differently share few words, but more than with any other claim. If their figures, dates or denials also differ, they are about two
 * things.
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
