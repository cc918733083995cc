import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attention } from '../../src/cli/attention';
import { report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { onJob } from '../support/streams';
import { research } from '../system/support/command';

interface Shown {
  checkpointSeconds: number | null;
  attention: Attention[];
}

const CHECKPOINT_KEY = randomBytes(32).toString('base64');

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
  await createJob(test.store);
});
afterAll(() => test.close());

const operator = (): Record<string, string> => ({ DATABASE_URL: test.databaseUrl, CHECKPOINT_KEY });

async function shown(environment: Record<string, string> = {}): Promise<Shown> {
  const { stdout } = await research(['status', '--json'], { ...operator(), ...environment });
  return JSON.parse(stdout) as Shown;
}

const missing = ({ attention }: Shown) => attention.find(({ runbook }) => runbook === 'RoleMissing')?.what;

it('the log of a new database need not be signed before the first checkpoint is due', async () => {
  const runbooks = async (everyMs: string) => (await shown({ CHECKPOINT_MS: everyMs })).attention.map(({ runbook }) => runbook);
  expect(await runbooks('300000')).not.toContain('CheckpointOld');
  expect(await runbooks('1')).toContain('CheckpointOld');
});

it('somebody has to deliver webhooks once something is to be delivered', async () => {
  expect(missing(await shown())).toBe('no process of api, saga, synthesizer is there');
  const due = `insert into webhook_delivery (webhook_id, event_id, type, occurred_at, due_at) values ('whk', 'evt', 'test', now(), now())`;
  await test.store.pool.query(due);
  expect(missing(await shown())).toBe('no process of api, saga, synthesizer, webhooks is there');
});

it('steps of a provider that nobody starts are told once they are many, although their jobs have a report', async () => {
  const told = async () => (await shown()).attention.filter(({ runbook }) => runbook === 'StepsNotStarted');
  for (let job = 0; job < 11; job += 1) {
    expect(await (job === 10 ? told() : [])).toEqual([]);
    const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a'), candidate('provider-b')] });
    const [one = ''] = stepIds;
    await onJob(test.store, jobId, start(one), report(one, 1, success()), { type: 'ReachDeadline', phase: 'running' });
  }
  expect(await told()).toEqual([{ what: '11 of 11 steps of provider-b were never started', runbook: 'StepsNotStarted' }]);
});

it('a checkpoint that does not lie in the folder ages, as in the metric', async () => {
  expect((await research(['checkpoint'], operator())).code).toBe(0);
  expect((await shown()).checkpointSeconds).toBe(0);
  const folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  expect((await shown({ CHECKPOINT_DIR: folder })).checkpointSeconds).toBeGreaterThan(0);
  await rm(folder, { recursive: true });
});
