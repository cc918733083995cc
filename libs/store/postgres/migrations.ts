import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ClientBase, Pool } from 'pg';
import { MIGRATION_NAMES } from '../migrations/names';
import { connectAlone } from './pool';
import { DEADLOCK, INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from './sql-states';

/** The migrations that the database lacks; asked without loading the ORM. */
export async function pendingMigrations(database: Pool | ClientBase): Promise<string[]> {
  const { rows: tables } = await database.query<{ found: boolean }>(`select to_regclass('mikro_orm_migrations') is not null as found`);
  if (!tables[0]?.found) return [...MIGRATION_NAMES];
  const { rows } = await database.query<{ name: string }>('select name from mikro_orm_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return MIGRATION_NAMES.filter((name) => !applied.has(name));
}

/** Somebody else held a table for too long, or each waited for the other. */
const AGAIN = new Set<unknown>([LOCK_NOT_AVAILABLE, DEADLOCK]);
const NOT_THE_OWNER =
  'the user of DATABASE_URL may not change the schema: migrate as the owner of the database, or make that user its owner (alter database … owner to …)';

/** While a migration waits for a table, all later requests for the table wait behind it. So it waits no longer than this, and lets them go first. */
const LOCK_MS = 2_000;
const PAUSE_MS = 1_000;
const TURN_MS = 200;
const TURN = `hashtext('research-threads migrations')`;
const OLDEST_TRANSACTIONS = `
  select format('pid %s (%s)', pid, coalesce(nullif(application_name, ''), usename)) as session from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by xact_start limit 3`;
const WHOSE_TURN = `
  select format('pid %s', pid) as session from pg_locks
  where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
    and (classid::int8 << 32 | objid::int8) = ${TURN}::int8`;

interface Patience {
  /** How long other sessions are waited for. */
  withinMs: number;
  tell?: (line: string) => void;
  /** Ends the wait for others; a migration that is under way goes on. */
  signal?: AbortSignal | undefined;
}

/**
 * Brings the schema up to date. Several processes may try at once, and one of them does it. Each migration commits by itself, so that one
 * which failed can be tried again, by this or another process.
 * @returns what was applied
 */
export async function migrate(databaseUrl: string, given: Partial<Patience> = {}): Promise<string[]> {
  const patience = { withinMs: 10 * 60_000, ...given };
  const client = await connectAlone(databaseUrl);
  try {
    await takeTurn(client, patience);
    const pending = await pendingMigrations(client);
    // A database that is in use already is left as it is.
    if (pending.length === MIGRATION_NAMES.length) await requireUnicode(client);
    if (pending.length > 0) await apply(client, patience);
    return pending;
  } catch (error) {
    throw sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? new Error(NOT_THE_OWNER, { cause: error }) : error;
  } finally {
    await client.end();
  }
}

/** In any other encoding some of what people write, and of what the log signs, cannot be stored. */
async function requireUnicode(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  if (rows[0]?.encoding === 'UTF8') return;
  throw new Error(
    `the database has the encoding ${String(rows[0]?.encoding)} and has to have UTF8: create another (create database … encoding 'UTF8' template template0) and name that in DATABASE_URL`,
  );
}

/**
 * Takes the lock of migrations, which ends with the session. It asks again and again instead of waiting in one statement, which would hold
 * up an index that the other process builds concurrently.
 */
async function takeTurn(client: ClientBase, { withinMs, tell, signal }: Patience): Promise<void> {
  let isTold = false;
  for (const began = performance.now(); ; await sleep(TURN_MS, undefined, { signal })) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${TURN}) as taken`);
    if (rows[0]?.taken) return;
    const waitedMs = performance.now() - began;
    if (waitedMs > LOCK_MS && !isTold) {
      tell?.(`another session migrates, ${await sessions(client, WHOSE_TURN)}: it is waited for.`);
      isTold = true;
    }
    if (waitedMs < withinMs) continue;
    throw new Error(
      `another session migrates, ${await sessions(client, WHOSE_TURN)}: wait for it, or if its process is gone end it (select pg_terminate_backend(pid)), and migrate again`,
    );
  }
}

async function apply(client: pg.Client, { withinMs, tell, signal }: Patience): Promise<void> {
  const { ormOn } = await import('./orm.ts');
  const { migrator } = await ormOn(client);
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  let waiting: string | undefined;
  // How long a migration takes does not count: an index may be built for longer than others are waited for.
  for (let waitedMs = LOCK_MS; ; waitedMs += PAUSE_MS + LOCK_MS) {
    try {
      return void (await migrator.up());
    } catch (error) {
      if (!AGAIN.has(sqlStateOf(error))) throw error;
      const [name = ''] = await pendingMigrations(client);
      if (waitedMs >= withinMs) throw new Error(await notItsTable(client, name), { cause: error });
      if (name !== waiting) tell?.(`${name} waits for a table that others hold.`);
      waiting = name;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

const notItsTable = async (client: ClientBase, name: string): Promise<string> =>
  `${name} did not get a table that others hold; the oldest transactions are of ${await sessions(client, OLDEST_TRANSACTIONS)}: ` +
  'wait until they have ended, or end them (select pg_terminate_backend(pid)), and migrate again, which goes on where this one stopped';

/** The server may not let this role see whose sessions they are. */
async function sessions(client: ClientBase, statement: string): Promise<string> {
  const { rows } = await client.query<{ session: string }>(statement);
  return rows.map(({ session }) => session).join(', ') || 'sessions that this user may not see';
}
