import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The path of a program of Debian's package of the same name, through apt the first time; null where there is none to be had. Waits, since tests are
 * named before they run.
 */
export function debianProgram(name: string, folder: string): string | null {
  const kept = resolve('.cache', folder);
  const program = join(kept, name);
  if (existsSync(program)) return program;
  mkdirSync(kept, { recursive: true });
  const unpacked = mkdtempSync(join(kept, 'unpacking-'));
  try {
    execFileSync('sh', ['bench/servers/debian-unpack.sh', name, 'sid', unpacked], { timeout: 180_000, stdio: 'ignore' });
    renameSync(join(unpacked, 'usr/bin', name), program);
    return program;
  } catch {
    return null;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
