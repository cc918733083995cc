import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { canonicalJson } from '@lib/store/history/canonical-json';
import type { Pool } from '@lib/store/postgres/pool';

/** What a database owner does, who knows every formula. */
export type Tamper = (client: PoolClient) => Promise<unknown>;

/** What is found after a database owner has changed something, which is undone afterwards. */
export async function tampered<Found>(pool: Pool, tamper: Tamper, look: (pool: Pool) => Promise<Found>): Promise<Found> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('alter table event disable trigger user');
    await tamper(client);
    return await look(client as unknown as Pool);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

export const sql =
  (text: string, ...values: unknown[]) =>
  (client: PoolClient): Promise<unknown> =>
    client.query(text, values);
export const where = 'where stream_id = $1 and version = $2';

/** Makes the chain of a stream right again from that event on, as somebody would who knows the formula. */
export const rechained = (streamId: string, tamper: (client: PoolClient) => Promise<unknown>) => async (client: PoolClient) => {
  await tamper(client);
  const { rows } = await client.query<Record<string, never>>('select * from event where stream_id = $1 order by version', [streamId]);
  let previous: Buffer = Buffer.alloc(32);
  for (const { event_id: id, version, type, schema_version: schemaVersion, facts, meta, sealed_sha256: sealed } of rows) {
    const text = canonicalJson({ id, streamId, version, type, schemaVersion, facts, meta });
    const hash = createHash('sha256')
      .update(previous)
      .update(text)
      .update(sealed ?? Buffer.alloc(0))
      .digest();
    await client.query(`update event set prev_hash = $3, hash = $4 ${where}`, [streamId, version, previous, hash]);
    previous = hash;
  }
};

/** An event less, with those behind it moved up. */
export const without = (streamId: string, version: number) => async (client: PoolClient) => {
  await client.query(`delete from event ${where}`, [streamId, version]);
  for (let next = version + 1; next < 20; next += 1)
    await client.query(`update event set version = version - 1 ${where}`, [streamId, next]);
};
