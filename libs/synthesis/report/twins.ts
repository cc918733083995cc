import type { Claim } from '../claims/claim-table';
import { isDisputed, isQuoted } from '../claims/who-says';

/**
 * For a claim, the equally worded claims of other reports, if nothing shows that all are about the same thing: "The mill closed in 1920". The reports
 * may mean different mills, so these remain claims of one provider each, even if the other report says which mill. The line is shown once, in the
 * answer if one of them is an answer.
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
