import type { Comparison } from './agreement';
import type { Statement } from './claims';
import { oneHoldsTheOther, opposites, type Quantity, type Slots } from './slots';
import { Similarity } from './similarity';

export type ContradictionCue = 'negation' | 'quantity' | 'direction';

/** Two statements of different providers that cannot both hold, with the cue that says so. */
export interface Contradiction {
  left: Statement;
  right: Statement;
  cue: ContradictionCue;
}

/** Share of each statement's weight, numbers and antonyms left out, that the other must have: they speak of the same. */
const ALIGNED = 0.8;
const MIN_SHARED_TERMS = 2;
/** Amounts that differ by less are roundings of each other. */
const TOLERANCE = 0.05;

/**
 * Contradictions between statements, only by a typed cue between two sentences that say the same otherwise. What one report leaves
 * out never contradicts another report, and two sentences with different numbers in different years do not either.
 */
export function findContradictions({ statements, pairs }: Comparison): Contradiction[] {
  const subjects = new Similarity(statements.map(({ subject }) => subject));
  return pairs.flatMap(([first, second]) => {
    const [left, right] = [statements[first], statements[second]];
    if (!left || !right || left.provider === right.provider) return [];
    const cue = cueBetween(left.slots, right.slots);
    if (!cue || Math.min(subjects.termCount(first), subjects.termCount(second)) < MIN_SHARED_TERMS) return [];
    const aligned = subjects.containment(first, second) >= ALIGNED && subjects.containment(second, first) >= ALIGNED;
    return aligned ? [{ left, right, cue }] : [];
  });
}

/** Exactly one thing may differ: two differences are two different statements. */
function cueBetween(left: Slots, right: Slots): ContradictionCue | null {
  const sameSlots = sameSet(left.years, right.years) && sameSet(left.identifiers, right.identifiers) && sameSet(left.names, right.names);
  if (!sameSlots) return null;
  const negation = left.negated !== right.negated;
  const direction = opposites(left, right).length === 1;
  const quantity = sameSet(left.numbers, right.numbers) ? 'same' : comparedQuantities(left.quantities, right.quantities);
  if (quantity === 'incomparable') return null;
  const cues: ContradictionCue[] = [];
  if (negation) cues.push('negation');
  if (direction) cues.push('direction');
  if (quantity === 'different') cues.push('quantity');
  return cues.length === 1 ? (cues[0] ?? null) : null;
}

function comparedQuantities(left: readonly Quantity[], right: readonly Quantity[]): 'same' | 'different' | 'incomparable' {
  const units = left.map(({ unit }) => unit);
  const comparable = left.length === right.length && new Set(units).size === units.length && !units.includes('');
  if (!comparable) return 'incomparable';
  let different = 0;
  for (const { value, unit } of left) {
    const other = right.find((quantity) => quantity.unit === unit);
    if (!other) return 'incomparable';
    if (Math.abs(value - other.value) > TOLERANCE * Math.max(Math.abs(value), Math.abs(other.value))) different += 1;
  }
  return different === 0 ? 'same' : different === 1 ? 'different' : 'incomparable';
}

function sameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && oneHoldsTheOther(left, right);
}
