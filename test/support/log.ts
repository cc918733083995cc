import type { Pool } from '@lib/store/postgres/pool';
import { sequence } from '../../src/audit/sequencer';
import { eventually } from '../messaging/eventually';

/** The log as it is stored. */
export async function storedLog(pool: Pool) {
  const { rows } = await pool.query<{ index: number; streamId: string; version: number; leafHash: Buffer }>(
    `select index::int, stream_id as "streamId", version, leaf_hash as "leafHash" from log_entry order by index`,
  );
  return rows;
}

/**
 * Gives every event its place in the log, until none is looked at again: the floor rises once no transaction is older than its mark, and those of
 * the server's other databases count, in which other tests run.
 */
export const settleLog = (pool: Pool): Promise<void> =>
  eventually(
    true,
    async () => {
      await sequence(pool);
      const { rows } = await pool.query<{ settled: boolean }>('select floor = (select max(position) from event) as settled from log_head');
      return rows[0]?.settled;
    },
    60_000,
  );
