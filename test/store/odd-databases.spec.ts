import { Client } from 'pg';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { migrate } from '@lib/store/postgres/migrations';
import { ormOn } from '@lib/store/postgres/orm';
import { connectAlone, createPool } from '@lib/store/postgres/pool';
import { ExaminedFolder } from '../doctor/examined-folder';
import { createDatabase, type TestDatabase } from '../servers/database';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query(statement);
  await client.end();
}

it('times are read alike whatever the database writes them like', async () => {
  await onServer(`alter database ${nameOf(database.url)} set datestyle = 'SQL, DMY'`);
  const READ = "select timestamptz '2026-11-05T10:00:00Z' as at";
  const pool = createPool(database.url, 1);
  const alone = await connectAlone(database.url);
  const read = [await pool.query<{ at: Date }>(READ), await alone.query<{ at: Date }>(READ)].map(({ rows }) => rows[0]?.at.toISOString());
  await pool.end();
  await alone.end();
  expect(read).toEqual(['2026-11-05T10:00:00.000Z', '2026-11-05T10:00:00.000Z']);
});

it('statements are isolated, and wait for locks, as they were written for, whatever an administrator has set', async () => {
  for (const setting of ['default_transaction_isolation = serializable', `lock_timeout = '1ms'`])
    await onServer(`alter database ${nameOf(database.url)} set ${setting}`);
  const READ = `select current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as patience`;
  const pool = createPool(database.url, 1);
  const alone = await connectAlone(database.url);
  const read = [await pool.query(READ), await alone.query(READ)].flatMap(({ rows }) => rows as unknown[]);
  await pool.end();
  await alone.end();
  const written = { isolation: 'read committed', patience: '0' };
  expect(read).toEqual([written, written]);
});

it('a database that cannot store all of Unicode is refused, and what to do is said', async () => {
  const { url, drop } = await createLatin();
  await expect(migrate(url)).rejects.toThrow(/encoding LATIN1.*UTF8.*create database/);
  const examined = new ExaminedFolder();
  const { the } = await examined.examine({ DATABASE_URL: url }, { roles: 'saga' });
  expect(the('postgresql')).toMatchObject({ status: 'problem', remedy: 'Use a database of encoding UTF8.' });
  examined.remove();
  await drop();
});

it('one that is in use already goes on, also with a newer build', async () => {
  const { url, drop } = await createLatin();
  const before = new Client({ connectionString: url });
  await before.connect();
  await (await ormOn(before)).migrator.up({ to: MIGRATION_NAMES.at(-2) ?? '' });
  await before.end();
  expect(await migrate(url)).toEqual(MIGRATION_NAMES.slice(-1));
  await drop();
});

/** A database that cannot store all of Unicode. */
async function createLatin(): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const name = `${nameOf(database.url)}_latin`;
  await onServer(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
  const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  return { url, drop: () => onServer(`drop database ${name} with (force)`) };
}
