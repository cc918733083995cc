import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult } from 'pg';
import { MIGRATION_NAMES } from '../migrations/names';
import { connectAlone } from './pool';
import { closeAlone, forShortStatements, type Asked } from './silent-server';
import { requireNoneElsewhere } from './tables-elsewhere';
import { DEADLOCK, INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from './sql-states';

/**
 * The migrations that the database lacks; asked without loading the ORM.
 * @throws TablesElsewhere
 */
export async function pendingMigrations(database: Asked): Promise<string[]> {
  const { rows: tables } = await database.query<{ found: boolean }>(`select to_regclass('mikro_orm_migrations') is not null as found`);
  if (!tables[0]?.found) {
    await requireNoneElsewhere(database);
    return [...MIGRATION_NAMES];
  }
  const applied = await appliedMigrations(database);
  return MIGRATION_NAMES.filter((name) => !applied.has(name));
}

/** How many migrations the database has that this build does not know, because a newer one made them. */
export async function unknownMigrations(database: Asked): Promise<number> {
  const known = new Set<string>(MIGRATION_NAMES);
  return [...(await appliedMigrations(database))].filter((name) => !known.has(name)).length;
}

/** Two statements of one message are one transaction, so the limit is that of this look alone. */
async function appliedMigrations(database: Asked): Promise<Set<string>> {
  try {
    const results: unknown = await database.query(`set local lock_timeout = ${LOCK_MS}; select name from mikro_orm_migrations`);
    const [, { rows }] = results as [unknown, QueryResult<{ name: string }>];
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(`mikro_orm_migrations, the table of what was migrated, is locked; ${await whoMayHold(database)}, and try again`, {
      cause: error,
    });
  }
}

/** Somebody else held a table for too long, or there was a deadlock. */
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
  /** How long to wait for other sessions. */
  withinMs: number;
  tell?: (line: string) => void;
  /** Ends the wait for others; a migration that is under way goes on. */
  signal?: AbortSignal | undefined;
}

/**
 * Brings the schema up to date. Several processes may try at once, and one of them does it. Each migration commits separately, so that a failed one
 * can be tried again, by this or another process.
 * @returns what was applied
 */
export async function migrate(databaseUrl: string, given: Partial<Patience> = {}): Promise<string[]> {
  const patience = { withinMs: 10 * 60_000, ...given };
  const client = await connectAlone(databaseUrl);
  const database = forShortStatements(client);
  try {
    // Whoever needs nothing, such as somebody who revokes a key, does not wait behind a long migration.
    if ((await pendingMigrations(database)).length === 0) return [];
    await takeTurn(database, patience);
    const pending = await pendingMigrations(database);
    // A database that is in use already is left as it is.
    if (pending.length === MIGRATION_NAMES.length) await requireUnicode(database);
    if (pending.length > 0) await apply(client, patience);
    return pending;
  } catch (error) {
    throw sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? new Error(NOT_THE_OWNER, { cause: error }) : error;
  } finally {
    await closeAlone(client);
  }
}

/** In any other encoding some user text, and some text that the log signs, cannot be stored. */
async function requireUnicode(database: Asked): Promise<void> {
  const { rows } = await database.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`);
  if (rows[0]?.encoding === 'UTF8') return;
  throw new Error(
    `the database has the encoding ${String(rows[0]?.encoding)} and has to have UTF8: create another (create database … encoding 'UTF8' template template0) and name that in DATABASE_URL`,
  );
}

/**
 * Takes the lock of migrations, which ends with the session. It asks again and again instead of waiting in one statement, which would hold
 * up an index that the other process builds concurrently.
 */
async function takeTurn(database: Asked, { withinMs, tell, signal }: Patience): Promise<void> {
  let isTold = false;
  for (const began = performance.now(); ; await sleep(TURN_MS, undefined, { signal })) {
    const { rows } = await database.query<{ taken: boolean }>(`select pg_try_advisory_lock(${TURN}) as taken`);
    if (rows[0]?.taken) return;
    const waitedMs = performance.now() - began;
    if (waitedMs > LOCK_MS && !isTold) {
      tell?.(`another session migrates, ${await sessions(database, WHOSE_TURN)}: it is waited for.`);
      isTold = true;
    }
    if (waitedMs < withinMs) continue;
    throw new Error(
      `another session migrates, ${await sessions(database, WHOSE_TURN)}: wait for it, or if its process is gone end it (select pg_terminate_backend(pid)), and migrate again`,
    );
  }
}

/** Only the migrations themselves may take as long as they like. */
async function apply(client: Client, { withinMs, tell, signal }: Patience): Promise<void> {
  const { ormOn } = await import('./orm.ts');
  const { migrator } = await ormOn(client);
  const database = forShortStatements(client);
  await database.query(`set lock_timeout = ${LOCK_MS}`);
  let waiting: string | undefined;
  // The duration of a migration does not count, as building an index may take longer than the wait for other sessions.
  for (let waitedMs = LOCK_MS; ; waitedMs += PAUSE_MS + LOCK_MS) {
    try {
      return void (await migrator.up());
    } catch (error) {
      if (!AGAIN.has(sqlStateOf(error))) throw error;
      const [name = ''] = await pendingMigrations(database);
      if (waitedMs >= withinMs) throw new Error(await notItsTable(database, name), { cause: error });
      if (name !== waiting) tell?.(`${name} waits for a table that others hold.`);
      waiting = name;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

const notItsTable = async (database: Asked, name: string): Promise<string> =>
  `${name} did not get a table that others hold; ${await whoMayHold(database)}, and migrate again, which goes on where this one stopped`;

const whoMayHold = async (database: Asked): Promise<string> =>
  `the oldest transactions are of ${await sessions(database, OLDEST_TRANSACTIONS)}: wait until they have ended, or end them (select pg_terminate_backend(pid))`;

/** The server may hide from this role whose sessions these are. */
async function sessions(database: Asked, statement: string): Promise<string> {
  const { rows } = await database.query<{ session: string }>(statement);
  return rows.map(({ session }) => session).join(', ') || 'sessions that this user may not see';
}
