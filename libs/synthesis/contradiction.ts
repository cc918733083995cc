import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Reading } from '@lib/language/reading/reading';
import type { Comparison } from './comparison';
import type { Statement } from './claims';
import { align, clearlyDiffer, differsInBoth } from './contradiction/alignment';
import { differInDirection } from './contradiction/direction';
import { conflictingLives } from './contradiction/lives';
import { differInPolarity } from './contradiction/polarity';
import { differInQuantity } from './contradiction/quantity';
import { stanceBetween } from './contradiction/stance';
import { differInValue, hasFiller } from './contradiction/value';
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
  const subjects = new Similarity(statements.map(({ reading }) => reading.subject));
  const found: Contradiction[] = [];
  for (const [first, second] of pairs) {
    const [left, right] = [statements[first], statements[second]];
    if (!left || !right || left.provider === right.provider || left.text === right.text) continue;
    if (subjects.sharedMass(first, second) < WORTH_READING * Math.max(subjects.mass(first), subjects.mass(second))) continue;
    const cue = cueBetween(left.reading, right.reading);
    if (cue !== null) found.push({ left, right, cue });
  }
  const alike = Map.groupBy(found, ({ left }) => left);
  for (const [left, right] of conflictingLives(statements))
    if (!alike.get(left)?.some((known) => known.right === right)) found.push({ left, right, cue: 'value' });
  return found;
}

/** Symmetric; null where nothing typed says that the two cannot both hold. Exactly one thing may differ. */
function cueBetween(left: Reading, right: Reading): ContradictionCue | null {
  if (left.isDependent || right.isDependent) return null;
  if (clearlyDiffer(left, right) && !(hasFiller(left) && hasFiller(right))) return null;
  const alignment = align(left, right);
  if (!alignment || (differsInBoth(alignment) && !(hasFiller(left) && hasFiller(right)))) return null;
  const stance = stanceBetween(left, right);
  if (!stance) return null;
  if (differInPolarity(left, right, alignment, stance)) return 'polarity';
  if (differInDirection(left, right, alignment, stance)) return 'direction';
  return differInQuantity(left, right, alignment, stance) ?? (differInValue(left, right, alignment, stance) ? 'value' : null);
}
