import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = resolve('.cache/prometheus');
const PROMTOOL = join(FOLDER, 'promtool');

/** The path of Debian's promtool, through apt the first time; null where there is none to be had. */
export async function promtool(): Promise<string | null> {
  if (existsSync(PROMTOOL)) return PROMTOOL;
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, 'unpacking-'));
  try {
    await run('sh', ['bench/servers/debian-unpack.sh', 'promtool', 'sid', folder], { timeout: 120_000 });
    await rename(join(folder, 'usr/bin/promtool'), PROMTOOL);
    return PROMTOOL;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
