import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readShippedVectors, readVectors, writeVectors } from '@lib/language/word-vector-file';

/** Converting takes seconds and gives the same each time, so it is done once per installation. */
const KEPT = resolve('.cache/word-vectors.bin');
const BUILT = resolve('dist/libs/language/word-vectors.bin');

/** Puts the compact word vectors beside the built code. */
async function main(): Promise<void> {
  if (!(await readVectors(KEPT))) await writeVectors(KEPT, await readShippedVectors());
  await copyFile(KEPT, BUILT);
}

void main();
