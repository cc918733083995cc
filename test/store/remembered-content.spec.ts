import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { holdings } from '@lib/memory/holdings';
import type { RememberedJobs } from '@lib/store/history/remembered-jobs';
import { openStore, type Store } from '@lib/store/store';
import { forgetErased } from '../../src/commits/forget-erased';
import { publishCommits } from '../../src/commits/publish-commits';
import { rememberedBy } from '../../src/parts/remembered-by';
import { readRoles } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { candidate, createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { onJob, readThread } from '../support/streams';
import { report, start, success } from '../support/job-history';

/** How many jobs, or whatever else has that name, are remembered. */
const remembered = (name: string): number => holdings().reduce((sum, held) => sum + (held.name === name ? held.items : 0), 0);
const OPENED = ['contents', 'thread keys', 'job answers'];
const opened = (): number => holdings().reduce((sum, { name, items }) => sum + (OPENED.includes(name) ? items : 0), 0);

let test: TestStore;
const stores: Store[] = [];
/** Closed ones too: what a store remembers is counted until it is collected, which would else happen while a later test counts. */
const kept: Store[] = [];
beforeAll(async () => {
  test = await createTestStore();
});
afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
afterAll(() => test.close());

function storeFor(rememberMs: number, remembers?: RememberedJobs): Store {
  const { databaseUrl, masterKey } = test;
  const times = { rememberMs, leaseMs: 30_000, redispatchFirstMs: 1000 };
  const store = openStore({ databaseUrl, connections: 2, masterKeys: [masterKey], ...times, ...(remembers && { remembers }) });
  stores.push(store);
  kept.push(store);
  return store;
}

async function readEverything(store: Store, { threadId, jobId }: { threadId: string; jobId: string }): Promise<void> {
  expect(await readThread(store.views, threadId)).not.toBeNull();
  expect(await store.views.getJob(TENANT, threadId, jobId)).not.toBeNull();
  expect(await store.contents.ofJob(jobId, threadId).question()).toBe('How?');
}

it('content that was opened, and the keys for it, are forgotten in the time that the setting says', async () => {
  const store = storeFor(300);
  const job = await createJob(store);
  await onJob(store, job.jobId, start(job.stepIds[0] ?? '', 'claim'));
  await readEverything(store, job);
  const kinds = holdings().filter(({ name, items }) => OPENED.includes(name) && items > 0);
  expect(kinds.map(({ name }) => name).toSorted()).toEqual(OPENED.toSorted());
  await eventually(0, async () => opened());
  await readEverything(store, job);
});

it('what is written can be read for good, however short that time is', async () => {
  const [store, other] = [storeFor(1), storeFor(1)];
  const jobs = await Promise.all(Array.from({ length: 40 }, () => createJob(store)));
  for (const { jobId, threadId } of jobs) expect(await other.contents.ofJob(jobId, threadId).question()).toBe('How?');
});

it('of a thread that another process deletes nothing is remembered any more, without waiting for that time', async () => {
  const [deleting, remembering] = [storeFor(3_600_000), storeFor(3_600_000)];
  const transport = createMemoryTransport({ ackWaitMs: 1000 });
  publishCommits(deleting, transport);
  await forgetErased(remembering, transport, pino({ level: 'silent' }));
  const job = await createJob(remembering);
  await onJob(remembering, job.jobId, start(job.stepIds[0] ?? '', 'claim'));
  await readEverything(remembering, job);
  expect(opened()).toBeGreaterThan(0);
  await deleting.threads.delete(job.threadId, TENANT, META);
  await deleting.erasure.erase(job.threadId);
  await eventually(0, async () => opened());
  await transport.close();
});

it('of a message that is none of ours nothing is made', async () => {
  const store = storeFor(3_600_000);
  const transport = createMemoryTransport({ ackWaitMs: 1000 });
  await forgetErased(store, transport, pino({ level: 'silent' }));
  const job = await createJob(store);
  await readEverything(store, job);
  const before = opened();
  for (const payload of [null, 1, 'text', {}, { streamIds: 'all' }, { streamIds: [null, 1, {}] }])
    transport.publish('content.erased', payload);
  transport.publish('content.erased', { streamIds: [job.jobId] });
  await eventually(true, async () => opened() < before);
  expect(await store.contents.ofJob(job.jobId, job.threadId).question()).toBe('How?');
  await transport.close();
});

it('an api forgets the question of a job once it has shown that the job is final', async () => {
  const store = storeFor(3_600_000, rememberedBy(readRoles('api')));
  const { jobId, threadId } = await createJob(store);
  const before = remembered('contents');
  await onJob(test.store, jobId, { type: 'CancelJob' });
  expect(String(await store.views.getJob(TENANT, threadId, jobId))).toMatch(/"status":"cancelled".*"query":"How\?"/);
  expect(remembered('contents')).toBe(before - 1);
});

describe('an open job', () => {
  it.each([
    ['api', 'created', 0, 1],
    ['api,saga', 'created', 1, 1],
    ['saga', 'created', 1, 1],
    ['synthesizer', 'created', 0, 0],
    ['saga', 'settled', 0, 0],
    ['api,saga', 'settled', 0, 0],
    ['saga,synthesizer', 'settled', 1, 1],
    ['all', 'settled', 1, 1],
  ])('is remembered by a process of %s once it is %s: %i states, contents of %i', async (roles, until, states, contents) => {
    const [before, opened] = [remembered('job states'), remembered('contents')];
    const store = storeFor(3_600_000, rememberedBy(readRoles(roles)));
    const { jobId, threadId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
    const stepId = stepIds[0] ?? '';
    if (until === 'settled') await onJob(store, jobId, start(stepId, 'claim'), report(stepId, 1, success()));
    expect((await store.jobs.load(jobId)).status).toBe(until === 'settled' ? 'synthesizing' : 'pending');
    expect([remembered('job states') - before, remembered('contents') - opened]).toEqual([states, contents]);
    expect(await store.contents.ofJob(jobId, threadId).question()).toBe('How?');
    await onJob(store, jobId, { type: 'CancelJob' });
    expect((await store.jobs.load(jobId)).status).toBe('cancelled');
  });
});
