import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { answered } from '../runtime/hanging-files';

/** The newest checkpoint, whose name never changes. */
const NEWEST = 'checkpoint';
/** How the name of a file ends that is not complete yet; a process that was killed may leave one. */
export const DRAFT = '.new';

/** The signed note that was published there last; null if there is none. @throws Error if the folder cannot be read, or does not answer */
export const publishedIn = (folder: string): Promise<string | null> => answered(`CHECKPOINT_DIR ${folder}`, () => read(folder));

async function read(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, NEWEST), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Error(`CHECKPOINT_DIR ${folder} cannot be read (${code}): let this user read and write there, or set another folder`, {
      cause: error,
    });
  }
}

/**
 * Writes the note as the last of its day and then as the newest one, each completely or not at all. So if the newest one is in the folder, the other
 * is too.
 */
export const publishTo = (folder: string, note: string, signedAt: Date): Promise<void> =>
  answered(`CHECKPOINT_DIR ${folder}`, () => write(folder, note, signedAt));

async function write(folder: string, note: string, signedAt: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of [`${NEWEST}-${signedAt.toISOString().slice(0, 10)}`, NEWEST]) await replace(join(folder, name), note);
}

async function replace(file: string, text: string): Promise<void> {
  // In containers, processes that share the folder have the same id.
  const draft = `${file}.${randomUUID()}${DRAFT}`;
  try {
    const handle = await open(draft, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
