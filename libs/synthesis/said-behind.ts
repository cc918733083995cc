import type { Group } from './agreement';
import type { Statement } from './statement';

/** Nobody can tell whether reports speak of the same, where none says of what: then it is one report's claim. */
export const unlessUnknown = (group: Group): Group => (group[0].isUnknown ? [group[0]] : group);

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
