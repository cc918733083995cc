import type { Claim } from '../claim-table';
import { Similarity } from '../similarity';
import { titleOf } from './topic-title';

/** Claims that speak of the same thing. */
export interface Topic {
  /** Words of one of its claims, as they stand there but for the first letter's case. */
  title: string;
  claims: Claim[];
}

/** Mean cosine of their claims from which two clusters are one topic. */
const SAME_TOPIC = 0.1;
/** Claims that are looked at, the best: clustering takes at least square time. */
const MOST_CLAIMS = 60;
/** Share of all claims from which a word that they have tells no topic from another. */
const COMMON = 0.5;

/**
 * The topics of some claims, those of most claims first: clusters by average linkage over TF-IDF, without the words of the question and
 * those that most claims share. A claim that belongs to no other, and a cluster whose claims share no phrase to name it by, are no topic.
 */
export function topicsOf(ranked: readonly Claim[], termsOf: (claim: Claim) => ReadonlySet<string>, question: ReadonlySet<string>): Topic[] {
  const claims = ranked.slice(0, MOST_CLAIMS);
  const all = claims.map(termsOf);
  const ignored = question.union(commonOf(all));
  const terms = all.map((ofClaim) => ofClaim.difference(ignored));
  const byTitle = new Map<string, Claim[]>();
  for (const cluster of clustersOf(new Similarity(terms), claims.length)) {
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

/** The terms of most of some texts; of two or three texts none, for what they share is their topic. */
function commonOf(all: readonly ReadonlySet<string>[]): Set<string> {
  const frequencies = new Map<string, number>();
  for (const term of all.flatMap((terms) => [...terms])) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return new Set([...frequencies].filter(([, frequency]) => frequency > Math.max(3, COMMON * all.length)).map(([term]) => term));
}

/** The strongest link of a cluster to a later one, of equals the first. */
interface Link {
  right: number;
  strength: number;
}

const NO_LINK: Link = { right: -1, strength: 0 };

/** Positions by cluster, ascending; the clusters by their first. A cluster that went into an earlier one is empty. */
function clustersOf(similarity: Similarity, count: number): number[][] {
  const clusters = Array.from({ length: count }, (_, position) => [position]);
  const links = linksBetween(similarity, count);
  const strongest = links.map(strongestOf);
  for (;;) {
    const left = indexOfStrongest(strongest);
    const { right, strength } = strongest[left] ?? NO_LINK;
    if (strength < SAME_TOPIC) return clusters;
    const [mine = [], yours = []] = [clusters[left], clusters[right]];
    clusters[left] = [...mine, ...yours].sort((a, b) => a - b);
    clusters[right] = [];
    const means = links.map((row) => ((row[left] ?? 0) * mine.length + (row[right] ?? 0) * yours.length) / (mine.length + yours.length));
    links[left] = means;
    links[right] = [];
    for (const [other, row] of links.entries()) {
      row[left] = means[other] ?? 0;
      row[right] = 0;
      const known = strongest[other] ?? NO_LINK;
      const isTouched = other === left || other === right || known.right === left || known.right === right;
      if (isTouched || row[left] >= known.strength) strongest[other] = strongestOf(row, other);
    }
  }
}

function linksBetween(similarity: Similarity, count: number): number[][] {
  const links = Array.from({ length: count }, () => new Array<number>(count).fill(0));
  for (const [left, row] of links.entries()) {
    for (const [right, other] of links.entries()) {
      if (right > left) row[right] = other[left] = similarity.cosine(left, right);
    }
  }
  return links;
}

function strongestOf(row: readonly number[], left: number): Link {
  let strongest = NO_LINK;
  for (let right = left + 1; right < row.length; right += 1) {
    const strength = row[right] ?? 0;
    if (strength > strongest.strength) strongest = { right, strength };
  }
  return strongest;
}

function indexOfStrongest(links: readonly Link[]): number {
  const most = Math.max(...links.map(({ strength }) => strength));
  return links.findIndex(({ strength }) => strength === most);
}
