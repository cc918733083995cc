import type { Claim } from '../claims/claim-table';
import type { Statement } from '../statement/statement';

/** Equally worded statements of one or more reports. */
export type Side = readonly [Statement, ...Statement[]];

/** A claim, and the statements of other reports against it. */
export interface Dispute {
  claim: Claim;
  opponents: readonly Side[];
}

const MAX_OPPONENTS = 3;

/**
 * The disputes that claims take part in. A pair of opposing sentences is one dispute, although it makes two claims. What several claims contradict is
 * one dispute with several opponents, so claims with the most opponents come first.
 */
export function disputesOf(claims: readonly Claim[]): Dispute[] {
  const shown = new Set<Statement>();
  const disputes = claims
    .map((claim): [Claim, Side[]] => [claim, sidesAgainst(claim)])
    .toSorted(([, sides], [, others]) => others.length - sides.length)
    .flatMap(([claim, sides]): [Claim, Dispute][] => {
      if (sides.length === 0 || claim.supporting.some((statement) => shown.has(statement))) return [];
      // Opponents not shown yet come first, because a report has room for only a few pairs.
      const opponents = sides.toSorted((one, other) => Number(shown.has(one[0])) - Number(shown.has(other[0]))).slice(0, MAX_OPPONENTS);
      for (const statement of opponents.flat()) shown.add(statement);
      return [[claim, { claim, opponents }]];
    });
  const byClaim = new Map(disputes);
  return claims.flatMap((claim) => byClaim.get(claim) ?? []);
}

const sidesAgainst = ({ contradicting }: Claim): Side[] =>
  [...Map.groupBy(contradicting, ({ wording }) => wording).values()] as [Statement, ...Statement[]][];
