import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobCommand } from '@lib/domain/job/commands';
import type { Attention } from '../../src/cli/attention';
import { completeWith, lose, report, start, success } from '../support/job-history';
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

it('what customers cancel is no work that went well', async () => {
  const told = async () => (await shown()).attention.flatMap(({ what, runbook }) => (runbook === 'JobsFailing' ? what : []));
  const end = async (reason: 'CancelJob' | 'ReachDeadline') => {
    const { jobId } = await createJob(test.store);
    await onJob(test.store, jobId, reason === 'CancelJob' ? { type: reason } : { type: reason, phase: 'queue' });
  };
  for (let job = 0; job < 110; job += 1) await end('CancelJob');
  for (let job = 0; job < 5; job += 1) await end('ReachDeadline');
  expect(await told()).toEqual([]);
  // As the alert counts: many that ended, of which few need to have failed.
  for (let job = 0; job < 6; job += 1) {
    const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
    const [one = ''] = stepIds;
    await onJob(test.store, jobId, start(one), report(one, 1, success()), completeWith({}));
  }
  expect(await told()).toEqual(['5 of 11 jobs ended without a report']);
});

it('attempts that a customer ended do not hide those that were lost', async () => {
  const told = async () => (await shown()).attention.flatMap(({ what, runbook }) => (runbook === 'AttemptsLost' ? what : []));
  const attempt = async (end: (stepId: string) => JobCommand, times: number) => {
    for (let job = 0; job < times; job += 1) {
      const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
      const [one = ''] = stepIds;
      await onJob(test.store, jobId, start(one), end(one));
    }
  };
  await attempt(() => ({ type: 'CancelJob' }), 130);
  await attempt((stepId) => lose(stepId, 1), 6);
  expect(await told()).toEqual(['6 of 23 attempts were lost with their workers']);
});

it('a checkpoint that does not lie in the folder ages, as in the metric', async () => {
  expect((await research(['checkpoint'], operator())).code).toBe(0);
  expect((await shown()).checkpointSeconds).toBe(0);
  const folder = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  expect((await shown({ CHECKPOINT_DIR: folder })).checkpointSeconds).toBeGreaterThan(0);
  await rm(folder, { recursive: true });
});
