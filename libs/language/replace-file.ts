import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** No write takes so long: what is older was left by a process that ended while it wrote. */
const LEFT_OVER_MS = 60 * 60_000;

/**
 * Writes beside the file and renames: readers see the old content or the new one, and of two writers the last wins. What a crash left beside it goes
 * after an hour.
 * @param mode its permissions; by default those that the process gives
 */
export async function replaceFile(file: string, parts: Iterable<Uint8Array>, mode?: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await removeLeftOvers(file);
  const staging = `${file}.${randomUUID()}`;
  try {
    await writeFile(staging, parts, mode === undefined ? {} : { mode });
    await rename(staging, file);
  } catch (error) {
    await rm(staging, { force: true });
    throw error;
  }
}

/** Each may be as large as the file. Fails as rarely as it can: a file that goes meanwhile was removed by another process. */
async function removeLeftOvers(file: string): Promise<void> {
  const folder = dirname(file);
  const staged = (await readdir(folder)).filter((name) => name.startsWith(`${basename(file)}.`)).map((name) => join(folder, name));
  for (const path of staged) {
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}
