import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';

import { migrate } from '@lib/store/postgres/migrations';

export interface TestDatabase {
  url: string;
  /** Ends the sessions that are still open on it, then removes it. */
  drop(): Promise<void>;
}

/** A new empty database on the server of this test run, so that spec files do not see each other's rows. */
export const createDatabase = (): Promise<TestDatabase> => onServer((admin, url) => create(admin, url, 'template1'));

/** The same with our schema: a copy of one that was migrated once for all of them. */
export const createMigratedDatabase = (): Promise<TestDatabase> =>
  onServer(async (admin, url) => {
    await admin.query(`select pg_advisory_lock(hashtext('${MIGRATED}'))`);
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [MIGRATED]);
    if (rowCount === 0) await migrateOnce(admin, url);
    await admin.query(`select pg_advisory_unlock(hashtext('${MIGRATED}'))`);
    return create(admin, url, MIGRATED);
  });

const MIGRATED = 'migrated';

async function migrateOnce(admin: Client, url: URL): Promise<void> {
  await admin.query(`drop database if exists ${MIGRATED} with (force)`);
  await admin.query(`create database ${MIGRATED}`);
  await migrate(databaseOn(url, MIGRATED));
  await admin.query(`alter database ${MIGRATED} is_template true`);
}

async function create(admin: Client, url: URL, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  return { url: databaseOn(url, name), drop: () => onServer((again) => drop(again, name)) };
}

/** Until PostgreSQL 16, who is no superuser may not end an autovacuum of a database, which then ends by itself. */
async function drop(admin: Client, name: string): Promise<void> {
  const deadline = performance.now() + AUTOVACUUM_MS;
  for (;;) {
    try {
      await admin.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if (!isNotAllowed(error) || performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}
const AUTOVACUUM_MS = 20_000;
const isNotAllowed = (error: unknown): boolean => error instanceof DatabaseError && error.code === '42501';

const databaseOn = (server: URL, name: string): string => Object.assign(new URL(server), { pathname: `/${name}` }).href;

async function onServer<Result>(work: (admin: Client, url: URL) => Promise<Result>): Promise<Result> {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through npm run jest, whose global setup starts the servers.');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client, new URL(url));
  } finally {
    await client.end();
  }
}
