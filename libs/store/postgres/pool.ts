import pg from 'pg';

import { connectionOf } from './connection';
import { GivenUpSessions } from './given-up-sessions';
import { heedRefusals } from './write-refusals';

export type { Pool } from 'pg';

/**
 * Plans made on empty tables turned into sequential scans as the tables grew, so the pool is held to index scans by key. Every
 * statement of the append path and the hot reads is prepared once by name.
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

/** How every connection of this process is made. The client reads times in ISO alone, whatever the database or the role is set to. */
function connectionSettings(databaseUrl: string): pg.ClientConfig & { options: string } {
  const settings = connectionOf(databaseUrl);
  return {
    ...settings,
    options: [...(settings.options ? [settings.options] : []), '-c DateStyle=ISO'].join(' '),
    connectionTimeoutMillis: 4_000,
    keepAlive: true,
  };
}

/**
 * The one pool of a process: the append path, the hot reads and the entities share it.
 * @param statementMs what takes longer is given up
 * @param min how many connections stay open while nothing is asked
 */
export function createPool(databaseUrl: string, max: number, statementMs = 30_000, min = 0): pg.Pool {
  const settings = connectionSettings(databaseUrl);
  const givenUp = new GivenUpSessions(max);
  // The pool waits for it, which its types do not say.
  const admission = { onConnect: (client: pg.ClientBase) => givenUp.admit(client) };
  const pool = new pg.Pool({
    ...settings,
    max,
    min,
    options: [settings.options, ...PLANNER.map((setting) => `-c ${setting}`)].join(' '),
    statement_timeout: statementMs,
    // A server that hangs answers nothing at all: the connection is given up, and whoever waits decides again.
    query_timeout: statementMs,
    // A process that stands still in a transaction, or a machine that is gone, would keep what it has locked for hours.
    idle_in_transaction_session_timeout: statementMs,
    ...admission,
  });
  // A connection that dies is replaced by the pool, and whoever uses it sees its own error; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  heedRefusals(pool);
  givenUp.heed(pool);
  return pool;
}

/** A connection for work on the schema, which may take longer than the pool allows and wants the planner's free choice. */
export async function connectAlone(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(connectionSettings(databaseUrl));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
