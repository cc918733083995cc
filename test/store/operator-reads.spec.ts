import { Client } from 'pg';
import type { Store } from '@lib/store/store';
import { describeKey } from '@lib/store/access/describe-key';
import { readLimitUsage } from '@lib/store/limits/limit-usage';
import { listLimits, setLimits } from '@lib/store/limits/tenant-limits';
import { limitKey } from '@lib/store/access/api-keys';
import { newId } from '@lib/store/new-id';
import { readSessionName, withSessionName } from '@lib/store/postgres/session-name';
import { runningSteps } from '@lib/store/views/running-steps';
import { recentEvents, seenProcesses, serverState, standbys } from '@lib/store/views/status-reads';
import { countDeliveries, countWork, logLag, checkpointAge } from '@lib/store/views/work-counts';
import { sequence } from '../../src/audit/sequencer';
import { complete, failure, report, start, success } from '../support/job-history';
import { createKey } from '../support/keys';
import { createJob, createTestStore, META, type TestStore } from '../support/store';
import { addMessage, onJob } from '../support/streams';

let test: TestStore;
let store: Store;
let ended: Awaited<ReturnType<typeof createJob>>;
let running: Awaited<ReturnType<typeof createJob>>;
/** A finished job with a failure, and one whose attempt a worker holds. */
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  [ended, running] = [await createJob(store), await createJob(store)];
  const [one = '', two = ''] = ended.stepIds;
  await onJob(
    store,
    ended.jobId,
    start(one),
    report(one, 1, success()),
    start(two),
    report(two, 1, failure({ errorClass: 'auth' })),
    complete,
  );
  await onJob(store, running.jobId, start(running.stepIds[1] ?? ''));
});
afterAll(() => test.close());

const nameIn = (url: string): string => new URL(url).searchParams.get('application_name') ?? '';
const API = { instance: '3f2a9c0b-1111', build: '0.1.0+abc', roles: ['api', 'saga'] };

describe('the name of a session', () => {
  it('says which process of which build has it, and whether that is leaving', () => {
    expect(nameIn(withSessionName('postgres://db/x', API))).toBe('research 3f2a9c0b 0.1.0+abc api,saga');
    expect(nameIn(withSessionName('postgres://db/x', API, true))).toBe('research-3f2a9c0b 0.1.0+abc api,saga');
    expect(readSessionName('research 3f2a9c0b 0.1.0+abc api,saga')).toEqual({ ...API, instance: '3f2a9c0b', isLeaving: false });
    expect(readSessionName('research-3f2a9c0b 0.1.0+abc api')).toMatchObject({ roles: ['api'], isLeaving: true });
    expect(nameIn(withSessionName('postgres://db/x', { ...API, roles: Array.from({ length: 20 }, () => 'api') }))).toHaveLength(63);
    expect(withSessionName('postgres://db/x?application_name=ours', API)).toBe('postgres://db/x?application_name=ours');
  });

  it.each(['', 'psql', 'research', 'research 3f2a9c0b', 'research 3F2A9C0B b api', 'xresearch 3f2a9c0b b api', 'research 3f2a9c0b b api;'])(
    'is nobody’s where somebody else chose it: %j',
    (name) => expect(readSessionName(name)).toBeNull(),
  );
});

it('an operator sees the processes by their sessions, one line for each, and what the server is', async () => {
  const url = test.databaseUrl;
  const names = [
    withSessionName(url, API),
    withSessionName(url, API, true),
    withSessionName(url, { ...API, instance: 'aaaaaaaa', roles: ['worker'] }),
  ];
  const sessions = [...names, `${url}?application_name=research-threads`].map((connectionString) => new Client({ connectionString }));
  for (const session of sessions) await session.connect();
  const seen = await seenProcesses(store.pool);
  expect(seen).toHaveLength(2);
  expect(seen).toContainEqual({
    instance: '3f2a9c0b',
    build: '0.1.0+abc',
    roles: ['api', 'saga'],
    host: '127.0.0.1',
    sessions: 2,
    isLeaving: true,
  });
  expect(seen).toContainEqual({
    instance: 'aaaaaaaa',
    build: '0.1.0+abc',
    roles: ['worker'],
    host: '127.0.0.1',
    sessions: 1,
    isLeaving: false,
  });
  const server = await serverState(store.pool);
  expect(server).toMatchObject({
    version: expect.stringMatching(/^\d+/) as string,
    isReadOnly: false,
    maxSessions: expect.any(Number) as number,
  });
  expect(server.sessions).toBeGreaterThanOrEqual(5);
  expect(await standbys(store.pool)).toEqual([]);
  for (const session of sessions) await session.end();
});

it('an operator sees how the last hour went, by what and by whom', async () => {
  const { counts, seconds } = await recentEvents(store.pool);
  expect(seconds).toBe(3600);
  expect(counts).toEqual([
    { type: 'JobCompleted', of: '', reason: '', count: 1 },
    { type: 'JobRequested', of: '', reason: '', count: 2 },
    { type: 'StepCompleted', of: 'provider-a', reason: '', count: 1 },
    { type: 'StepFailed', of: 'provider-c', reason: 'auth', count: 1 },
  ]);
});

it('an operator sees what waits and what runs, and what is overdue', async () => {
  expect(await runningSteps(store.pool, ['provider-a'])).toEqual([]);
  const [held, ...more] = await runningSteps(store.pool, ['provider-a', 'provider-c']);
  expect(more).toEqual([]);
  expect(held).toEqual({
    provider: 'provider-c',
    jobId: running.jobId,
    stepId: running.stepIds[1],
    startedAt: expect.any(String) as string,
  });
  await store.pool.query(`update agenda set due_at = statement_timestamp() - interval '2 minutes' where kind = 'lease'`);
  const work = await countWork(store.pool);
  const lease = work.find(({ kind }) => kind === 'lease');
  expect(lease).toMatchObject({ provider: 'provider-c', entries: 1, overdue: 1 });
  expect(lease?.oldestSeconds).toBeGreaterThanOrEqual(120);
  expect(work.filter(({ provider, overdue }) => provider === '' && overdue > 0)).toEqual([]);
  expect(await countDeliveries(store.pool)).toEqual({ due: 0, later: 0, oldestSeconds: 0, disabled: 0 });
});

it('an operator sees for how long the oldest event waits for the log, and how old the newest checkpoint is', async () => {
  expect([await logLag(store.pool), await checkpointAge(store.pool)]).toEqual([null, null]);
  await sequence(store.pool);
  expect(await logLag(store.pool)).toBe(0);
  await addMessage(store, running.threadId);
  // The event may be dated some milliseconds ahead of the database's clock.
  let lag = await logLag(store.pool);
  while (lag === 0) lag = await logLag(store.pool);
  expect(lag).toBeGreaterThan(0);
});

describe('limits', () => {
  it('are listed where they differ from the settings, of one tenant or all, with what is used of them', async () => {
    const keys = { pool: store.pool, pepper: 'a pepper of sixteen' };
    const idOf = async (tenantId: string) => (await createKey(keys, tenantId, null)).slice(8, 20);
    const [keyId, other] = [await idOf('acme'), await idOf('globex')];
    expect(await setLimits(store.pool, { tenantId: 'acme', changes: { openJobs: 3, burst: 5 } }, META)).toEqual({ openJobs: 3, burst: 5 });
    expect(await setLimits(store.pool, { tenantId: 'acme', changes: { burst: undefined } }, META)).toEqual({ openJobs: 3 });
    await limitKey(keys, { tenantId: 'acme', keyId, changes: { dailyCents: 9 } }, META);
    await limitKey(keys, { tenantId: 'globex', keyId: other, changes: { openJobs: null } }, META);
    const acme = [
      { tenantId: 'acme', keyId: null, limits: { openJobs: 3 } },
      { tenantId: 'acme', keyId, limits: { dailyCents: 9 } },
    ];
    expect(await listLimits(store.pool, 'acme')).toEqual(acme);
    expect(await listLimits(store.pool)).toEqual([...acme, { tenantId: 'globex', keyId: other, limits: { openJobs: null } }]);
    expect(await setLimits(store.pool, { tenantId: 'acme', changes: { openJobs: undefined } }, META)).toEqual({});
    expect(await listLimits(store.pool, 'acme')).toEqual(acme.slice(1));
    expect(await describeKey(store.pool, { tenantId: 'acme', keyId })).toEqual({
      name: null,
      createdAt: expect.any(Date) as Date,
      expiresAt: null,
    });
    expect(await describeKey(store.pool, { tenantId: 'globex', keyId })).toBeNull();
  });

  it('tell what a tenant and a key use of them, and nothing of who uses nothing', async () => {
    const nothing = { openJobs: 0, dailyCents: 0 };
    expect(await readLimitUsage(store.pool, { tenantId: 'acme', keyId: 'key1' })).toEqual({ tenant: nothing, key: nothing });
    await store.pool.query(`insert into limit_usage (tenant_id, key_id, open_jobs, day, day_cents) values
      ('acme', '', 5, (now() at time zone 'UTC')::date, 700), ('acme', 'key1', 2, '2020-01-01', 300), ('acme', 'key2', 1, '2020-01-01', 1)`);
    await store.pool.query(
      `insert into limited_job (tenant_id, key_id, job_id, day, cents, ended_cents) values
      ('acme', '', $1, (now() at time zone 'UTC')::date, 100, 40), ('acme', '', $2, (now() at time zone 'UTC')::date, 100, null)`,
      [newId('job'), newId('job')],
    );
    expect(await readLimitUsage(store.pool, { tenantId: 'acme', keyId: 'key1' })).toMatchObject({
      tenant: { openJobs: 4, dailyCents: 640 },
      key: { openJobs: 2, dailyCents: 0 },
    });
  });
});
