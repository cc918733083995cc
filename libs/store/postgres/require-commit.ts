import type { Pool } from 'pg';

/** A record in the write-ahead log that means nothing to anybody: its commit waits for the disk like any other, and leaves no row. */
const PROBE = `select current_setting('transaction_read_only') as read_only, pg_logical_emit_message(true, 'research-threads', 'probe')`;

/** @throws Error unless the database commits something within this time */
export async function requireCommit(pool: Pool, withinMs: number): Promise<void> {
  const probe = { text: PROBE, query_timeout: withinMs };
  const { rows } = await pool.query<{ read_only: string }>(probe);
  if (rows[0]?.read_only === 'on') throw new Error('the database is read-only');
}
