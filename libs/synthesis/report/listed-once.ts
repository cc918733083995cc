import { Judgement } from '../judgement/judgement';
import type { Claim } from '../claims/claim-table';
import { isDisputed, isQuoted } from '../claims/who-says';
import { likenessOf } from '../same-point/likeness';
import { NO_VIEW, type ModelsView } from '../same-point/models-view';
import type { Remarks } from '../same-point/remarks';
import { likenessOnPoints, onSamePoint } from '../same-point/same-point';
import { twinsIn } from './twins';

/** The undisputed claims, and which of them have a line of their own; the others are shown with their twin or below one on the same point. */
export function listedOnce(claims: readonly Claim[], isAnAnswer: (claim: Claim) => boolean, allRemarks: Remarks) {
  const twins = twinsIn(claims, isAnAnswer);
  const second = new Set([...twins.values()].flat());
  const undisputed = claims.filter((claim) => !isDisputed(claim) && !second.has(claim));
  const likeness = likenessOf(
    undisputed.filter((claim) => !isQuoted(claim)),
    allRemarks.asked.stems,
  );
  const alike = likenessOnPoints(likeness, allRemarks);
  // A reader judges by what the claims say, and not by what a model says of them.
  const judgement = new Judgement(
    likeness,
    allRemarks.modelsView === NO_VIEW ? alike : likenessOnPoints(likeness, allRemarks, NO_VIEW),
    allRemarks,
  );
  const remarks = allRemarks.confirmedBy((one, other) => judgement.mayConflict(one, other));
  const samePoint = withoutUnrelated(onSamePoint(likeness, alike, isAnAnswer, remarks), judgement, allRemarks.modelsView);
  const below = new Set([...samePoint.values()].flat());
  return { listed: undisputed.filter((claim) => !below.has(claim)), likeness, twins, samePoint, below, remarks, judgement };
}

/** Leaves out claims that share words with the first one of their group, and nothing to compare, unless a model compares them with any of it. */
function withoutUnrelated(
  samePoint: ReadonlyMap<Claim, readonly Claim[]>,
  judgement: Judgement,
  modelsView: ModelsView,
): Map<Claim, readonly Claim[]> {
  return new Map(
    [...samePoint].flatMap(([first, others]) => {
      const group = [first, ...others];
      const related = others.filter(
        (claim) => !judgement.areUnrelated(first, claim) || group.some((one) => modelsView(one, claim) !== null),
      );
      return related.length > 0 ? [[first, related] as const] : [];
    }),
  );
}
