import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** As Debian installs it, and as `bench/servers/debian-unpack.sh postgresql-client-18 sid .cache/postgresql` unpacks it. */
const FOLDERS = ['/usr/lib/postgresql', resolve(__dirname, '../../.cache/postgresql/usr/lib/postgresql')];
const MAX_BYTES = 256 * 1024 * 1024;

/** A `pg_dump` that can read a server of this release: of the same or a newer one; null if this machine has none. */
export function findPgDump(major: number): string | null {
  const installed = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name, 'bin/pg_dump')),
  );
  return [...installed, 'pg_dump'].find((program) => majorOf(program) >= major) ?? null;
}

function majorOf(program: string): number {
  try {
    return Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** What it writes of a whole database. */
export async function pgDump(program: string, url: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(program, ['--no-password', url], { encoding: 'buffer', maxBuffer: MAX_BYTES });
  return stdout;
}
