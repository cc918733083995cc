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
/** Claims that are looked at, the best: clustering takes cubic time. */
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
      members.map(({ text }) => text),
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

/** Positions by cluster, ascending; the clusters by their first. A cluster that went into another is empty. */
function clustersOf(similarity: Similarity, count: number): number[][] {
  const clusters = Array.from({ length: count }, (_, position) => [position]);
  const links = clusters.map(() => clusters.map(() => 0));
  for (const [left, row] of links.entries()) {
    for (const [right, other] of links.entries()) {
      if (right > left) row[right] = other[left] = similarity.cosine(left, right);
    }
  }
  for (let closest = closestOf(links); closest && closest.link >= SAME_TOPIC; closest = closestOf(links)) {
    const { left, right } = closest;
    const [mine = [], yours = []] = [clusters[left], clusters[right]];
    const merged = links.map((row, other) =>
      other === left || other === right
        ? 0
        : ((row[left] ?? 0) * mine.length + (row[right] ?? 0) * yours.length) / (mine.length + yours.length),
    );
    clusters[left] = [...mine, ...yours].sort((a, b) => a - b);
    clusters[right] = [];
    links[left] = merged;
    links[right] = merged.map(() => 0);
    for (const [other, row] of links.entries()) {
      row[left] = merged[other] ?? 0;
      row[right] = 0;
    }
  }
  return clusters;
}

/** The first of the strongest links, the earlier cluster on its left; null of one cluster alone. */
function closestOf(links: readonly (readonly number[])[]): { left: number; right: number; link: number } | null {
  let closest: { left: number; right: number; link: number } | null = null;
  for (const [left, row] of links.entries()) {
    for (let right = left + 1; right < row.length; right += 1) {
      const link = row[right] ?? 0;
      if (!closest || link > closest.link) closest = { left, right, link };
    }
  }
  return closest;
}
