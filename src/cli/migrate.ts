import { migrate } from '@lib/store/postgres/migrations';
import { withDatabase } from './with-database';

export async function migrateCommand(): Promise<void> {
  const done = await withDatabase(({ databaseUrl }) => migrate(databaseUrl));
  console.log(done.length > 0 ? `Applied ${done.join(', ')}.` : 'The schema is up to date.');
}
