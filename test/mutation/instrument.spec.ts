import { transformSync } from '@swc/core';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { instrument } from '../../bench/mutation/instrument';
import { interval, sample } from '../../bench/mutation/sample';
import { ROOMS } from '../../bench/mutation/rooms';

const ROOT = resolve(__dirname, '../..');
const changesOf = (source: string) =>
  instrument('one.ts', source).mutants.map(({ original, replacement }) => `${original} -> ${replacement}`);

/** What the expression is with each of its mutants on, the untouched one first. */
function valuesOf(expression: string, names: Record<string, unknown> = {}): unknown[] {
  const { text, mutants } = instrument('one.ts', `result = ${expression};`);
  const valueWith = (on: number): unknown =>
    runInNewContext(`let result; ${text}; result`, { ...names, mutation: () => (index: number) => index === on });
  return [-1, ...mutants.keys()].map(valueWith);
}

it.each([
  ['amounts', 'a < 3', { a: 3 }, [false, true, true]],
  ['sums', 'a + b * 2', { a: 1, b: 2 }, [5, -3, 2]],
  ['negations', '!a', { a: true }, [false, true]],
  ['fallbacks', `a ?? 7`, { a: 1 }, [1, 1, 7]],
  ['choices', `a ? 1 : 2`, { a: true }, [1, 1, 2]],
  ['lists', `[a]`, { a: 1 }, [[1], []]],
  ['texts', `'x' + a`, { a: 1 }, ['x1', '1']],
  ['methods, with what they are called on', `a.filter(Boolean).length`, { a: [0, 1] }, [1, 2]],
  ['optional chains as a whole', `a?.b.c`, { a: { b: { c: 1 } } }, [1, 1]],
])('changes %s one at a time, and nothing while none is on', (_, expression, names, values) => {
  expect(valuesOf(expression, names)).toEqual(values);
});

it('leaves out calls for their effect and whole blocks, and gives no result', () => {
  expect(changesOf('function f(a) { send(a); return a; }')).toEqual(['{ send(a); return a; } -> ', 'send(a); -> ', 'a -> undefined']);
});

it('leaves types, names, modules and what is logged alone', () => {
  const source = [
    `import { x } from './x';`,
    `interface A { kind: 'one' }`,
    `const a: 'b' | 'c' = x;`,
    `logger.warn({ reason: 'late' }, 'a thing was late');`,
  ];
  expect(changesOf(source.join('\n'))).toEqual([]);
});

it.each(Object.keys(ROOMS))('makes of every file of %s one that can still be compiled, with the same lines', (room) => {
  const files = globSync(`${room}/**/*.ts`, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const { text } = instrument(file, source);
    expect(() => transformSync(text, { jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' } })).not.toThrow();
  }
});

it('draws the same sample for the same seed, without a double', () => {
  const items = Array.from({ length: 500 }, (_, place) => place);
  const drawn = sample(items, 100, 7);
  expect(sample(items, 100, 7)).toEqual(drawn);
  expect(sample(items, 100, 8)).not.toEqual(drawn);
  expect(new Set(drawn).size).toBe(100);
  expect(sample(items, 500, 7)).toEqual(items);
});

it('says how far a sample may lie from the whole', () => {
  const [low, high] = interval(90, 100);
  expect([low, high]).toEqual([expect.closeTo(0.826, 3), expect.closeTo(0.945, 3)]);
});
