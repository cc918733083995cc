import { Client } from 'pg';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';

/** Whoever may call an erasure, and nothing else, makes temporary tables of their own whose triggers would run with the owner's rights. */

const INTRUDER = `intruder_${process.pid}`;
let database: TestDatabase;
let owner: Client;
let intruder: Client;
beforeAll(async () => {
  database = await createMigratedDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create role ${INTRUDER} login`);
  const url = new URL(database.url);
  url.username = INTRUDER;
  intruder = new Client({ connectionString: url.href });
  await intruder.connect();
  await intruder.query(`
    create function pg_temp.harm() returns trigger language plpgsql as $$
      begin
        insert into public.tenant (id) values ('made by ' || current_user);
        return null;
      end $$`);
});
afterAll(async () => {
  await intruder?.end();
  await owner?.query(`drop role ${INTRUDER}`);
  await owner?.end();
  await database?.drop();
});

it('cannot insert what only the owner may', async () => {
  await expect(intruder.query(`insert into tenant (id) values ('mine')`)).rejects.toThrow('permission denied');
});

it.each([
  ['erase_jobs', 'job (id text)', `select erase_jobs('{any}')`],
  ['erase_piece_of_thread', 'message (id text, thread_id text, version int)', `select erase_piece_of_thread('any', 10)`],
  ['erase_thread', 'agenda (job_id text, kind text)', `select erase_thread('any', '{any}')`],
  ['bury_threads', 'thread_key (thread_id text)', `select bury_threads('{any}')`],
])('%s is not led to a temporary table of its caller', async (_, table, call) => {
  const [name = ''] = table.split(' ');
  await intruder.query(`create temporary table ${table}`);
  await intruder.query(`create trigger harm after delete on pg_temp.${name} for each statement execute function pg_temp.harm()`);
  await intruder.query(`grant all on pg_temp.${name} to public`);
  await intruder.query(call);
  const { rows } = await owner.query(`select id from tenant where id like 'made by %'`);
  expect(rows).toEqual([]);
});

it('nor is any other function that runs with its owner’s rights', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
       and not exists (select from unnest(proconfig) as setting where setting ~ '^search_path=.*, *"?pg_temp"?$') order by 1`,
  );
  expect(rows).toEqual([]);
});
