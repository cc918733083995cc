import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KNOWN_NAMES_FILE, readShippedNames } from '@lib/language/known-names';

/** Puts names that are known beside the built code, for processes that need nothing else of the package that ships them. */
async function main(): Promise<void> {
  await writeFile(resolve('dist/libs/language', KNOWN_NAMES_FILE), JSON.stringify(readShippedNames()));
}

void main();
