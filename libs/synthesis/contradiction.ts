import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Comparison } from './comparison';
import type { Statement } from './claims';
import { align, differsInBoth } from './contradiction/alignment';
import { differInDirection } from './contradiction/direction';
import { conflictingLives } from './contradiction/lives';
import { differInPolarity } from './contradiction/polarity';
import { differInQuantity } from './contradiction/quantity';
import { readStatement } from './contradiction/read-statement';
import type { Reading } from './contradiction/reading';
import { stanceBetween } from './contradiction/stance';
import { differInValue, hasValueSlot } from './contradiction/value';
import { Similarity } from './similarity';

/** Two statements of different providers that cannot both hold, with the cue that says so. */
export interface Contradiction {
  left: Statement;
  right: Statement;
  cue: ContradictionCue;
}

/** Share of each statement's weight that the other must have before the two are read closely. */
const WORTH_READING = 0.35;

/**
 * Contradictions between statements, only by a typed cue between two that say the same otherwise, each pair once and in the order of the
 * statements. What one report leaves out never contradicts another report, and neither do different numbers of different years.
 */
export function findContradictions({ statements, pairs }: Comparison): Contradiction[] {
  const subjects = new Similarity(statements.map(({ subject }) => subject));
  const readings = new Map<Statement, Reading>();
  const read = (statement: Statement): Reading => {
    const reading = readings.get(statement) ?? readStatement(statement.text);
    readings.set(statement, reading);
    return reading;
  };
  const found: Contradiction[] = [];
  for (const [first, second] of pairs) {
    const [left, right] = [statements[first], statements[second]];
    if (!left || !right || left.provider === right.provider || left.text === right.text) continue;
    if (subjects.sharedMass(first, second) < WORTH_READING * Math.max(subjects.mass(first), subjects.mass(second))) continue;
    const cue = cueBetween(read(left), read(right));
    if (cue !== null) found.push({ left, right, cue });
  }
  const alike = Map.groupBy(found, ({ left }) => left);
  for (const [left, right] of conflictingLives(statements, read))
    if (!alike.get(left)?.some((known) => known.right === right)) found.push({ left, right, cue: 'value' });
  return found;
}

/** Symmetric; null where nothing typed says that the two cannot both hold. Exactly one thing may differ. */
function cueBetween(left: Reading, right: Reading): ContradictionCue | null {
  if (left.isDependent || right.isDependent) return null;
  const alignment = align(left, right);
  if (!alignment || (differsInBoth(alignment) && !(hasValueSlot(left) && hasValueSlot(right)))) return null;
  const stance = stanceBetween(left, right);
  if (!stance) return null;
  if (differInPolarity(left, right, alignment, stance)) return 'polarity';
  if (differInDirection(left, right, alignment, stance)) return 'direction';
  return differInQuantity(left, right, alignment, stance) ?? (differInValue(left, right, alignment, stance) ? 'value' : null);
}
