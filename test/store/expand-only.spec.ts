import { Client } from 'pg';
import type { Migration } from '@mikro-orm/migrations';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { createDatabase, type TestDatabase } from '../servers/database';
import { intolerable, readSchema } from './schema-changes';

/**
 * All but the last stood in migrations before there was this test. No release that anybody runs lies before them, so no table had many rows, and the builds of
 * that time were not meant to go on beside each other.
 */
const ACCEPTED: Partial<Record<string, string[]>> = {
  Migration20261122005900_expiry_index: [blocking('agenda_by_expiry', 'agenda')],
  Migration20261122012500_admission: [
    blocking('agenda_by_turn', 'agenda'),
    blocking('agenda_waiting', 'agenda'),
    blocking('agenda_admitted', 'agenda'),
  ],
  Migration20261122012900_cancellations_index: [blocking('agenda_cancellations', 'agenda')],
  // Rows that nothing looks at any more.
  Migration20261122041000_runs_of_ended_jobs: ['agenda was there before: delete from'],
  Migration20261122044000_jobs_by_tenant: [blocking('job_by_tenant', 'job')],
  Migration20261122101000_master_keys: [blocking('thread_key_by_kek', 'thread_key')],
  Migration20261122101500_log: [blocking('event_by_position', 'event')],
  // Only the sequencers write to that table, and they go on where they were.
  Migration20261122114700_feed: [blocking('log_entry_by_tenant', 'log_entry'), 'log_entry was there before: update'],
  // There stand only jobs of tenants with limits that were open when the last of them was created.
  Migration20261122135000_limits_of_keys: [blocking('limited_job_ended', 'limited_job'), 'limited_job was there before: update'],
};

const STRONG_LOCKS = `
  select distinct relation::regclass::text as name from pg_locks join pg_class on pg_class.oid = relation
  where pid = pg_backend_pid() and relkind = 'r' and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

function blocking(index: string, table: string): string {
  return `the index ${index} is not built concurrently, and ${table} was there before`;
}

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** One migration's statements, each as the database gets it. */
async function statementsOf(name: string): Promise<string[]> {
  const loaded = (await import(`../../libs/store/migrations/${name}`)) as Record<string, new (...none: null[]) => Migration>;
  const migration = new (loaded[name] as new (...none: null[]) => Migration)(null, null);
  await migration.up();
  return migration.getQueries().map(String);
}

/** What the build of before could not live with, after these statements. */
async function apply(statements: readonly string[]): Promise<string[]> {
  const before = await readSchema(client);
  for (const statement of statements) await client.query(statement);
  return intolerable(before, await readSchema(client), statements);
}

/**
 * Tables that a migration keeps from others before it has to wait for writers of events. Each of these has locked `event` before it does anything else, so one
 * that then waits for such a table and the migration would wait for each other.
 */
async function lockedBeforeEvents(statements: readonly string[]): Promise<string[]> {
  const known = new Set((await readSchema(client)).tables.keys());
  const held: string[][] = [[]];
  for (const statement of statements) {
    await client.query(statement);
    const { rows } = await client.query<{ name: string }>(STRONG_LOCKS);
    held.push(rows.map(({ name }) => name).filter((name) => known.has(name)));
  }
  const place = held.findIndex((names) => names.includes('event'));
  return held[place - 1] ?? [];
}

it('each migration leaves what the build before knows as it was, and locks no table for long', async () => {
  const found: Record<string, string[]> = {};
  for (const name of MIGRATION_NAMES) {
    const here = await apply(await statementsOf(name));
    if (here.length > 0) found[name] = here;
  }
  expect(found).toEqual(ACCEPTED);
}, 120_000);

it('each migration that makes writers of events wait does so first', async () => {
  const fresh = await createDatabase();
  const [shared, own] = [client, new Client({ connectionString: fresh.url })];
  await own.connect();
  client = own;
  const found: Record<string, string[]> = {};
  for (const name of MIGRATION_NAMES) {
    const statements = await statementsOf(name);
    const isOne = !statements.some((statement) => /concurrently/i.test(statement));
    if (isOne) await client.query('begin');
    const held = await lockedBeforeEvents(statements);
    if (isOne) await client.query('commit');
    if (held.length > 0) found[name] = held;
  }
  client = shared;
  await own.end();
  await fresh.drop();
  // It stood there before this test.
  expect(found).toEqual({ Migration20261122071500_webhooks: ['tenant'] });
}, 120_000);

describe('finds what is not', () => {
  it.each([
    ['alter table message drop column version', 'the column message.version is gone'],
    ['drop table webhook_delivery cascade', 'the table webhook_delivery is gone'],
    ['alter table message rename to said', 'the table message is gone'],
    ['alter table message rename column version to number', 'the column message.version is gone'],
    ['alter table event alter column version type bigint', 'the column event.version is bigint and was integer'],
    ['alter table event alter column version type bigint', 'every row of event is written anew'],
    ['alter table job add column why text not null', 'the new column job.why must not be null and has no default'],
    ['alter table agenda alter column run set not null', 'the column agenda.run must not be null any more'],
    ['alter table agenda alter column waiting drop default', 'the column agenda.waiting has no default any more'],
    ['alter table event add column made double precision default random()', 'every row of event is written anew'],
    ['create index event_by_type on event (type)', 'the index event_by_type is not built concurrently, and event was there before'],
    ['drop index job_by_tenant', 'the index job_by_tenant is gone'],
    ['alter index job_by_tenant rename to job_of_tenant', 'the index job_by_tenant is gone'],
    ['alter table job add constraint short check (length(id) < 40)', 'the constraint job.short may refuse what the build before writes'],
    ['drop function erase_thread(text, text[]) cascade', 'the function erase_thread(text,text[]) is gone'],
    [`update job set status = 'failed' where false`, 'job was there before: update'],
    ['delete from agenda where false', 'agenda was there before: delete from'],
    ['truncate agenda', 'agenda was there before: truncate'],
    ['lock table event in exclusive mode', 'event was there before: lock table'],
  ])('%s', async (statement, violation) => {
    await client.query('begin');
    try {
      expect(await apply([statement])).toContain(violation);
    } finally {
      await client.query('rollback');
    }
  });

  it.each([
    'alter table job add column why text',
    'alter table job add column tries int not null default 0',
    'alter table job add column why text check (length(why) < 40)',
    'create table reason (id text primary key, job_id text not null references job (id))',
    'create function nothing() returns void language sql as $$ select $$',
    'alter table message alter column version set default 0',
  ])('and nothing in: %s', async (statement) => {
    await client.query('begin');
    try {
      expect(await apply([statement])).toEqual([]);
    } finally {
      await client.query('rollback');
    }
  });

  it('and nothing in an index that is built while everybody writes', async () => {
    expect(await apply(['create index concurrently event_by_type on event (type)'])).toEqual([]);
  });
});
