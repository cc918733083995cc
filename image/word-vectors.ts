import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { frequentIn, readShippedVectors, readVectors, writeVectors } from '@lib/language/word-vector-file';
import { FREQUENT_FILE, FREQUENT_WORDS } from '@lib/language/word-vectors';

/** Converting takes seconds and gives the same each time, so it is done once per installation. */
const KEPT = resolve('.cache/word-vectors.bin');
const BUILT = resolve('dist/libs/language');

/** Writes the compact word vectors beside the built code, and those of the most frequent words again in a file of their own. */
async function main(): Promise<void> {
  const kept = await readVectors(KEPT);
  const vectors = kept ?? (await readShippedVectors());
  if (!kept) await writeVectors(KEPT, vectors);
  await copyFile(KEPT, resolve(BUILT, 'word-vectors.bin'));
  await writeVectors(resolve(BUILT, FREQUENT_FILE), frequentIn(vectors, FREQUENT_WORDS));
}

void main();
