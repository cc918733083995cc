import { statSync } from 'node:fs';
import type { Env } from '@lib/settings/env';
import { printable, SettingsError } from '@lib/settings/settings-error';

/**
 * Refuses a missing documents folder at the start: otherwise answers would only say that nothing was found.
 * @throws SettingsError
 */
export function requireCorpusFolder({ CORPUS_DIR: folder }: Env): void {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const remedy = 'must name a folder that exists and holds Markdown, text, HTML or PDF documents; unset, the installed packages answer';
  throw new SettingsError('The environment', [{ name: 'CORPUS_DIR', value: printable(folder), remedy }]);
}
