import { migrate } from '../database';
import { withDatabase } from './with-database';

export async function migrateCommand(): Promise<void> {
  const done = await withDatabase(({ orm }) => migrate(orm));
  console.log(done.length > 0 ? `Applied ${done.join(', ')}.` : 'The schema is up to date.');
}
