import { accessSync, constants, mkdirSync } from 'node:fs';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'something above it is a file',
  EACCES: 'this user may not write there',
  EROFS: 'it cannot be written to',
};

/**
 * Creates the folder of the embedded default if it is missing, closed to other users.
 * @throws Error with the reason and the variable to set
 */
export function makeDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? message;
    throw new Error(`The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to a folder that this user can write to.`, {
      cause,
    });
  }
}
