import type { Claim } from '../claims/claim-table';
import type { Likeness } from '../same-point/likeness';
import { titleOf } from './topic-title';

/** Claims about the same thing. */
export interface Topic {
  /** Words of one of its claims, unchanged except for the case of the first letter. */
  title: string;
  claims: Claim[];
}

/** Two clusters are one topic from this mean cosine of their claims on. */
const SAME_TOPIC = 0.1;
/** Only this many of the best claims are sorted, because clustering takes more than quadratic time. */
const MAX_CLAIMS = 60;

/**
 * The topics of some claims, the largest first: clusters by average linkage. A claim alone, or a cluster without a shared phrase for a title, is not
 * a topic.
 */
export function topicsOf({ claims, ignored, cosine }: Likeness): Topic[] {
  const byTitle = new Map<string, Claim[]>();
  for (const cluster of clustersOf(cosine, Math.min(MAX_CLAIMS, claims.length))) {
    if (cluster.length < 2) continue;
    const members = cluster.flatMap((position) => claims[position] ?? []);
    const title = titleOf(
      members.map(({ reading }) => reading),
      ignored,
    );
    if (title !== null) byTitle.set(title, [...(byTitle.get(title) ?? []), ...members]);
  }
  return [...byTitle].map(([title, members]) => ({ title, claims: members })).sort((a, b) => b.claims.length - a.claims.length);
}

/** The strongest link of a cluster to a later one; the first of equals. */
interface Link {
  right: number;
  strength: number;
}

const NO_LINK: Link = { right: -1, strength: 0 };
const NO_ROW: number[] = [];

/** The positions in each cluster, ascending; clusters are ordered by their first position. A cluster merged into an earlier one is empty. */
function clustersOf(cosine: Likeness['cosine'], count: number): number[][] {
  const clusters = Array.from({ length: count }, (_, position) => [position]);
  const links = linksOf(cosine, count);
  const strongest = links.map(strongestOf);
  for (;;) {
    const left = indexOfStrongest(strongest);
    const { right, strength } = strongest[left] ?? NO_LINK;
    if (strength < SAME_TOPIC) return clusters;
    const mine = clusters[left] ?? [];
    const yours = clusters[right] ?? [];
    join(links, left, right, mine.length, yours.length);
    clusters[left] = [...mine, ...yours].sort((a, b) => a - b);
    clusters[right] = [];
    for (let other = 0; other < count; other += 1) {
      const row = links[other] ?? NO_ROW;
      const known = strongest[other] ?? NO_LINK;
      const isTouched = other === left || other === right || known.right === left || known.right === right;
      if (isTouched || (row[left] ?? 0) >= known.strength) strongest[other] = strongestOf(row, other);
    }
  }
}

/** The similarity of each two of `count` claims. */
function linksOf(cosine: Likeness['cosine'], count: number): number[][] {
  // Ordinary arrays, as there are many: typed arrays are allocated outside the heap.
  const links = Array.from({ length: count }, () => new Array<number>(count).fill(NO_LINK.strength));
  for (const [right, ofRight] of links.entries())
    for (let left = 0; left < right; left += 1) {
      const ofLeft = links[left];
      if (ofLeft) ofLeft[right] = ofRight[left] = cosine(left, right);
    }
  return links;
}

/** Merges the right cluster into the left one: its links become the weighted mean of both, and the right one has none. */
function join(links: readonly number[][], left: number, right: number, mine: number, yours: number): void {
  const joined = links[left] ?? NO_ROW;
  for (let other = 0; other < links.length; other += 1) {
    const row = links[other];
    if (!row || other === left || other === right) continue;
    row[left] = joined[other] = ((row[left] ?? 0) * mine + (row[right] ?? 0) * yours) / (mine + yours);
    row[right] = 0;
  }
  joined[right] = 0;
  links[right]?.fill(0);
}

function strongestOf(row: readonly number[], left: number): Link {
  let right = -1;
  let strength = 0;
  for (let other = left + 1; other < row.length; other += 1) {
    const own = row[other] ?? 0;
    if (own > strength) {
      right = other;
      strength = own;
    }
  }
  return right < 0 ? NO_LINK : { right, strength };
}

/** The index of the strongest link, the first of equals. */
function indexOfStrongest(links: readonly Link[]): number {
  let found = 0;
  let most = -1;
  for (let at = 0; at < links.length; at += 1) {
    const strength = links[at]?.strength ?? 0;
    if (strength > most) {
      found = at;
      most = strength;
    }
  }
  return found;
}
