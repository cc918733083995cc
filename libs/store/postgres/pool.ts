import pg from 'pg';

import { connectionOf } from './connection';
import { replaceForgotten } from './forgotten-connections';
import { GivenUpSessions } from './given-up-sessions';
import { closeAlone, forShortStatements, hangUpOnSilence, SILENT_MS } from './silent-server';
import { DatedClient, heedRefusals } from './write-refusals';

export type { Pool } from 'pg';

/**
 * Plans made on empty tables became sequential scans as the tables grew, so the pool only uses index scans by key. Every statement of the write path
 * and of the hot reads is prepared once, by name.
 */
const PLANNER = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_bitmapscan=off',
  'enable_sort=on',
];

/**
 * These override settings of the database or role: the client reads only the ISO date style, statements are written for this isolation level, and
 * lock timeouts are set where they matter. A read that gave up its lock sooner would be an error of ours. Without row security every statement on a
 * tenant's rows would be an error.
 */
const SESSION = [
  ...['DateStyle=ISO', 'default_transaction_isolation=read\\ committed', 'lock_timeout=0', 'row_security=on'],
  // The server learns within half a minute, not within hours, that a client's machine or the way to it is gone, and releases its locks.
  ...['tcp_keepalives_idle=15', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3', 'tcp_user_timeout=30000'],
];

/** A process that hangs in a transaction, or a lost machine, would keep its locks for hours. Nothing of ours waits for as long between statements. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** A connection to what was the primary once may still answer reads, with what is old. */
const CONNECTION_LIFETIME_S = 15 * 60;
/** Our side, too, learns soon that the way to an idle connection's server is gone, before a request is lost on it. */
const KEEP_ALIVE_AFTER_MS = 15_000;
/** The least time that a transaction may take. */
const MIN_TRANSACTION_MS = 60_000;

/**
 * For migrations. An administrator may have limited statements, transactions and idle sessions for the requests of a service; long work on the
 * schema would never finish within such limits. Only newer servers know all of these settings.
 */
const FOR_LONG_WORK = `select set_config(name, case name when 'idle_in_transaction_session_timeout' then '${String(IDLE_IN_TRANSACTION_MS)}' else '0' end, false)
  from pg_settings where name in ('statement_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout')`;

/**
 * Ends a transaction whose client stopped in the middle of a message: to the server it is neither at work nor idle, so that no other timeout applies.
 * From PostgreSQL 17 on. A shorter limit of an administrator stays.
 */
const LIMIT_TRANSACTIONS = `select set_config('transaction_timeout', $1, false)
  where extract(epoch from current_setting('transaction_timeout', true)::interval) * 1000 not between 1 and $1::int`;

/**
 * Limits the transactions of every connection of a pool. The server is asked at the first one, which tells how to begin the later ones: where each
 * answer is late, one question more would keep every connection from being made in time.
 */
function transactionLimit(limitMs: number): (pool: pg.Pool, first: pg.ClientBase) => Promise<void> {
  let isKnown = false;
  return async (pool, first) => {
    if (isKnown) return;
    const { rowCount } = await first.query(LIMIT_TRANSACTIONS, [String(limitMs)]);
    if (rowCount === 1 && !isKnown) pool.options.options = `${pool.options.options ?? ''} -c transaction_timeout=${String(limitMs)}`;
    isKnown = true;
  };
}

const asOptions = (settings: readonly string[]): string[] => settings.map((setting) => `-c ${setting}`);

/** The settings of every connection of this process. */
function connectionSettings(databaseUrl: string): pg.ClientConfig & { options: string } {
  const settings = connectionOf(databaseUrl);
  return {
    ...settings,
    options: [...(settings.options ? [settings.options] : []), ...asOptions(SESSION)].join(' '),
    connectionTimeoutMillis: 4_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}

/**
 * The one pool of a process, which the write path, the hot reads and the entities share.
 * @param statementMs a statement that takes longer is given up
 * @param min how many connections stay open while the process is idle
 */
export function createPool(databaseUrl: string, max: number, statementMs = 30_000, min = 0): pg.Pool {
  const settings = connectionSettings(databaseUrl);
  const givenUp = new GivenUpSessions(max);
  const limitTransactions = transactionLimit(Math.max(MIN_TRANSACTION_MS, 2 * statementMs));
  // The pool waits for it, which its types do not say.
  const admission = {
    onConnect: async (client: pg.ClientBase) => {
      await limitTransactions(pool, client);
      await givenUp.admit(client);
    },
  };
  const pool = new pg.Pool({
    ...settings,
    Client: DatedClient,
    max,
    min,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    options: [settings.options, ...asOptions(PLANNER)].join(' '),
    statement_timeout: statementMs,
    // A server that hangs answers nothing at all. Its connection is given up, and the callers decide again.
    query_timeout: statementMs,
    idle_in_transaction_session_timeout: Math.min(statementMs, IDLE_IN_TRANSACTION_MS),
    // A process that has done its work must not wait for a server that does not confirm the end of an idle connection.
    allowExitOnIdle: true,
    ...admission,
  });
  // The pool replaces a connection that dies, and its user gets an error of its own. Without a listener this event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  heedRefusals(pool);
  givenUp.heed(pool);
  replaceForgotten(pool);
  if (statementMs > SILENT_MS) hangUpOnSilence(pool, () => serverAnswers(databaseUrl));
  return pool;
}

/** Asks on a new connection. A server that refuses it, for example because it has none left, answers as well. */
export async function serverAnswers(databaseUrl: string): Promise<boolean> {
  try {
    await closeAlone(await connectAlone(databaseUrl));
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  }
}

/** A connection for work on the schema, which may take longer than the pool allows and wants the planner's free choice. */
export async function connectAlone(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(connectionSettings(databaseUrl));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await forShortStatements(client).query(FOR_LONG_WORK);
    return client;
  } catch (error) {
    void closeAlone(client).catch(() => undefined);
    throw error;
  }
}
