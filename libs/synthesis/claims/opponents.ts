import type { ContradictionCue } from '@lib/domain/vocabulary';
import type { Group } from '../agreement/agreement';
import { datesConflict } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Contradiction } from '../contradiction/contradiction';
import { areEqual } from '../difference/values';
import type { Statement } from '../statement/statement';

/** Statements that contradict a claim, or say the same as one that does, each with the cue. */
export type Opponents = ReadonlyMap<Statement, ContradictionCue>;

export const NO_OPPONENTS: Opponents = new Map();

/** For each group the statements of all groups that contradict it. */
export function opponentsOf(groups: readonly Group[], contradictions: readonly Contradiction[]): ReadonlyMap<Group, Opponents> {
  if (contradictions.length === 0) return new Map();
  // If a statement supports other groups and leads one of its own, its own is contradicted, and of the others those that give what is disputed.
  const supported = supportedBy(groups);
  const groupOf = new Map<Statement, Group>();
  for (const group of groups.toReversed()) for (const statement of group) groupOf.set(statement, group);
  for (const group of groups) groupOf.set(group[0], group);
  const opponents = new Map<Group, Map<Statement, ContradictionCue>>();
  for (const { left, right, cue } of contradictions) {
    const [mine, yours] = [groupOf.get(left), groupOf.get(right)];
    if (!mine || !yours || mine === yours) continue;
    addTo(opponents, mine, yours, cue);
    addTo(opponents, yours, mine, cue);
    for (const group of supported.get(left) ?? [])
      if (group !== yours && givesDisputed(group, left, right)) addTo(opponents, group, yours, cue);
    for (const group of supported.get(right) ?? [])
      if (group !== mine && givesDisputed(group, right, left)) addTo(opponents, group, mine, cue);
  }
  return opponents;
}

/** The groups that a statement supports and does not lead. */
function supportedBy(groups: readonly Group[]): ReadonlyMap<Statement, Group[]> {
  const supported = new Map<Statement, Group[]>();
  for (const group of groups)
    for (const statement of group.slice(1)) {
      const known = supported.get(statement);
      if (known) known.push(group);
      else supported.set(statement, [group]);
    }
  return supported;
}

/** Whether a claim gives the date or amount in which a statement that supports it differs from its opponent. */
function givesDisputed([{ reading: lead }]: Group, { reading: said }: Statement, { reading: against }: Statement): boolean {
  const isDisputed = (date: PartialDate) => against.dates.some((other) => datesConflict(date, other));
  if (said.dates.some(isDisputed) && lead.dates.some(isDisputed)) return true;
  const own = said.amounts.filter((amount) => !against.amounts.some((other) => areEqual(amount, other)));
  return against.amounts.length > 0 && own.some((amount) => lead.amounts.some((other) => areEqual(amount, other)));
}

function addTo(opponents: Map<Group, Map<Statement, ContradictionCue>>, group: Group, against: Group, cue: ContradictionCue): void {
  const all = opponents.get(group) ?? new Map<Statement, ContradictionCue>();
  for (const statement of against) if (!all.has(statement)) all.set(statement, cue);
  opponents.set(group, all);
}
