import type { ComparedClaim } from '@lib/synthesis/same-point/claim-features';
import type { Remarks } from '@lib/synthesis/same-point/remarks';
import type { Findings } from '@lib/synthesis/synthesize';
import { isWithin, type Place } from './shown';

/** What became of the two sentences of a pair. */
export const OUTCOMES = [
  'in one claim',
  'disputed',
  'said to differ',
  'said to share figures',
  'below each other',
  'apart',
  'one in no claim',
] as const;
/** The same where a model takes part. */
export const OUTCOMES_BY_MODEL = ['contradicting to a model', 'agreeing to a model'] as const;
export type Outcome = (typeof OUTCOMES)[number] | (typeof OUTCOMES_BY_MODEL)[number];

export function outcomeOf({ claims, outline }: Findings, one: Place, other: Place): Outcome {
  const isIn = (statements: readonly Place[], place: Place): boolean => statements.some((statement) => isWithin(statement, place));
  if (claims.some(({ supporting }) => isIn(supporting, one) && isIn(supporting, other))) return 'in one claim';
  const standAgainst = (left: Place, right: Place): boolean =>
    claims.some(({ supporting, contradicting }) => isIn(supporting, left) && isIn(contradicting, right));
  if (standAgainst(one, other) || standAgainst(other, one)) return 'disputed';
  for (const [first, others] of outline.samePoint) {
    const group = [first, ...others];
    const [left, right] = [one, other].map((place) => group.find(({ supporting }) => isIn(supporting, place)));
    if (left && right) return belowEachOther(left, right, outline.remarks);
  }
  return [one, other].every((place) => claims.some(({ supporting }) => isIn(supporting, place))) ? 'apart' : 'one in no claim';
}

function belowEachOther(one: ComparedClaim, other: ComparedClaim, remarks: Remarks): Outcome {
  if (remarks.differOnlyToModel(one, other)) return 'contradicting to a model';
  if (remarks.mayDiffer(one, other)) return 'said to differ';
  const remark = remarks.between(one, other);
  if (remark === 'a model sees an agreement') return 'agreeing to a model';
  return /figures/.test(remark ?? '') ? 'said to share figures' : 'below each other';
}
