import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDataFolder } from './make-data-folder';

/**
 * A secret that the embedded default makes for itself and keeps in its data folder, readable by its owner alone.
 * @returns the text, and whether it was made by this call
 * @throws Error naming DATA_DIR if the folder cannot be used
 */
export function keptSecret(
  file: string,
  make: () => string = () => randomBytes(32).toString('base64'),
): { text: string; created: boolean } {
  const existing = readSecretFile(file);
  if (existing !== null) return { text: existing, created: false };
  makeDataFolder(dirname(file));
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    // Whoever links first wins, and a half-written secret is never seen under its name.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  chmodSync(file, 0o600);
  return { text: readSecretFile(file) ?? '', created: true };
}

/** The secret in a file, or null if there is no such file. */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    // ENOTDIR: something above it is a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
