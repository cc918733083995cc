import type { Claim } from '../claims/claim-table';
import { Similarity } from '../comparison/similarity';
import { isQuoted } from '../claims/who-says';

/** How close claims are to the question and to each other, from 0 to 1. */
export interface Closeness {
  relevanceOf: (claim: Claim) => number;
  cosineOf: (one: Claim | undefined, other: Claim | undefined) => number;
}

const RANK_SMOOTHING = 4;
/** The relevance of a claim that shares no word with the question, which is the minimum. */
export const UNRELATED = 0.2;

/** @param question the stems of the question's words */
export function closenessOf(claims: readonly Claim[], question: ReadonlySet<string>): Closeness {
  const terms = claims.map(({ reading }) => reading.stems);
  // Words that no claim mentions would lower all claims equally.
  const answerable = new Set([...question].filter((term) => terms.some((ofClaim) => ofClaim.has(term))));
  const similarity = new Similarity([...terms, answerable]);
  const engines = new Set(claims.filter(isQuoted).flatMap(({ supporting }) => supporting.map(({ stepId }) => stepId))).size;
  const positions = new Map(claims.map((claim, position) => [claim, position]));
  const positionOf = (claim: Claim | undefined): number => (claim && positions.get(claim)) ?? claims.length;
  return {
    relevanceOf: (claim) =>
      isQuoted(claim)
        ? relevanceOfQuotation(claim, engines)
        : UNRELATED + (1 - UNRELATED) * similarity.containment(claims.length, positionOf(claim)),
    cosineOf: (one, other) => similarity.cosine(positionOf(one), positionOf(other)),
  };
}

/**
 * How high the engines that read the documents rank it, 1 if all of them give it first. 4 / (4 + place), so that mainly the first few places matter.
 */
function relevanceOfQuotation({ supporting }: Claim, engines: number): number {
  const best = new Map<string, number>();
  for (const { stepId, quotation } of supporting)
    best.set(stepId, Math.max(best.get(stepId) ?? 0, RANK_SMOOTHING / (RANK_SMOOTHING + (quotation?.place ?? Infinity))));
  return [...best.values()].reduce((sum, share) => sum + share, 0) / Math.max(1, engines);
}
