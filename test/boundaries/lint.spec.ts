import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

jest.setTimeout(180_000);

const ROOT = resolve(__dirname, '../..');

interface Finding {
  ruleId: string;
  line: number;
}

/** Lints a text as if it were the file: typed rules need a path that belongs to the project. */
const lint = (path: string, lines: string[]): Record<number, string[]> => {
  const args = [join(ROOT, 'node_modules/eslint/bin/eslint.js'), '--stdin', '--stdin-filename', path, '--format', 'json'];
  const run = spawnSync(process.execPath, args, { cwd: ROOT, input: lines.join('\n'), encoding: 'utf8' });
  if (run.stdout === '') throw new Error(`eslint did not run: ${run.stderr}`);
  const [file] = JSON.parse(run.stdout) as [{ messages: Finding[] }];
  const found: Record<number, string[]> = {};
  for (const { line, ruleId } of file.messages) (found[line] ??= []).push(ruleId);
  return found;
};

it('catches what would be lost or ignored at run time', () => {
  const found = lint('src/saga/saga.ts', [
    `import { EventBus, Saga as OnEvent } from '@nestjs/cqrs';`,
    `import * as cqrs from '@nestjs/cqrs';`,
    `export class Sagas { constructor(readonly bus: EventBus) {} @OnEvent() one = 1; @cqrs.Saga() two = 2; }`,
    `export const forget = (work: () => Promise<void>): void => { work(); };`,
    `export const misuse = (work: () => Promise<boolean>): number => (work() ? 1 : 2);`,
    `export const anything = (value: any): boolean => value == 1;`,
  ]);

  expect(found[1]).toContain('no-restricted-imports');
  expect(found[2]).toContain('no-restricted-imports');
  expect(found[3]).toContain('no-restricted-syntax');
  expect(found[4]).toContain('@typescript-eslint/no-floating-promises');
  expect(found[5]).toContain('@typescript-eslint/no-misused-promises');
  expect(found[6]).toEqual(expect.arrayContaining(['@typescript-eslint/no-explicit-any', 'eqeqeq']));
});

it('catches a test that would hide the others, and a mock', () => {
  const found = lint('test/boundaries/lint.spec.ts', [
    `it.only('alone', () => undefined);`,
    `describe.only('alone', () => undefined);`,
    `test.only.each([1])('alone', () => undefined);`,
    `fit('alone', () => undefined);`,
    `jest.mock('node:fs');`,
  ]);

  for (const line of [1, 2, 3, 5]) expect(found[line]).toContain('no-restricted-properties');
  expect(found[4]).toContain('no-restricted-globals');
});

it('catches a test that asserts nothing, also where it waits for something', () => {
  const found = lint('test/boundaries/lint.spec.ts', [
    `it('waits', async () => { await Promise.resolve(1); });`,
    `it.each([1, 2])('counts %d', (one) => void one);`,
    `it('passes it on', () => Promise.resolve());`,
    `const expectOne = (one: number) => expect(one).toBe(1);`,
    `it('asserts', () => { expect(1).toBe(1); });`,
    `it.each([1])('asserts %d', (one) => expect(one).toBe(1));`,
    `it('asserts through a helper', () => expectOne(1));`,
  ]);

  for (const line of [1, 2, 3]) expect(found[line]).toContain('no-restricted-syntax');
  expect(Object.keys(found)).toEqual(['1', '2', '3']);
});

it('lets the command and query bus through', () => {
  const found = lint('src/threads/threads.controller.ts', [
    `import { CommandBus, QueryBus } from '@nestjs/cqrs';`,
    `export const buses = [CommandBus, QueryBus];`,
  ]);
  expect(found).toEqual({});
});
