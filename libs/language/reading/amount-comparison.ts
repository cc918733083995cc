import { NAMED, type Amount } from './amounts';

export type AmountComparison = { kind: 'same' } | { kind: 'incomparable' } | { kind: 'different'; isBare: boolean };

/** Amounts are paired by unit, in order; one without a partner makes the sentences incomparable. */
export function compareAmounts(left: readonly Amount[], right: readonly Amount[]): AmountComparison {
  if (left.length !== right.length) return { kind: 'incomparable' };
  const rest = [...right];
  const different: Amount[] = [];
  for (const amount of left) {
    const position = rest.findIndex(({ unit, relation }) => unit === amount.unit && relation === amount.relation);
    const [partner] = position === -1 ? [] : rest.splice(position, 1);
    if (!partner) return { kind: 'incomparable' };
    if (!amountsConflict(amount, partner)) continue;
    // Two things of one name: "Windows 7" and "Windows 8".
    if (amount.unit.startsWith(NAMED)) return { kind: 'incomparable' };
    different.push(amount);
  }
  return different.length === 0 ? { kind: 'same' } : { kind: 'different', isBare: different.every(({ unit }) => unit === '') };
}

/** Their intervals lie further apart than both are rounded. */
function amountsConflict(one: Amount, other: Amount): boolean {
  const gap = Math.max(one.low - other.high, other.low - one.high);
  return gap > Math.max(one.tolerance, other.tolerance);
}
