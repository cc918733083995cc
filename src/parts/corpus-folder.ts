import { readdirSync, statSync } from 'node:fs';
import type { Env } from '@lib/settings/env';
import { printable, SettingsError } from '@lib/settings/settings-error';

/** All that a new volume holds. */
const OF_A_NEW_VOLUME = 'lost+found';

/**
 * A folder of documents that was named must exist and hold something: otherwise every question would wait in vain for a worker that has documents.
 * @throws SettingsError
 */
export function requireCorpusFolder({ CORPUS_DIR: folder }: Env): void {
  if (folder === undefined) return;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && !isEmpty(folder)) return;
  const remedy = 'must name a folder that exists and holds Markdown, text, HTML or PDF documents; unset, the installed packages answer';
  throw new SettingsError('The environment', [
    { name: 'CORPUS_DIR', value: `${printable(folder)}${isFolder ? ', which is empty' : ''}`, remedy },
  ]);
}

/** A folder that cannot be listed is not empty: its questions say why it cannot be read. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).every((name) => name === OF_A_NEW_VOLUME);
  } catch {
    return false;
  }
}
