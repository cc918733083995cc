import type { ClientBase, Pool } from 'pg';
import { differenceText } from '@lib/store/repair/view-row';
import { comparedPages } from '@lib/store/views/view-differences';

/**
 * All differences between the stored rows and those that the history says, as lines.
 * @throws Error for the first history that cannot be folded
 */
export async function viewDifferences(database: Pool | ClientBase, leaseMs: number): Promise<{ streams: number; differences: string[] }> {
  const found: { streams: number; differences: string[] } = { streams: 0, differences: [] };
  for await (const { streams, differences, failures } of comparedPages(database, { leaseMs })) {
    for (const failure of failures.values()) throw failure;
    found.streams += streams;
    found.differences.push(...differences.map(differenceText));
  }
  return found;
}
