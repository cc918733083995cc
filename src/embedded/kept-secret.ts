import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDataFolder, unusableDataFolder } from './make-data-folder';

/**
 * A secret that the embedded default creates and stores in its data folder, readable by the owner only.
 * @returns the text, and whether this call created it
 * @throws Error that names DATA_DIR if the folder is unusable
 */
export function keptSecret(
  file: string,
  make: () => string = () => randomBytes(32).toString('base64'),
): { text: string; created: boolean } {
  const existing = readSecretFile(file);
  if (existing !== null) return { text: existing, created: false };
  makeDataFolder(dirname(file));
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
    // The first process to link wins, and nobody sees a partly written secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusableDataFolder(dirname(file), error);
  } finally {
    rmSync(draft, { force: true });
  }
  chmodSync(file, 0o600);
  return { text: readSecretFile(file) ?? '', created: true };
}

/** The secret in a file; null if there is no such file. */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    // ENOTDIR: one of its parents is a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
