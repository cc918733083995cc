import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';

/** A claim, and the sentences of other reports that contradict it. */
export interface Dispute {
  claim: Claim;
  opponents: readonly Statement[];
}

const MAX_OPPONENTS = 3;

/** The disputes that claims are part of. A pair of opposing sentences is one dispute, though it makes two claims. */
export function disputesOf(claims: readonly Claim[]): Dispute[] {
  const shown = new Set<Statement>();
  return claims.flatMap((claim) => {
    if (claim.contradicting.length === 0 || claim.supporting.some((statement) => shown.has(statement))) return [];
    for (const statement of claim.contradicting) shown.add(statement);
    return [{ claim, opponents: claim.contradicting.slice(0, MAX_OPPONENTS) }];
  });
}
