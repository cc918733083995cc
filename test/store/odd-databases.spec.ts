import { Client } from 'pg';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { migrate } from '@lib/store/postgres/migrations';
import { ormOn } from '@lib/store/postgres/orm';
import { connectAlone, createPool } from '@lib/store/postgres/pool';
import { unsearchedSchema } from '@lib/store/postgres/tables-elsewhere';
import { ExaminedFolder } from '../doctor/examined-folder';
import { requireSchema } from '../../src/database';
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
  for (const setting of ['default_transaction_isolation = serializable', `lock_timeout = '1ms'`, 'row_security = off'])
    await onServer(`alter database ${nameOf(database.url)} set ${setting}`);
  const READ = `select current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as patience,
    current_setting('row_security') as policies`;
  const pool = createPool(database.url, 1);
  const alone = await connectAlone(database.url);
  const read = [await pool.query(READ), await alone.query(READ)].flatMap(({ rows }) => rows as unknown[]);
  await pool.end();
  await alone.end();
  const written = { isolation: 'read committed', patience: '0', policies: 'on' };
  expect(read).toEqual([written, written]);
});

it('one whose tables are in a schema that the role does not search gets no second set of them, and what to do is said', async () => {
  const { url } = database;
  const own = `${url}?options=${encodeURIComponent('-c search_path=apart')}`;
  const { username: user } = new URL(url);
  await withClient(url, (client) => client.query('create schema apart'));
  await migrate(own);
  const message = `the tables are in the schema apart, which the role ${user} does not search: run \`alter role ${user} set search_path = apart\``;
  await expect(migrate(url)).rejects.toThrow(message);
  const pool = createPool(url, 1);
  await expect(requireSchema(pool)).rejects.toThrow(message);
  expect(await pool.query(`select from pg_class where relname = 'thread_key'`)).toMatchObject({ rowCount: 1 });
  await pool.end();
  const examined = new ExaminedFolder();
  const { the } = await examined.examine({ DATABASE_URL: url }, { roles: 'saga' });
  expect(the('schema')).toMatchObject({
    status: 'problem',
    detail: `the tables are in the schema apart, which the role ${user} does not search`,
    remedy: expect.stringContaining('options=-c%20search_path%3Dapart'),
  });
  expect((await examined.examine({ DATABASE_URL: own }, { roles: 'saga' })).the('schema')).toMatchObject({ status: 'ok' });
  examined.remove();
});

it('a grant in such a schema tells a role that does not search it', async () => {
  const role = `role_${nameOf(database.url)}`;
  await onServer(`create role ${role} login`);
  await withClient(database.url, (client) => client.query(`create schema "Apart"`));
  const unsearched = (path: string) =>
    withClient(`${database.url}?options=${encodeURIComponent(`-c search_path=${path}`)}`, (client) => unsearchedSchema(client, role));
  expect(await unsearched('"Apart"')).toBe('Apart');
  expect(await unsearched('public')).toBeNull();
  await onServer(`alter role ${role} in database ${nameOf(database.url)} set search_path = "Apart", public`);
  expect(await unsearched('"Apart"')).toBeNull();
  await onServer(`alter role ${role} in database ${nameOf(database.url)} set search_path = elsewhere`);
  expect(await unsearched('public')).toBe('public');
  await onServer(`drop role ${role}`);
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

async function withClient<Answer>(url: string, use: (client: Client) => Promise<Answer>): Promise<Answer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
