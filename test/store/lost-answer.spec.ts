import type { JobState } from '@lib/domain/job/state';
import { newId } from '@lib/store/new-id';
import { openStore, type Store } from '@lib/store/store';
import { complete, report, start, success } from '../support/job-history';
import { eventually } from '../messaging/eventually';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, eventTypes, jobState, onJob, refusal } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;

let test: TestStore;
let proxy: PostgresProxy;
/** Reaches the database through the proxy. */
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  proxy = await startPostgresProxy(test.databaseUrl);
  const { masterKey } = test;
  store = openStore({ databaseUrl: proxy.url, connections: 4, masterKeys: [masterKey], leaseMs: LEASE_MS, redispatchFirstMs: 10_000 });
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
    proxy.loseAnswerOf('append_');
    expect(await refusal(deleteThread(store, threadId))).toBe('nothing was refused');
    expect((await eventTypes(test.store, threadId)).filter((type) => type === 'ThreadDeleted')).toHaveLength(1);
    expect((await eventTypes(test.store, jobId)).filter((type) => type === 'ContentErased')).toHaveLength(1);
  });
});

it('a commit that the server finishes after its connection broke is success, though others have followed it by then', async () => {
  const { threadId } = await createJob(store);
  const { pool } = test.store;
  const held = async (): Promise<number> => {
    const text = `select count(*)::int as held from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    return (await pool.query<{ held: number }>(text)).rows[0]?.held ?? 0;
  };
  // A server that takes long over a commit: until the gate is open.
  await pool.query('create table gate (open boolean)');
  await pool.query(`create function wait_at_gate() returns trigger language plpgsql as $$
    begin while not exists (select from gate) loop perform pg_sleep(0.01); end loop; return null; end $$`);
  await pool.query('create trigger gate before insert on event for each statement execute function wait_at_gate()');
  const first = addMessage(store, threadId, 'First');
  await eventually(1, held);
  proxy.interrupt();
  proxy.resume();
  const second = addMessage(store, threadId, 'Second');
  await pool.query('insert into gate values (true)');
  await Promise.all([first, second]);
  await pool.query('drop trigger gate on event');
  expect((await eventTypes(test.store, threadId)).filter((type) => type === 'MessageAdded')).toHaveLength(3);
});

it('a message whose answer was lost has the time of its own event, though another process has added one since', async () => {
  const { threadId } = await createJob(store);
  proxy.loseAnswerOf('append_');
  // What is asked once the answer is lost: whether the message is stored.
  proxy.delayAnswerOf('stored_', 500);
  const delayedBefore = proxy.delayed();
  const command = { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content: 'First' } as const;
  const told = store.threads.execute(threadId, command, META);
  await eventually(delayedBefore + 1, async () => proxy.delayed());
  await addMessage(test.store, threadId, 'Second');
  const [first, second] = await Promise.all([4, 5].map((version) => store.views.messageFrom(threadId, version)));
  expect([first?.content, second?.content]).toEqual(['First', 'Second']);
  expect(first?.createdAt).not.toBe(second?.createdAt);
  expect(await told).toBe(first?.createdAt);
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
