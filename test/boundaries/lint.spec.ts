import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

jest.setTimeout(180_000);

const ROOT = resolve(__dirname, '../..');

/** A service of these files alone, by our rules: typed rules read every file of a project, and ours has a thousand. */
const FILES = {
  'src/saga/saga.ts': [
    `import { EventBus, Saga as OnEvent } from '@nestjs/cqrs';`,
    `import * as cqrs from '@nestjs/cqrs';`,
    `export class Sagas { constructor(readonly bus: EventBus) {} @OnEvent() one = 1; @cqrs.Saga() two = 2; }`,
    `export const forget = (work: () => Promise<void>): void => { work(); };`,
    `export const misuse = (work: () => Promise<boolean>): number => (work() ? 1 : 2);`,
    `export const anything = (value: any): boolean => value == 1;`,
  ],
  'test/boundaries/hiding.spec.ts': [
    `it.only('alone', () => undefined);`,
    `describe.only('alone', () => undefined);`,
    `test.only.each([1])('alone', () => undefined);`,
    `fit('alone', () => undefined);`,
    `jest.mock('node:fs');`,
  ],
  'test/boundaries/silent.spec.ts': [
    `it('waits', async () => { await Promise.resolve(1); });`,
    `it.each([1, 2])('counts %d', (one) => void one);`,
    `it('passes it on', () => Promise.resolve());`,
    `const expectOne = (one: number) => expect(one).toBe(1);`,
    `it('asserts', () => { expect(1).toBe(1); });`,
    `it.each([1])('asserts %d', (one) => expect(one).toBe(1));`,
    `it('asserts through a helper', () => expectOne(1));`,
  ],
  'src/threads/threads.controller.ts': [
    `import { CommandBus, QueryBus } from '@nestjs/cqrs';`,
    `export const buses = [CommandBus, QueryBus];`,
  ],
};

interface Linted {
  filePath: string;
  messages: { ruleId: string; line: number }[];
}

let tree: string;
let linted: Linted[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'research-lint-'));
  for (const file of ['eslint.config.mjs', 'tsconfig.json', 'package.json']) await cp(join(ROOT, file), join(tree, file));
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, lines] of Object.entries(FILES)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), lines.join('\n'));
  }
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
  const run = spawnSync(process.execPath, [eslint, ...Object.keys(FILES), '--format', 'json'], { cwd: tree, encoding: 'utf8' });
  if (run.stdout === '') throw new Error(`eslint did not run: ${run.stderr}`);
  linted = JSON.parse(run.stdout) as Linted[];
});

afterAll(() => rm(tree, { recursive: true, force: true }));

/** Which rules each line of a file breaks. */
function brokenIn(path: keyof typeof FILES): Record<number, string[]> {
  const file = linted.find(({ filePath }) => filePath.endsWith(`/${path}`));
  if (!file) throw new Error(`${path} was not linted`);
  const found: Record<number, string[]> = {};
  for (const { line, ruleId } of file.messages) (found[line] ??= []).push(ruleId);
  return found;
}

it('catches what would be lost or ignored at run time', () => {
  const found = brokenIn('src/saga/saga.ts');

  expect(found[1]).toContain('no-restricted-imports');
  expect(found[2]).toContain('no-restricted-imports');
  expect(found[3]).toContain('no-restricted-syntax');
  expect(found[4]).toContain('@typescript-eslint/no-floating-promises');
  expect(found[5]).toContain('@typescript-eslint/no-misused-promises');
  expect(found[6]).toEqual(expect.arrayContaining(['@typescript-eslint/no-explicit-any', 'eqeqeq']));
});

it('catches a test that would hide the others, and a mock', () => {
  const found = brokenIn('test/boundaries/hiding.spec.ts');

  for (const line of [1, 2, 3, 5]) expect(found[line]).toContain('no-restricted-properties');
  expect(found[4]).toContain('no-restricted-globals');
});

it('catches a test that asserts nothing, also where it waits for something', () => {
  const found = brokenIn('test/boundaries/silent.spec.ts');

  for (const line of [1, 2, 3]) expect(found[line]).toContain('no-restricted-syntax');
  expect(Object.keys(found)).toEqual(['1', '2', '3']);
});

it('lets the command and query bus through', () => {
  const found = brokenIn('src/threads/threads.controller.ts');
  expect(found).toEqual({});
});
