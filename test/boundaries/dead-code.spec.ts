import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** A service of which everything is used, but for what is named dead. */
const FILES: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'planted', dependencies: { yaml: '2.9.1', pino: '10.4.0' } }),
  'src/main.ts': `import { parse } from 'yaml'; import { alive, type Alive } from '@lib/domain/alive'; export const main: Alive = parse(alive);`,
  'libs/domain/alive.ts': `
    interface Part { part: string }
    export interface PartOfAlive extends Part { whole: boolean }
    export interface Alive { parts: PartOfAlive[] }
    export type DeadType = Part;
    export const partOfAlive = 'alive';
    export const alive = partOfAlive;
    export const forTests = 'tested';
    export const dead = 'dead';`,
  'libs/domain/dead-file.ts': `export const nobody = 'imports this';`,
  'test/domain/alive.spec.ts': `
    import { alive, forTests, partOfAlive } from '@lib/domain/alive'; import { given } from '../support/given';
    test('it lives', () => expect([alive, partOfAlive, forTests]).toBe(given));`,
  'test/support/given.ts': `export const given = 'given';`,
};

interface Report {
  issues: { file: string; [kind: string]: string | { name: string }[] }[];
}

let tree: string;
let found: Report['issues'];
let foundWithoutTests: Report['issues'];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'research-dead-code-'));
  for (const file of ['knip.js', 'Makefile', 'tsconfig.json']) await cp(join(ROOT, file), join(tree, file));
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  found = issuesFound();
  foundWithoutTests = issuesFound('--production');
});

function issuesFound(...options: string[]): Report['issues'] {
  const knip = join(ROOT, 'node_modules/knip/bin/knip.js');
  const run = spawnSync(process.execPath, [knip, '--no-progress', '--reporter', 'json', ...options], { cwd: tree, encoding: 'utf8' });
  if (run.stdout === '') throw new Error(`knip did not run: ${run.stderr}`);
  expect(run.status).not.toBe(0);
  return (JSON.parse(run.stdout) as Report).issues;
}

afterAll(() => rm(tree, { recursive: true, force: true }));

const named = (file: string, kind: string, issues = found): string[] => {
  const names = issues.find((issue) => issue.file === file)?.[kind] ?? [];
  return typeof names === 'string' ? [names] : names.map(({ name }) => name);
};

it('finds exports that nobody imports, and no part of one that somebody does', () => {
  expect(named('libs/domain/alive.ts', 'exports')).toEqual(['dead']);
  expect(named('libs/domain/alive.ts', 'types')).toEqual(['DeadType']);
});

it('finds exports that tests alone use, and none that its own file uses too', () => {
  expect(named('libs/domain/alive.ts', 'exports', foundWithoutTests)).toEqual(['forTests', 'dead']);
});

it('finds files and packages that nobody imports', () => {
  expect(named('libs/domain/dead-file.ts', 'files')).toEqual(['libs/domain/dead-file.ts']);
  expect(named('package.json', 'dependencies')).toEqual(['pino']);
});

it('finds nothing else', () => {
  expect(found.map(({ file }) => file).sort()).toEqual(['libs/domain/alive.ts', 'libs/domain/dead-file.ts', 'package.json']);
});
