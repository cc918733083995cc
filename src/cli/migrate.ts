import { applyDeletions } from '@lib/store/deletions/apply-deletions';
import { readDeletions } from '@lib/store/deletions/deletion-list';
import { migrate } from '@lib/store/postgres/migrations';
import { appliedText } from './deletions';
import { withDatabase } from './with-database';

export async function migrateCommand(): Promise<void> {
  await withDatabase(async ({ env, databaseUrl, store }) => {
    const done = await migrate(databaseUrl);
    console.log(done.length > 0 ? `Applied ${done.join(', ')}.` : 'The schema is up to date.');
    if (env.DELETION_LIST) console.log(appliedText(await applyDeletions(store, await readDeletions(env.DELETION_LIST))));
  });
}
