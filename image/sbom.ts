import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { billOfMaterials, componentsOf, licenceList, type Lock, type Scope } from './bill-of-materials';

const FOLDER = '.cache/sbom';
const SCOPES: readonly Scope[] = ['production', 'everything'];

/** Writes the bills of materials and the list of licences. */
async function main(): Promise<void> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
  await mkdir(FOLDER, { recursive: true });
  for (const scope of SCOPES) {
    const file = join(FOLDER, `${scope}.cdx.json`);
    await writeFile(file, `${JSON.stringify(billOfMaterials(lock, scope), null, 2)}\n`);
    console.log(`${file}: ${componentsOf(lock, scope).length} packages`);
  }
  const licences = join(FOLDER, 'licences.md');
  await writeFile(licences, licenceList(lock));
  console.log(licences);
}

void main();
