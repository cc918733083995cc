import type { Pool } from 'pg';

import { whyReadOnly } from './given-up-sessions';
import { foundSpace, giveUpConnections, isFull } from './write-refusals';

/** Writes a meaningless record to the write-ahead log. Its commit waits for the disk like any other, and leaves no row. */
const PROBE = `
  select current_setting('transaction_read_only') as read_only,
    case current_setting('transaction_read_only') when 'off' then pg_logical_emit_message(true, 'research-threads', 'probe') end`;

/**
 * Sorts about a megabyte, which does not fit into the memory of a sort and needs disk space. The log may have room in its files while
 * tables have none.
 */
const SPILL = `select count(*) from (select place from generate_series(1, 40000) as place order by md5(place::text)) as sorted`;

/** @throws Error unless the database commits something within this time */
export async function requireCommit(pool: Pool, withinMs: number): Promise<void> {
  const probe = { text: PROBE, query_timeout: withinMs };
  const { rows } = await pool.query<{ read_only: string }>(probe);
  if (rows[0]?.read_only === 'on') {
    giveUpConnections(pool);
    throw new Error(whyReadOnly(pool));
  }
  if (isFull(pool)) await requireSpace(pool, withinMs);
}

/** @throws Error while the server finds no space for a temporary file */
async function requireSpace(pool: Pool, withinMs: number): Promise<void> {
  const spill = { text: SPILL, query_timeout: withinMs };
  const client = await pool.connect();
  try {
    await client.query(`begin; set local work_mem = '64kB'`);
    await client.query(spill);
    await client.query('rollback');
    client.release();
    foundSpace(pool);
  } catch (error) {
    client.release(true);
    throw error;
  }
}
