import { Client } from 'pg';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { migrate, pendingMigrations } from '@lib/store/postgres/migrations';
import { ormOn } from '@lib/store/postgres/orm';
import { schemaDrift } from '@lib/store/postgres/schema-drift';
import { eventually } from '../messaging/eventually';
import { createDatabase, type TestDatabase } from '../servers/database';
import { start } from '../system/support/command';

/** Changes a table that each request reads. */
const CHANGES_KEYS = 'Migration20261122135000_limits_of_keys';
const BEFORE = MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(CHANGES_KEYS));
const AFTER = MIGRATION_NAMES.slice(BEFORE.length);
const READ_KEYS = 'select from api_key';
const WAITS = `select pid from pg_locks where relation = 'api_key'::regclass and not granted`;

jest.setTimeout(180_000);

let database: TestDatabase;
/** Some other program, which has read a table and takes its time, as a backup does. */
let holder: Client;
let customer: Client;
beforeEach(async () => {
  database = await createDatabase();
  [holder, customer] = await Promise.all([connected(), connected()]);
  const orm = await ormOn(customer);
  await orm.migrator.up({ to: BEFORE.at(-1) ?? '' });
  await holder.query(`begin; ${READ_KEYS}`);
});
afterEach(async () => {
  await Promise.all([holder, customer].map((client) => client?.end()));
  await database?.drop();
});

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

const waiting = async () => (await customer.query<{ pid: number }>(WAITS)).rows[0]?.pid;

it('a migration that waits for a table lets requests by, which would stand behind it, and is done once it gets the table', async () => {
  const told: string[] = [];
  const migrating = migrate(database.url, { tell: (line) => told.push(line) });
  await eventually(true, async () => (await waiting()) !== undefined, 30_000);
  // Answered while the other program still holds the table.
  await customer.query(READ_KEYS);
  await holder.query('commit');
  expect(await migrating).toEqual(AFTER);
  expect(told).toEqual([`${CHANGES_KEYS} waits for a table that others hold.`]);
  expect(await schemaDrift(database.url)).toEqual([]);
});

it('is not ended by timeouts that an administrator has set for requests', async () => {
  const { rows } = await customer.query<{ name: string }>('select current_database() as name');
  for (const timeout of ['statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'])
    await customer.query(`alter database ${rows[0]?.name} set ${timeout} = '300ms'`);
  const told = Promise.withResolvers<string>();
  const migrating = migrate(database.url, { tell: told.resolve });
  // It has waited for longer than that by then.
  await Promise.race([told.promise, migrating]);
  await holder.query('commit');
  expect(await migrating).toEqual(AFTER);
});

it('that does not get its table in its time says who may have it and what to do, and the next one goes on', async () => {
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  await expect(migrate(database.url, { withinMs: 0 })).rejects.toThrow(
    new RegExp(`${CHANGES_KEYS} did not get .* pid ${rows[0]?.pid} .*pg_terminate_backend.*migrate again`),
  );
  await holder.query('commit');
  expect(await migrate(database.url)).toEqual(AFTER);
});

it('that waits after a long one has its whole time: only waiting counts', async () => {
  await holder.query('commit; begin; lock table log_entry in access exclusive mode');
  await customer.query(`
    create sequence changes;
    create function slow() returns event_trigger language plpgsql as 'begin if nextval(''changes'') = 1 then perform pg_sleep(3); end if; end';
    create event trigger slow on ddl_command_start execute function slow()`);
  const released: Promise<unknown>[] = [];
  expect(await migrate(database.url, { withinMs: 4_000, tell: () => released.push(holder.query('commit')) })).toEqual(AFTER);
  expect(released).toHaveLength(1);
});

it('that was killed in the middle is repeated', async () => {
  const migrating = migrate(database.url);
  migrating.catch(() => undefined);
  await eventually(
    true,
    async () => (await customer.query(`select pg_terminate_backend(pid) from (${WAITS}) as waiting`)).rowCount === 1,
    30_000,
  );
  await expect(migrating).rejects.toThrow();
  expect(await pendingMigrations(customer)).toEqual(AFTER);
  await holder.query('commit');
  expect(await migrate(database.url)).toEqual(AFTER);
  expect(await schemaDrift(database.url)).toEqual([]);
});

it('that does not get its turn says which session migrates', async () => {
  await holder.query('commit');
  const { rows } = await holder.query<{ pid: number }>(
    `select pg_backend_pid() as pid, pg_advisory_lock(hashtext('research-threads migrations'))`,
  );
  await expect(migrate(database.url, { withinMs: 0 })).rejects.toThrow(new RegExp(`pid ${rows[0]?.pid}`));
  await holder.query('select pg_advisory_unlock_all()');
  expect(await migrate(database.url)).toEqual(AFTER);
});

it('and a process that is told to stop while it waits for its turn does so', async () => {
  await holder.query(`select pg_advisory_lock(hashtext('research-threads migrations'))`);
  const secrets = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), API_KEY_PEPPER: 'the pepper of a test' };
  const process = start('main.js', ['all'], { ...secrets, DATABASE_URL: database.url, DATA_DIR: '/nowhere', PORT: '0' });
  await process.until('another session migrates, pid ');
  process.kill('SIGTERM');
  const stuck = setTimeout(() => process.kill('SIGKILL'), 10_000);
  expect(await process.ended).toMatchObject({ code: 0, stdout: expect.not.stringContaining('start_failed') as string });
  clearTimeout(stuck);
});
