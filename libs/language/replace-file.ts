import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** No write takes this long, so older files were left by a process that died while writing. */
const LEFT_OVER_MS = 60 * 60_000;

/**
 * Writes a temporary file and renames it: readers see either the old or the new content, and of two writers the last one wins. Files left by a crash
 * are removed after an hour.
 * @param mode its permissions; the process default if missing
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

/** Removes old temporary files, each as large as the file may be. Tolerates a file that another process removes at the same time. */
async function removeLeftOvers(file: string): Promise<void> {
  const folder = dirname(file);
  const staged = (await readdir(folder)).filter((name) => name.startsWith(`${basename(file)}.`)).map((name) => join(folder, name));
  for (const path of staged) {
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}
