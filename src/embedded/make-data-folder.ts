import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const CLOSED_TO_OTHERS = 0o700;

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'something above it is a file',
  EACCES: 'this user may not write there',
  EROFS: 'it cannot be written to',
  ENOENT: 'its file system creates no folders, or a link leads nowhere',
};

/**
 * Creates the folder of the embedded default if it is missing, closed to other users.
 * @throws Error with the reason and the variable to set
 */
export function makeDataFolder(folder: string): void {
  try {
    for (const missing of missingFolders(folder)) makeFolder(missing);
    // Refuses what is there and is no folder.
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? message;
    throw new Error(`The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to a folder that this user can write to.`, {
      cause,
    });
  }
}

/** From the outermost to the folder itself. Node's own recursion goes on for ever where one cannot be made, as below /proc. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  return missing;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: CLOSED_TO_OTHERS });
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
