import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

interface Row {
  event_id: string;
  version: number;
  type: string;
  schema_version: number;
  facts: object;
  meta: object;
  sealed: Buffer | null;
  sealed_sha256: Buffer | null;
  prev_hash: Buffer;
  hash: Buffer;
}

/**
 * Verifies a stream as an auditor does, from the documented formula and the stored rows alone: the version of the first event
 * that is not what was recorded, or `null` if the whole history is.
 */
export async function firstBadVersion(pool: Pool, streamId: string): Promise<number | null> {
  const { rows } = await pool.query<Row>('select * from event where stream_id = $1 order by version', [streamId]);
  let previous: Buffer = Buffer.alloc(32);
  for (const [place, row] of rows.entries()) {
    const expected = place + 1;
    const skeleton = {
      id: row.event_id,
      streamId,
      version: row.version,
      type: row.type,
      schemaVersion: row.schema_version,
      facts: row.facts,
      meta: row.meta,
    };
    const digest = sha256(previous, Buffer.from(canonicalize(skeleton) ?? ''), row.sealed_sha256 ?? Buffer.alloc(0));
    const sealedAsRecorded = row.sealed === null || (row.sealed_sha256 !== null && sha256(row.sealed).equals(row.sealed_sha256));
    if (row.version !== expected || !row.prev_hash.equals(previous) || !row.hash.equals(digest) || !sealedAsRecorded) return expected;
    previous = row.hash;
  }
  return null;
}

function sha256(...parts: Buffer[]): Buffer {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
}
