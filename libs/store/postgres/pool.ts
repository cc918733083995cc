import pg from 'pg';

/**
 * Plans made on empty tables turned into sequential scans as the tables grew, so the pool of the append path and the hot reads
 * is held to index scans by key. Every statement on it is prepared once by name.
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

export function createPool(databaseUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    options: PLANNER.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    // A server that hangs answers nothing at all: the connection is given up, and whoever waits decides again.
    query_timeout: 35_000,
    keepAlive: true,
    application_name: 'research-threads',
  });
  // A connection that dies is replaced by the pool, and whoever uses it sees its own error; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
