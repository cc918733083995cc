import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KNOWN_WORDS_FILE, readShippedWords } from '@lib/language/known-words';

/** Writes the list of known words beside the built code, for processes that need nothing else from the package that ships it. */
async function main(): Promise<void> {
  await writeFile(resolve('dist/libs/language', KNOWN_WORDS_FILE), JSON.stringify(readShippedWords()));
}

void main();
