import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Comparison } from './comparison';
import type { Statement } from './claims';
import { align, differsInBoth } from './contradiction/alignment';
import { differInDirection } from './contradiction/direction';
import { conflictingLives } from './contradiction/lives';
import { differInPolarity } from './contradiction/polarity';
import { differInQuantity } from './contradiction/quantity';
import { stanceBetween } from './contradiction/stance';
import { differInValue } from './contradiction/value';
import { SharedTerms } from './contradiction/shared-terms';
import { Side } from './contradiction/side';
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
  const terms = new SharedTerms(statements.map(({ reading }) => reading));
  const sides = statements.map((statement) => new Side(statement));
  const found: Contradiction[] = [];
  for (let pair = 0; pair < pairs.lefts.length; pair += 1) {
    const first = pairs.lefts[pair] ?? 0;
    const second = pairs.rights[pair] ?? 0;
    const left = sides[first];
    const right = sides[second];
    if (!left || !right || left.provider === right.provider) continue;
    if (subjects.sharedMass(first, second) < WORTH_READING * Math.max(subjects.mass(first), subjects.mass(second))) continue;
    if (left.text === right.text) continue;
    if (left.isDependent || right.isDependent) continue;
    // Whatever names are short for others: seen at once, which spares most pairs the alignment.
    if (terms.differInBoth(first, second) && !(left.hasNames && right.hasNames) && !(left.hasFiller && right.hasFiller)) continue;
    const cue = cueBetween(left, right);
    if (cue !== null) found.push({ left: left.statement, right: right.statement, cue });
  }
  const alike = Map.groupBy(found, ({ left }) => left);
  for (const [left, right] of conflictingLives(statements))
    if (!alike.get(left)?.some((known) => known.right === right)) found.push({ left, right, cue: 'value' });
  return found;
}

/** Symmetric; null where nothing typed says that the two cannot both hold. Exactly one thing may differ. */
function cueBetween(one: Side, other: Side): ContradictionCue | null {
  const left = one.reading;
  const right = other.reading;
  const alignment = align(left, right);
  if (!alignment || (differsInBoth(alignment) && !(one.hasFiller && other.hasFiller))) return null;
  const stance = stanceBetween(left, right);
  if (!stance) return null;
  if (differInPolarity(left, right, alignment, stance)) return 'polarity';
  if (differInDirection(left, right, alignment, stance)) return 'direction';
  return differInQuantity(left, right, alignment, stance) ?? (differInValue(one, other, alignment, stance) ? 'value' : null);
}
