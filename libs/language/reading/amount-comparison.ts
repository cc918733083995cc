import type { Amount } from './amount';
import { NAMED } from './measures';

export type AmountComparison = { kind: 'same' } | { kind: 'incomparable' } | { kind: 'different'; isBare: boolean; differing: number };

const SAME: AmountComparison = { kind: 'same' };
const INCOMPARABLE: AmountComparison = { kind: 'incomparable' };

/** Compares amounts in pairs of the same unit, in order. An amount without a partner makes the sentences incomparable. */
export function compareAmounts(left: readonly Amount[], right: readonly Amount[]): AmountComparison {
  if (left.length !== right.length) return INCOMPARABLE;
  if (left.length === 0) return SAME;
  const paired = new Set<Amount>();
  let [differing, isBare] = [0, true];
  for (const amount of left) {
    const partner = right.find((other) => other.unit === amount.unit && other.relation === amount.relation && !paired.has(other));
    if (!partner) return INCOMPARABLE;
    paired.add(partner);
    if (!amountsConflict(amount, partner)) continue;
    // Different things with the same name: "Windows 7" and "Windows 8".
    if (amount.unit.startsWith(NAMED)) return INCOMPARABLE;
    differing += 1;
    isBare &&= amount.unit === '';
  }
  return differing === 0 ? SAME : { kind: 'different', isBare, differing };
}

/** Whether two intervals are further apart than their tolerances. */
function amountsConflict(one: Amount, other: Amount): boolean {
  const gap = Math.max(one.low - other.high, other.low - one.high);
  return gap > Math.max(one.tolerance, other.tolerance);
}
