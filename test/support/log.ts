import type { Pool } from '@lib/store/postgres/pool';

/** The log as it is stored. */
export async function storedLog(pool: Pool) {
  const { rows } = await pool.query<{ index: number; streamId: string; version: number; leafHash: Buffer }>(
    `select index::int, stream_id as "streamId", version, leaf_hash as "leafHash" from log_entry order by index`,
  );
  return rows;
}
