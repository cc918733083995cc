import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FILES, SUMS } from '@lib/audit/bundle/files';

/**
 * Makes the folder of a bundle, which must have nothing in it.
 * @returns how to remove what was made of a bundle that does not come about
 */
export async function makeBundleFolder(given: string): Promise<() => Promise<void>> {
  const folder = resolve(given);
  const first = await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${given} has something in it: name a folder that does not exist yet`);
  return async () => {
    for (const name of [...Object.values(FILES), SUMS]) await rm(join(folder, name), { force: true });
    // A folder that was there before stays, and one in which somebody else has put something meanwhile.
    for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made))
      await rmdir(made).catch(() => undefined);
  };
}
