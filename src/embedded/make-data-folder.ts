import { accessSync, constants } from 'node:fs';
import { messageOfError } from '@lib/domain/message-of-error';
import { folderProblem, makeFolders } from '../folders';

const CLOSED_TO_OTHERS = 0o700;

/**
 * Creates the folder of the embedded default if it is missing, closed to other users.
 * @throws Error with the reason and the variable to set
 */
export function makeDataFolder(folder: string): void {
  try {
    makeFolders(folder, CLOSED_TO_OTHERS);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusableDataFolder(folder, cause);
  }
}

/** The error for a data folder that cannot be written to. */
export const unusableDataFolder = (folder: string, cause: unknown): Error =>
  new Error(
    `The data folder ${folder} cannot be used: ${folderProblem(cause) ?? messageOfError(cause)}. ` +
      'Set DATA_DIR to a folder that this user can write to.',
    { cause },
  );
