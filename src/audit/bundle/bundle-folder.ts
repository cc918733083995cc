import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FILES, SUMS } from '@lib/audit/format/bundle/files';
import { folderProblem, makeFolders } from '../../folders';

/**
 * Makes the folder of a bundle, which must have nothing in it.
 * @returns a function that removes what was made, for an export that fails
 */
export async function makeBundleFolder(given: string): Promise<() => Promise<void>> {
  const folder = resolve(given);
  const first = makeFolders(folder);
  if ((await readdir(folder)).length > 0) throw new Error(`${given} has something in it: name a folder that does not exist yet`);
  return async () => {
    for (const name of [...Object.values(FILES), SUMS]) await rm(join(folder, name), { force: true });
    // A folder that was there before stays, and one in which somebody else has put something meanwhile.
    for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made))
      await rmdir(made).catch(() => undefined);
  };
}

/** An error that the folder caused, with a message for the operator; any other error unchanged. */
export function asFolderError(given: string, error: unknown): unknown {
  const problem = folderProblem(error);
  const remedy = 'make room there, or name a folder that this user can write to';
  return problem === null ? error : new Error(`${given} cannot be written: ${problem}; ${remedy}`, { cause: error });
}
