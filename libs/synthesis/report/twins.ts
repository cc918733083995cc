import type { Claim } from '../claims/claim-table';
import { isDisputed, isQuoted } from '../claims/who-says';

/**
 * By a claim, the claims of other reports in the very same words, where nothing tells that both speak of one thing: "The mill closed in 1920".
 * The mill of the one report may be another than that of the other, so these are claims of one provider each, also where the other report says
 * which mill. A reader needs the line once, and among the answers if one of them is an answer.
 */
export function twinsIn(claims: readonly Claim[], isAnAnswer: (claim: Claim) => boolean): ReadonlyMap<Claim, readonly Claim[]> {
  const isUnknown = ({ supporting }: Claim): boolean => supporting.every((statement) => statement.isUnknown);
  const unsure = claims.filter((claim) => !isDisputed(claim) && !isQuoted(claim) && claim.confidence === 'low');
  const groups = [...Map.groupBy(unsure, ({ reading }) => reading.wording).values()].filter((group) => group.some(isUnknown));
  return new Map(
    groups.flatMap((group) => {
      const first = group.find(isAnAnswer) ?? group[0];
      const others = group.filter((claim) => claim !== first);
      return first && others.length > 0 ? [[first, others] as const] : [];
    }),
  );
}
