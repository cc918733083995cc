import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findBackupPostgres } from '../servers/postgres-releases';

export const SCRIPTS = resolve('deploy/backup');
export const postgres = findBackupPostgres();
/** Why none of this can be tried here; null if it can. */
const missing = postgres ? null : 'Debian’s PostgreSQL 15 or newer, with pg_basebackup, is not installed here';
if (missing) process.stderr.write(`Backup and restore are not tried: ${missing}.\n`);
export const describeBackup = (name: string, tests: () => void): void =>
  missing ? describe.skip(`backup and restore are not tried: ${missing}`, tests) : describe(name, tests);

/** Runs one of the operator's scripts. */
export async function script(
  databaseUrl: string,
  [name = '', ...parameters]: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, PATH: `${postgres?.folder}:${process.env.PATH}`, DATABASE_URL: databaseUrl, ...more };
  return promisify(execFile)('sh', [join(SCRIPTS, name), ...parameters], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout: stdout.trim(), stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}
