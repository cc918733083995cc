import { randomBytes } from 'node:crypto';
import { createDatabase } from '../servers/database';
import { research } from '../system/support/command';
import { startSystem, type System } from '../system/support/system';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

let system: System;
let operator: Record<string, string>;
let job: { id: string; threadId: string; version: number; body: unknown };
beforeAll(async () => {
  const database = await createDatabase();
  const masterKey = randomBytes(32).toString('base64');
  operator = { DATABASE_URL: database.url, MASTER_KEY: masterKey };
  const environment = { MASTER_KEY: masterKey };
  system = await startSystem({ database, environment, providers: { 'provider-a': { reserveCents: 40, costCents: 30 } } });
  const body = await system.client.research({ message: 'A canary?', providers: ['provider-a'] });
  const { length: version } = await system.client.events(body.threadId, body.id);
  job = { id: body.id, threadId: body.threadId, version, body };
});
afterAll(() => system.stop());

const replay = (parameters: string[], input = '') => research(['replay', job.id, ...parameters], operator, input);
const documentIn = (stdout: string): unknown => JSON.parse(stdout.slice(stdout.indexOf('\n{')));

it('shows what each event changed, and the job as it is', async () => {
  const { code, stdout, stderr } = await replay([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^1 {2}\S+Z {2}JobRequested\n {4}job: pending\n {4}provider-a stp_\w+: queued\n {4}reserved: 0.0000 cents -> 40.0000 cents\n/,
  );
  expect(stdout).toMatch(/StepStarted\n {4}job: pending -> running\n {4}provider-a stp_\w+: queued -> running\n/);
  expect(stdout).toContain('    committed: 0.0000 cents -> 30.0000 cents\n');
  expect(stdout).toContain('    charged: 0.0000 cents -> 30.0000 cents\n');
  expect(documentIn(stdout)).toEqual(job.body);
});

it('ends at a version or a time', async () => {
  const { stdout } = await replay(['--at', '2']);
  expect(stdout.match(/^\d+ {2}/gm)).toHaveLength(2);
  expect(documentIn(stdout)).toMatchObject({ status: 'running', steps: [] });
  const [, at = ''] = /^2 {2}(\S+)/m.exec(stdout) ?? [];
  expect((await replay(['--at', at])).stdout).toContain(stdout.slice(0, stdout.indexOf('\n\n')));
});

it('waits after each event for Enter', async () => {
  const { code, stdout } = await replay(['--step'], '\n\nq\n');
  expect({ code, shown: stdout.match(/^\d+ {2}/gm)?.length }).toEqual({ code: 0, shown: 3 });
  expect((await replay(['--step'], '\n'.repeat(job.version))).stdout).toBe((await replay([])).stdout);
});

it.each([
  [['--at', '0'], 'must be the version of an event'],
  [['--at', 'yesterday'], 'must be the version of an event'],
  [['--at', '999999999'], 'ask for a version from 1 to'],
  [['--at', '2020-01-01T00:00:00Z'], 'ask for that time or a later one'],
])('says what is wrong with %j', async (parameters, said) => {
  const { code, stdout, stderr } = await replay(parameters);
  expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining(said) as string });
});

it('knows no job by another name', async () => {
  const { code, stderr } = await research(['replay', 'job_none'], operator);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('There is no job job_none') as string });
});

it('shows the skeleton of a job whose thread was deleted', async () => {
  await system.client.expect(200, 'DELETE', `/v1/threads/${job.threadId}`);
  const { code, stdout } = await replay([]);
  expect(code).toBe(0);
  expect(stdout).toContain('erased with its thread');
  expect(stdout).toContain('    committed: 0.0000 cents -> 30.0000 cents\n');
  expect(stdout).not.toContain('canary');
});
