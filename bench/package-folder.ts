import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package, whether this runs from the sources or from `dist`. */
export function packageFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
