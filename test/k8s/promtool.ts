import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve('.cache/prometheus');
const PROMTOOL = join(FOLDER, 'promtool');

/** The path of Debian's promtool, through apt the first time; null where there is none to be had. Waits, since tests are named before they run. */
export function promtool(): string | null {
  if (existsSync(PROMTOOL)) return PROMTOOL;
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'unpacking-'));
  try {
    execFileSync('sh', ['bench/servers/debian-unpack.sh', 'promtool', 'sid', folder], { timeout: 120_000, stdio: 'ignore' });
    renameSync(join(folder, 'usr/bin/promtool'), PROMTOOL);
    return PROMTOOL;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
