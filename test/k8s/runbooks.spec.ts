import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNBOOKS = 'docs/runbooks';
const RESEARCH = '/app/dist/src/entry.js';

/** What stands between backticks. */
const commands = readdirSync(RUNBOOKS).flatMap((file) =>
  [...readFileSync(join(RUNBOOKS, file), 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => ({ file, command })),
);

it('runs in a pod only what the image has: Node, and the service', () => {
  const inPods = commands.flatMap(({ file, command }) => {
    const [, inside] = /^kubectl exec \S+(?: -c research)? -- (.+)$/.exec(command) ?? [];
    return inside === undefined ? [] : [{ file, program: inside.split(' ')[0] }];
  });
  expect(inPods.length).toBeGreaterThan(3);
  expect(inPods.filter(({ program }) => program !== '/usr/local/bin/node')).toEqual([]);
  // Without `kubectl exec` they are there for nobody: the image has no shell to type them into.
  expect(commands.filter(({ command }) => /^(kill|research|doctor) /.test(command))).toEqual([]);
});

it('names commands and options that the service has', () => {
  const told = commands.flatMap(({ file, command }) => {
    const [, rest] = command.split(`${RESEARCH} `);
    if (rest === undefined) return [];
    const [name = '', ...parameters] = rest.split(' ');
    // Of a command with parts, such as `drain provider`, the part knows the options.
    const words = parameters.slice(
      0,
      Math.max(
        0,
        parameters.findIndex((each) => !/^[a-z]+$/.test(each)),
      ),
    );
    return [{ file, name, words, options: parameters.filter((parameter) => parameter.startsWith('--')) }];
  });
  expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(['doctor', 'verify', 'checkpoint']));
  for (const { file, name, words, options } of told) {
    const help = execFileSync(process.execPath, ['dist/src/entry.js', name, ...words, '--help'], { encoding: 'utf8' });
    expect({ file, usage: help.split('\n')[0] }).toEqual({ file, usage: expect.stringContaining(`research ${name} `) as string });
    for (const option of options) expect({ file, help }).toEqual({ file, help: expect.stringContaining(` ${option} `) as string });
  }
});
