import { viewDifferences } from '@lib/store/views/view-differences';
import { withDatabase } from './with-database';

/** Exit code 1 if a view or the agenda differs from the history. */
export async function verifyViewsCommand(): Promise<void> {
  await withDatabase(async ({ env, store }) => {
    const { streams, differences } = await viewDifferences(store.pool, env.LEASE_MS);
    for (const difference of differences) console.log(difference);
    console.log(`${streams} histories replayed, ${differences.length} differences.`);
    if (differences.length > 0) process.exitCode = 1;
  });
}
