import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BUILD_FILE } from './build';

/** Run after compiling: derives the build's name from its content, so that the same code has the same name wherever it was built. */
const compiled = join(__dirname, '..');
const root = join(compiled, '..');
const files = ['src', 'libs'].flatMap((folder) =>
  readdirSync(join(compiled, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ parentPath, name }) => join(parentPath, name)),
);
const digest = createHash('sha256');
for (const file of [...files.sort(), join(root, 'package-lock.json')]) {
  digest.update(`${relative(root, file)}\n`).update(createHash('sha256').update(readFileSync(file)).digest());
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
writeFileSync(BUILD_FILE, `${version}+${digest.digest('hex').slice(0, 12)}`);
