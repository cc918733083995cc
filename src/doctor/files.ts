import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { documentFolder, listDocuments } from '@lib/providers/corpus/folder';
import type { Env } from '@lib/settings/env';
import { messageOf, ok, problem, shownPath, type Check } from './check';

/** The folder of the embedded default; nothing is made. */
export function checkDataFolder({ DATA_DIR: folder }: Env): Check {
  const remedy = 'Set DATA_DIR to a folder that this user can write to.';
  try {
    const present = nearestPresent(folder);
    if (!statSync(present).isDirectory()) return problem('data folder', `${shownPath(present)} is a file, not a folder`, remedy);
    accessSync(present, constants.W_OK | constants.X_OK);
    return ok('data folder', present === folder ? shownPath(folder) : `${shownPath(folder)}, made at the first start`);
  } catch (error) {
    return problem('data folder', messageOf(error), remedy);
  }
}

/** The path itself, or the nearest above it that exists. */
function nearestPresent(path: string): string {
  for (let present = path; ; present = dirname(present)) {
    try {
      if (statSync(present, { throwIfNoEntry: false }) || dirname(present) === present) return present;
    } catch (error) {
      // Something above it is a file.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    }
  }
}

/** Lists the documents; whether each can be read shows when a worker does. */
export async function checkCorpus({ CORPUS_DIR: configured }: Env): Promise<Check> {
  const remedy = 'Set CORPUS_DIR to a folder that holds Markdown, text, HTML or PDF documents.';
  try {
    const { files, skipped } = await listDocuments(documentFolder(configured));
    const where = configured ? shownPath(configured) : 'the documentation of the installed packages';
    if (files.length === 0) return problem('corpus', `there is no document in ${where}`, remedy);
    return ok('corpus', `${files.length} files to read${skipped.length > 0 ? `, ${skipped.length} files left out` : ''}: ${where}`);
  } catch (error) {
    return problem('corpus', messageOf(error), remedy);
  }
}
