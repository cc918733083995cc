import type { ClientBase, Pool } from 'pg';

import { MIGRATION_NAMES } from '../migrations/names';
import { connectAlone } from './pool';

/** The migrations that the database lacks; asked without loading the ORM. */
export async function pendingMigrations(database: Pool | ClientBase): Promise<string[]> {
  const { rows: tables } = await database.query<{ found: boolean }>(`select to_regclass('mikro_orm_migrations') is not null as found`);
  if (!tables[0]?.found) return [...MIGRATION_NAMES];
  const { rows } = await database.query<{ name: string }>('select name from mikro_orm_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return MIGRATION_NAMES.filter((name) => !applied.has(name));
}

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_THE_OWNER =
  'the user of DATABASE_URL may not change the schema: migrate as the owner of the database, or make that user its owner (alter database … owner to …)';

/**
 * Brings the schema up to date: several processes may try at once, one does it.
 * @returns what was applied
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = await connectAlone(databaseUrl);
  try {
    // It ends with the session.
    await client.query(`select pg_advisory_lock(hashtext('research-threads migrations'))`);
    if ((await pendingMigrations(client)).length === 0) return [];
    const { ormOn } = await import('./orm.ts');
    const orm = await ormOn(client);
    return (await orm.migrator.up()).map(({ name }) => name);
  } catch (error) {
    throw (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE ? new Error(NOT_THE_OWNER, { cause: error }) : error;
  } finally {
    await client.end();
  }
}
