import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KNOWN_WORDS_FILE, readShippedWords } from '@lib/language/known-words';

/** Puts words that are known beside the built code, for processes that need nothing else of the package that ships them. */
async function main(): Promise<void> {
  await writeFile(resolve('dist/libs/language', KNOWN_WORDS_FILE), JSON.stringify(readShippedWords()));
}

void main();
