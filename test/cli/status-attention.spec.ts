import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobCommand } from '@lib/domain/job/commands';
import type { Attention } from '../../src/cli/attention';
import { completeWith, lose, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { onJob } from '../support/streams';
import { research } from '../system/support/command';

interface Shown {
  checkpointSeconds: number | null;
  attention: Attention[];
  webhooks: { ailing: object[]; ailingTotal: number };
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

describe('webhooks', () => {
  const day = `interval '1 day'`;
  const add = (id: string, columns: string) =>
    test.store.pool.query(
      `insert into webhook (id, tenant_id, event_types, sealed, enabled, failing_since, disabled_reason, disabled_at)
        values ($1, $2, '{}', '', ${columns})`,
      [id, TENANT],
    );
  const deliver = (webhookId: string, times: number, columns: string) =>
    test.store.pool.query(
      `insert into webhook_delivery (webhook_id, event_id, type, occurred_at, attempts, failures, status, error, attempted_at, due_at, ended_at)
        select $1, gen_random_uuid(), 'test', now(), 1, 1, ${columns} from generate_series(1, $2::int)`,
      [webhookId, times],
    );
  const told = async () => (await shown()).attention.flatMap(({ what, runbook }) => (runbook === 'WebhooksFailing' ? what : []));
  const screen = async () => (await research(['status'], operator())).stdout;
  beforeAll(() => test.store.pool.query('insert into tenant (id) values ($1) on conflict do nothing', [TENANT]));
  beforeEach(() => test.store.pool.query('truncate webhook_delivery; delete from webhook'));

  it('are no matter while none has anything to tell', async () => {
    expect(await screen()).not.toContain('webhooks in the last hour');
  });

  it('that fail alone are named on the screen, and are their owners’ affair', async () => {
    await add('whk_bad', `true, now() - interval '3 hours', null, null`);
    await add('whk_good', 'true, null, null, null');
    await add('whk_by_request', `false, now(), 'by_request', now()`);
    await add('whk_long_ago', `false, now(), 'failing', now() - 2 * ${day}`);
    await add('whk_gone', `false, null, 'gone', now() - interval '5 minutes'`);
    await deliver('whk_bad', 6, `'pending', 'connection', now(), now() + ${day}, null`);
    await deliver('whk_bad', 3, `'failed', 'status', now(), null, now()`);
    await deliver('whk_good', 2, `'delivered', null, now(), null, now()`);
    // Not attempted in the last hour, or nobody's fault.
    await deliver('whk_bad', 20, `'pending', 'connection', now() - interval '2 hours', now() + ${day}, null`);
    await deliver('whk_bad', 20, `'failed', 'status', now() - interval '2 hours', null, now() - interval '2 hours'`);
    await deliver('whk_gone', 20, `'failed', 'gone', now(), null, now()`);
    await deliver('whk_gone', 20, `'failed', 'webhook_disabled', now(), null, now()`);
    await deliver('whk_good', 20, `'pending', null, now(), now() + ${day}, null`);
    expect(await told()).toEqual([]);
    expect(await screen()).toContain(
      [
        'Deliveries to webhooks in the last hour: arrived 2, failed 9 (connection 6, status 3).',
        `  whk_bad of ${TENANT} has failed for 3 hours`,
        `  whk_gone of ${TENANT} was disabled 5 minutes ago: it answered 410`,
        '',
      ].join('\n'),
    );
  });

  it('need attention where hardly a delivery arrives', async () => {
    await deliver('whk', 10, `'pending', 'timeout', now(), now() + ${day}, null`);
    expect(await told()).toEqual([]);
    await deliver('whk', 1, `'delivered', null, now(), null, now()`);
    expect(await told()).toEqual(['10 of 11 deliveries to webhooks failed in the last hour (timeout 10)']);
    await deliver('whk', 1, `'delivered', null, now(), null, now()`);
    expect(await told()).toEqual([]);
  });

  it('need attention where several were disabled within the hour because they failed, and the screen names some', async () => {
    await add('whk_0', `false, now(), 'failing', now() - interval '2 hours'`);
    await add('whk_1', `false, now(), 'failing', now()`);
    expect(await told()).toEqual([]);
    for (const id of ['whk_2', 'whk_3', 'whk_4', 'whk_5', 'whk_6']) await add(id, `false, now(), 'failing', now()`);
    expect(await told()).toEqual(['6 webhooks were disabled in the last hour, since they had failed for a week']);
    const text = await screen();
    expect(text.match(/whk_\d of \S+ was disabled 0 minutes ago: it had failed for a week/g)).toHaveLength(5);
    expect(text).toContain('and 2 more (--json)');
  });

  it('that have failed for longest are named first, of however many', async () => {
    await test.store.pool.query(
      `insert into webhook (id, tenant_id, event_types, sealed, enabled, failing_since)
        select 'whk_' || number, $1, '{}', '', true, now() - number * interval '1 hour' from generate_series(1, 300) as number`,
      [TENANT],
    );
    await add('whk_disabled', `false, now(), 'failing', now()`);
    const text = await screen();
    expect(text.match(/whk_\d+ of \S+ has failed for \d+ hours/g)?.map((line) => line.replace(/ of \S+/, ''))).toEqual(
      [300, 299, 298, 297, 296].map((hours) => `whk_${hours} has failed for ${hours} hours`),
    );
    expect(text).toContain('and 296 more (--json)');
    const { webhooks } = await shown();
    expect([webhooks.ailing.length, webhooks.ailingTotal]).toEqual([200, 301]);
  });
});
