import { access, chmod, constants, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. A run needs less than 1 GB of it; in a container it often has 64 MB. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4e9;
/** A process that is not seen here may run in another container. Specs make folders in theirs every few seconds. */
const HOUR_MS = 3_600_000;
const NAME = /^research-tests-(\d+)-/;

/**
 * Makes the folder of all temporary files of a test run and names it in TMPDIR. It is in memory where there is room: hundreds of databases are copied and
 * dropped, and ext4 looks at every inode that was freed in the last seconds before it gives out another one, which made the copies cost ten times as much.
 */
export async function makeRunFolder(): Promise<string> {
  const place = (await hasRoom(MEMORY)) ? MEMORY : tmpdir();
  await removeAbandoned(place);
  const folder = await mkdtemp(join(place, `research-tests-${String(process.pid)}-`));
  // A database server that root starts runs as somebody else, who has to reach its folder.
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  return folder;
}

export const removeRunFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Folders of runs that were killed. Those of another user stay. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(place, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    // Tried once: a disk that is still mounted in it stays busy, and each further try would hold up this run.
    if (mtimeMs < Date.now() - HOUR_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
