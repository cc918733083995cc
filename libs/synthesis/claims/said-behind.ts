import type { Group } from '../agreement/agreement';
import type { Statement } from '../statement/statement';

/**
 * Of each group that is not kept those that can be placed, and each of the others by itself, once: nobody can tell whether reports speak of the same
 * where they do not say of what.
 */
export function withUnknownApart(groups: readonly Group[], isKept: (group: Group) => boolean): Group[] {
  const apart = new Set<string>();
  return groups.flatMap((group) => {
    if (isKept(group) || !group.some(({ isUnknown }) => isUnknown)) return [group];
    const [first, ...rest] = group.filter(({ isUnknown }) => !isUnknown);
    const unknown = group.filter((statement) => statement.isUnknown && !apart.has(keyOf(statement)));
    for (const statement of unknown) apart.add(keyOf(statement));
    return [...(first ? [[first, ...rest] satisfies Group] : []), ...unknown.map((statement): Group => [statement])];
  });
}

const keyOf = ({ stepId, start, end }: Statement): string => `${stepId} ${String(start)} ${String(end)}`;

/** Whether the same stands before it in each of the reports, where it cannot be told without that what it speaks of. */
export function standsAlike(
  { before, leansOn }: Statement,
  supporting: readonly Statement[],
  contradicting: readonly Statement[],
): boolean {
  const all = leansOn === null ? supporting : [...supporting, ...contradicting];
  return before !== null && all.length > 1 && all.every((other) => other.before === before);
}

/** In brackets what stands before it. */
export const withBefore = ({ text, before }: Statement): string => (before === null ? text : `[${before.replace(/[[\]]/g, '')}] ${text}`);
