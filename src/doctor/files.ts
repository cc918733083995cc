import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOfError } from '@lib/domain/message-of-error';
import type { Env } from '@lib/settings/env';
import { ok, problem, shownPath, type Check } from './check';

/** Checks the folder of the embedded default without creating it. */
export function checkDataFolder({ DATA_DIR: folder }: Env): Check {
  const remedy = 'Set DATA_DIR to a folder that this user can write to.';
  try {
    const present = nearestPresent(folder);
    if (!statSync(present).isDirectory()) return problem('data folder', `${shownPath(present)} is a file, not a folder`, remedy);
    accessSync(present, constants.W_OK | constants.X_OK);
    return ok('data folder', present === folder ? shownPath(folder) : `${shownPath(folder)}, made at the first start`);
  } catch (error) {
    return problem('data folder', messageOfError(error), remedy);
  }
}

/** The path itself, or its nearest existing parent. */
function nearestPresent(path: string): string {
  for (let present = path; ; present = dirname(present)) {
    try {
      if (statSync(present, { throwIfNoEntry: false }) || dirname(present) === present) return present;
    } catch (error) {
      // One of its parents is a file.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    }
  }
}
