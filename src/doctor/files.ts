import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOfError } from '@lib/domain/message-of-error';
import type { Env } from '@lib/settings/env';
import { DamagedSecret, keptApiKey } from '../embedded/data-folder';
import { needsDatabase, type Role } from '../roles';
import { answered } from '../runtime/hanging-files';
import { ok, problem, shownPath, warning, type Check } from './check';

/** Checks the folder of the embedded default without creating it. */
export async function checkDataFolder(env: Env): Promise<Check> {
  const { DATA_DIR: folder } = env;
  const remedy = 'Set DATA_DIR to a folder that this user can write to.';
  try {
    const isMade = await requireMakeable('DATA_DIR', folder);
    if (!env.BOOTSTRAP_API_KEY) keptApiKey(env);
    return ok('data folder', isMade ? shownPath(folder) : `${shownPath(folder)}, made at the first start`);
  } catch (error) {
    if (error instanceof DamagedSecret)
      return problem(
        'data folder',
        error.message,
        'Or remove the file: the next start makes another API key, and this one stays in force.',
      );
    return problem('data folder', messageOfError(error), remedy);
  }
}

/** Checks the folders outside the database which these roles write to: without the list nothing starts, and checkpoints are signed all the same. */
export async function checkFoldersOutside(env: Env, roles: ReadonlySet<Role>): Promise<Check[]> {
  const { DELETION_LIST: list, CHECKPOINT_DIR: checkpoints } = env;
  return Promise.all([
    ...(list !== undefined && needsDatabase(roles) ? [checkDeletionList(list)] : []),
    ...(checkpoints !== undefined && env.CHECKPOINT_MS > 0 && roles.has('saga') ? [checkCheckpointFolder(checkpoints)] : []),
  ]);
}

async function checkDeletionList(folder: string): Promise<Check> {
  try {
    await answered(`DELETION_LIST ${folder}`, () => requireFolder(folder));
    return ok('deletion list', shownPath(folder));
  } catch (error) {
    return problem('deletion list', messageOfError(error), 'Set DELETION_LIST to a folder that exists and that this user can write to.');
  }
}

async function checkCheckpointFolder(folder: string): Promise<Check> {
  try {
    const isMade = await requireMakeable('CHECKPOINT_DIR', folder);
    return ok('checkpoint folder', isMade ? shownPath(folder) : `${shownPath(folder)}, made with the first checkpoint`);
  } catch (error) {
    return warning('checkpoint folder', messageOfError(error), 'Set CHECKPOINT_DIR to a folder that this user can write to.');
  }
}

/** @returns whether the folder is there; if not, it can be made. A folder of another machine may not answer. */
async function requireMakeable(variable: string, folder: string): Promise<boolean> {
  return answered(`${variable} ${folder}`, async () => {
    const present = await nearestPresent(folder);
    await requireFolder(present);
    return present === folder;
  });
}

async function requireFolder(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) throw new Error(`${shownPath(path)} is a file, not a folder`);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** The path itself, or its nearest existing parent. */
async function nearestPresent(path: string): Promise<string> {
  for (let present = path; ; present = dirname(present)) {
    try {
      await stat(present);
      return present;
    } catch (error) {
      // ENOTDIR: one of its parents is a file.
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(present) === present) throw error;
    }
  }
}
