import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubectl } from './kubectl';
import { knownMetrics } from './queries';

const RUNBOOKS = 'docs/runbooks';
const RESEARCH = '/app/dist/src/entry.js';
/** They need the owner of the database, whose login no role has. */
const OF_THE_OWNER = ['keys', 'balance', 'tenants', 'migrate', 'grants', 'rewrap'];
const FETCH_MS = 120_000;

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

it('asks in the pod of a role only for what its role of the database may do', () => {
  const asked = commands.flatMap(({ file, command }) => {
    const [, name] = /^kubectl exec .*\/entry\.js (\S+)/.exec(command) ?? [];
    return name === undefined ? [] : [{ file, name }];
  });
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter(({ name }) => OF_THE_OWNER.includes(name))).toEqual([]);
});

it(
  'reads the whole log of every pod',
  async () => {
    const logs = commands.filter(({ command }) => command.startsWith('kubectl logs '));
    expect(logs.length).toBeGreaterThan(6);
    const ofOne = logs.filter(({ command }) => / deploy\//.test(command) && !command.includes(' --all-pods'));
    // By a label kubectl shows ten lines of each pod, unless it is told otherwise.
    const ofTenLines = logs.filter(({ command }) => / -l /.test(command) && !command.includes(' --tail=-1'));
    expect([...ofOne, ...ofTenLines]).toEqual([]);
    const help = execFileSync(await kubectl(), ['logs', '--help'], { encoding: 'utf8' });
    const options = logs.flatMap(({ command }) =>
      [...(command.split('|')[0] ?? '').matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option),
    );
    expect(options.filter((option) => !help.includes(` ${option}=`))).toEqual([]);
  },
  FETCH_MS,
);

it('asks for parts of a histogram, which has no series of its own name', async () => {
  const known = await knownMetrics();
  const asked = commands.flatMap(({ file, command }) => [...command.matchAll(/\bresearch_[a-z_]+/g)].map(([name]) => ({ file, name })));
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(({ name }) => known.get(name)?.type === 'histogram')).toEqual([]);
});
