import { spawnSync } from 'node:child_process';

/** The built file in a process that says that it is of this version. */
function run(version: string) {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./dist/src/runtime/node-version.js')`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { status, stderr };
}

it.each(['18.20.4', '20.19.2', '22.21.0', '24.8.0'])('Node %s is told to be too old, and what to use', (version) => {
  expect(run(version)).toEqual({ status: 3, stderr: expect.stringMatching(/needs Node 24\.9 or newer.*node_modules\/\.bin\/node/) });
});

it.each(['24.9.0', '24.21.0', '26.0.0'])('Node %s is new enough', (version) => {
  expect(run(version)).toEqual({ status: 0, stderr: '' });
});
