import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { DocumentFolder } from './folder';
import { isBelow } from './inner-links';

/** Refuses a file that became a link after it was examined, and does not block on a pipe. */
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file changed its nature after it was listed. `code` is shown like that of any other read error. */
class ChangedFile extends Error {
  override readonly name = 'ChangedFile';

  constructor(readonly code: string) {
    super(code);
  }
}

/** The content of a listed file. @throws also if it has since become something else: a link out of the folder, a pipe, a giant */
export async function readDocumentFile(folder: DocumentFolder, path: string, mostBytes: number): Promise<Buffer> {
  const file = await openDocumentFile(folder, path);
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw new ChangedFile(`it is larger than ${mostBytes} bytes by now`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Opens a listed file; the caller closes it. */
export async function openDocumentFile({ path: folder }: DocumentFolder, path: string): Promise<FileHandle> {
  const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
  if (!isBelow(root, real)) throw new ChangedFile('it leads out of the folder');
  const file = await open(real, PLAIN_FILE);
  try {
    if (!(await file.stat()).isFile()) throw new ChangedFile('it is no file any more');
    // A folder on the path may have become a link in the meantime.
    if ((await realpath(real)) !== real) throw new ChangedFile('it leads elsewhere by now');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
