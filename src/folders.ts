import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Why a folder cannot be used, by the code of the system's error. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'something above it is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it cannot be written to',
  ENOENT: 'its file system creates no folders, or a link leads nowhere',
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'this user has no space left on its disk',
  EIO: 'its disk fails',
};

/** Null if no folder is the cause: a socket that leads nowhere has the same error code as a missing file. */
export function folderProblem(error: unknown): string | null {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' ? null : (REASONS[code] ?? null);
}

/** Why a file or folder cannot be read, likewise. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder. Correct the path',
  ENOTDIR: 'something above it is a file. Correct the path',
  EISDIR: 'it is a folder. Name a file in it',
  EACCES: 'this user may not read it. Let it, or name another one',
  EPERM: 'this user may not read it. Let it, or name another one',
};

/**
 * Reads what an operator named.
 * @param name the option or variable that holds the path, for an error that the operating system reports with the path alone
 */
export async function readNamed<Read>(name: string, path: string, read: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (cause) {
    const { code = '', syscall } = (cause ?? {}) as NodeJS.ErrnoException;
    const problem = syscall === 'connect' ? undefined : UNREADABLE[code];
    throw problem === undefined ? cause : new Error(`${name} ${path} cannot be read: ${problem}.`, { cause });
  }
}

/**
 * Creates a folder and those above it. Node's own recursion goes on for ever where one cannot be made, as below /proc.
 * @returns the outermost that was missing; undefined if all were there
 * @throws the system's error, also if it is there and is no folder
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) makeFolder(path, mode);
  // Refuses what is there and is no folder.
  mkdirSync(folder, { recursive: true });
  return missing[0];
}

function makeFolder(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
