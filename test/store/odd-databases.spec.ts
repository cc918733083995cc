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

it.each([
  ['apart', 'apart'],
  ['A part', '"A part"'],
])('one whose tables are in the schema %s, which the role does not search, gets no second set of them', async (schema, quoted) => {
  const { url } = database;
  const { username: user } = new URL(url);
  await withClient(url, (client) => client.query(`create schema ${quoted}`));
  await migrate(`${url}?options=${encodeURIComponent(`-c search_path=${quoted.replaceAll(' ', '\\ ')}`)}`);
  const what = `the tables are in the schema ${schema}, which the role ${user} does not search`;
  await expect(migrate(url)).rejects.toThrow(`${what}: run \`alter role ${user} set search_path = ${quoted}\``);
  const pool = createPool(url, 1);
  await expect(requireSchema(pool)).rejects.toThrow(what);
  expect(await pool.query(`select from pg_class where relname = 'thread_key'`)).toMatchObject({ rowCount: 1 });
  await pool.end();
  const examined = new ExaminedFolder();
  const seen = async (at: string) => (await examined.examine({ DATABASE_URL: at }, { roles: 'saga' })).the('schema');
  const lost = await seen(url);
  expect(lost).toMatchObject({ status: 'problem', detail: what });
  const [, option] = /add (options=\S+) to its DATABASE_URL/.exec(lost?.remedy ?? '') ?? [];
  expect(await seen(`${url}?${option}`)).toMatchObject({ status: 'ok' });
  examined.remove();
});

it('a role that may not use the schema is sent to the grants', async () => {
  const role = `role_${nameOf(database.url)}`;
  await onServer(`create role ${role} login`);
  await withClient(database.url, (client) => client.query('create schema apart'));
  await migrate(`${database.url}?options=${encodeURIComponent('-c search_path=apart')}`);
  const url = Object.assign(new URL(database.url), { username: role, search: 'options=-c%20search_path%3Dapart' }).href;
  const pool = createPool(url, 1);
  await expect(requireSchema(pool)).rejects.toThrow(
    `the tables are in the schema apart, which the role ${role} may not use: run \`research grants --to ${role} --as …\` as their owner`,
  );
  await pool.end();
  await onServer(`drop role ${role}`);
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
  await onServer(`alter role ${role} in database ${nameOf(database.url)} set search_path = "$user", elsewhere`);
  await withClient(database.url, (client) => client.query(`create schema ${role}`));
  expect(await unsearched(role)).toBeNull();
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
