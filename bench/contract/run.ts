import { copyFile, readFile } from 'node:fs/promises';

import { breakingChanges } from './breaking-changes';

const CURRENT = 'openapi/openapi.json';
const RELEASED = 'openapi/released.json';

/** Compares the contract with that of the last release, or makes it the released one: `run.js [--release]`. */
async function main(parameters: string[]): Promise<void> {
  const changes = breakingChanges(await documentIn(RELEASED), await documentIn(CURRENT));
  if (changes.length > 0) {
    const verdict = `${CURRENT} breaks clients of ${RELEASED} in ${changes.length} places; within /v1 only additions are allowed:`;
    process.stderr.write(`${[verdict, ...changes].join('\n')}\n`);
    process.exitCode = 1;
  } else if (parameters.includes('--release')) {
    await copyFile(CURRENT, RELEASED);
  }
}

const documentIn = async (file: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;

void main(process.argv.slice(2));
