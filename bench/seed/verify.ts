import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { CHAIN_START, chainHash, type Skeleton } from '@lib/store/history/event-record';
import { packageFolder } from '../package-folder';

interface Row extends Omit<Skeleton, 'streamId'> {
  sealed: Buffer | null;
  sealed_sha256: Buffer | null;
  prev_hash: Buffer;
  hash: Buffer;
}

const READ = `select event_id as id, version, type, schema_version as "schemaVersion", facts, meta, sealed, sealed_sha256, prev_hash, hash
  from event where stream_id = $1 order by version`;

/** Follows the hash chain of each stream over the stored rows. @throws Error at the first that is broken */
export async function verifyChains(databaseUrl: string, streamIds: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const streamId of streamIds) {
      const { rows } = await client.query<Row>(READ, [streamId]);
      if (rows.length === 0) throw new Error(`${streamId} has no history`);
      let previous: Buffer = CHAIN_START;
      rows.forEach((row, place) => {
        const sealedSha256 = row.sealed && createHash('sha256').update(row.sealed).digest();
        const whole =
          row.version === place + 1 &&
          row.prev_hash.equals(previous) &&
          (sealedSha256 ?? CHAIN_START).equals(row.sealed_sha256 ?? CHAIN_START);
        if (!whole || !row.hash.equals(chainHash(previous, { ...row, streamId }, row.sealed_sha256))) {
          throw new Error(`the history of ${streamId} is broken at version ${row.version}`);
        }
        previous = row.hash;
      });
    }
  } finally {
    await client.end();
  }
}

/** `research verify-views`: replays every history and compares the views. @throws Error with the differences @returns what it says */
export async function verifyViews(databaseUrl: string, masterKey: string): Promise<string> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl, MASTER_KEY: masterKey };
  const main = join(packageFolder(), 'dist', 'src', 'cli', 'main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'verify-views'], { env: environment, maxBuffer: 1 << 28 });
  return stdout.trim();
}
