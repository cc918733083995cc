import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { verifyHistories } from '../../src/audit/verify-histories';
import { packageFolder } from '../package-folder';

/** Looks at each of these histories as `research verify` does. @throws Error at the first that is not what was recorded */
export async function verifyChains(databaseUrl: string, streamIds: readonly string[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    for (const streamId of streamIds) {
      const { events, faults } = await verifyHistories(pool, { streamId }, () => undefined);
      if (events === 0) throw new Error(`${streamId} has no history`);
      for (const { version, field, what } of faults)
        throw new Error(`the history of ${streamId} is broken at version ${version}, ${field}: ${what}`);
    }
  } finally {
    await pool.end();
  }
}

/** `research views verify`: replays every history and compares the views. @throws Error with the differences @returns what it says */
export async function verifyViews(databaseUrl: string, masterKey: string): Promise<string> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl, MASTER_KEY: masterKey };
  const main = join(packageFolder(), 'dist', 'src', 'cli', 'main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'views', 'verify'], { env: environment, maxBuffer: 1 << 28 });
  return stdout.trim();
}
