import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState } from '@lib/domain/job/state';
import { openStore, type Store } from '@lib/store/store';
import { viewDifferences } from '@lib/store/views/view-differences';
import { complete, report, start, success } from '../support/job-history';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage, deleteThread, eventTypes, jobState, onJob, refusal } from '../support/streams';

const LEASE_MS = 30_000;

let test: TestStore;
let proxy: PostgresProxy;
/** Reaches the database through the proxy. */
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  proxy = await startPostgresProxy(test.databaseUrl);
  const { masterKey } = test;
  store = openStore({ databaseUrl: proxy.url, connections: 4, masterKey, leaseMs: LEASE_MS, redispatchFirstMs: 10_000 });
});
afterAll(async () => {
  await store.close();
  await proxy.close();
  await test.close();
});

describe('a commit whose answer was lost', () => {
  let lostBefore: number;
  beforeEach(() => {
    lostBefore = proxy.lost();
    proxy.loseAnswerOf('append_');
  });
  afterEach(() => expect(proxy.lost()).toBe(lostBefore + 1));

  it('of a new thread is success, and there is one thread', async () => {
    const { threadId, jobId } = await createJob(store);
    expect(await eventTypes(test.store, threadId)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded']);
    expect(await eventTypes(test.store, jobId)).toEqual(['JobRequested']);
  });

  it('of a whole batch is success for each of its commands, and nothing is done twice', async () => {
    proxy.loseAnswerOf('nothing');
    const jobs = await Promise.all(Array.from({ length: 8 }, () => createJob(store)));
    proxy.loseAnswerOf('append_');
    const granted = await Promise.all(jobs.map(({ jobId, stepIds: [stepId = ''] }) => onJob(store, jobId, start(stepId, 'claim'))));
    for (const [place, { jobId }] of jobs.entries()) {
      const state = granted[place]?.streams.get(jobId)?.state as JobState;
      expect(state.steps[0]?.attempts).toMatchObject([{ claimId: 'claim', open: true }]);
      expect(await eventTypes(test.store, jobId)).toEqual(['JobRequested', 'StepStarted']);
    }
  });

  it('of a message is success, and the message stands once', async () => {
    proxy.loseAnswerOf('nothing');
    const { threadId } = await createJob(store);
    proxy.loseAnswerOf('append_');
    await addMessage(store, threadId);
    expect(await eventTypes(test.store, threadId)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded', 'MessageAdded']);
  });

  it('of a final state is success, with one final event', async () => {
    proxy.loseAnswerOf('nothing');
    const { jobId, stepIds } = await createJob(store);
    for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    proxy.loseAnswerOf('append_');
    await onJob(store, jobId, complete);
    expect((await eventTypes(test.store, jobId)).filter((type) => type === 'JobCompleted')).toHaveLength(1);
    expect((await jobState(test.store, jobId)).status).toBe('completed');
  });

  it('of a deletion is success, and everything is erased', async () => {
    proxy.loseAnswerOf('nothing');
    const { threadId, jobId } = await createJob(store);
    proxy.loseAnswerOf('commit');
    expect(await refusal(deleteThread(store, threadId))).toBe('nothing was refused');
    expect((await eventTypes(test.store, threadId)).filter((type) => type === 'ThreadDeleted')).toHaveLength(1);
    expect((await eventTypes(test.store, jobId)).filter((type) => type === 'ContentErased')).toHaveLength(1);
  });
});

it('a commit that the server finishes after its connection broke is success, though others have followed it by then', async () => {
  const { threadId } = await createJob(store);
  const blocker = await test.store.pool.connect();
  const waiting = async (commits: number): Promise<void> => {
    const text = `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%lock_streams%'`;
    while ((await test.store.pool.query<{ waiting: number }>(text)).rows[0]?.waiting !== commits) await sleep(10);
  };
  await blocker.query('begin');
  await blocker.query('select 1 from thread where id = $1 for update', [threadId]);
  const first = addMessage(store, threadId, 'First');
  await waiting(1);
  proxy.interrupt();
  proxy.resume();
  await waiting(2);
  const second = addMessage(store, threadId, 'Second');
  await blocker.query('commit');
  blocker.release();
  await Promise.all([first, second]);
  expect((await eventTypes(test.store, threadId)).filter((type) => type === 'MessageAdded')).toHaveLength(3);
});

it('an outage is named as one, and the store works again after it', async () => {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store);
  proxy.interrupt();
  expect(await refusal(onJob(store, jobId, start(stepId)))).toBe('StoreUnavailable');
  expect(await refusal(store.jobs.load(jobId))).toBe('StoreUnavailable');
  expect(await refusal(store.agenda.takeDue(['lease'], 1, 1))).toBe('StoreUnavailable');
  proxy.resume();
  expect((await onJob(store, jobId, start(stepId))).appended).toHaveLength(1);
});

it('after all that, views and agenda are what the history says', async () => {
  expect(await viewDifferences(test.store.pool, LEASE_MS)).toMatchObject({ differences: [] });
});
