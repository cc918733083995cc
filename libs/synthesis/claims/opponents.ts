import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Group } from '../agreement/agreement';
import type { Contradiction } from '../contradiction/contradiction';
import type { Statement } from '../statement/statement';

/** Statements that contradict a claim, or say the same as one that does, each with the cue. */
export type Opponents = ReadonlyMap<Statement, ContradictionCue>;

export const NO_OPPONENTS: Opponents = new Map();

/** For each group the statements of all groups that contradict it. */
export function opponentsOf(groups: readonly Group[], contradictions: readonly Contradiction[]): ReadonlyMap<Group, Opponents> {
  if (contradictions.length === 0) return new Map();
  // If a statement supports other groups and leads one of its own, only its own is contradicted.
  const groupOf = new Map<Statement, Group>();
  for (const group of groups.toReversed()) for (const statement of group) groupOf.set(statement, group);
  for (const group of groups) groupOf.set(group[0], group);
  const opponents = new Map<Group, Map<Statement, ContradictionCue>>();
  for (const { left, right, cue } of contradictions) {
    const [mine, yours] = [groupOf.get(left), groupOf.get(right)];
    if (!mine || !yours || mine === yours) continue;
    addTo(opponents, mine, yours, cue);
    addTo(opponents, yours, mine, cue);
  }
  return opponents;
}

function addTo(opponents: Map<Group, Map<Statement, ContradictionCue>>, group: Group, against: Group, cue: ContradictionCue): void {
  const all = opponents.get(group) ?? new Map<Statement, ContradictionCue>();
  for (const statement of against) if (!all.has(statement)) all.set(statement, cue);
  opponents.set(group, all);
}
