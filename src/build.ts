import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the compiled code, written by `write-build`. */
export const BUILD_FILE = join(__dirname, '..', 'build.txt');

/** The version of this code and a digest of all of it, as `0.1.0+3f2a9c0b1d4e`; `unbuilt` where it was never compiled. */
export function readBuild(): string {
  try {
    return readFileSync(BUILD_FILE, 'utf8');
  } catch {
    return 'unbuilt';
  }
}
