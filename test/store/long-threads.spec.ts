import { MAX_THREAD } from '@lib/domain/thread';
import { SUMMARY_SHAPE } from '@lib/store/history/thread-summary';
import { newId } from '@lib/store/new-id';
import { openStore, type Store } from '@lib/store/store';
import { Saga } from '../../src/saga/saga';
import { complete, report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, jobState, onJob, pursue, readMessages, refusal } from '../support/streams';

const SHORT = 100;
/** Nearly as long as a thread may be. */
const LONG = 99_900;
/** Of each kind of work, in turn on both threads. */
const ROUNDS = 15;

interface Thread {
  threadId: string;
  jobId: string;
}

/** Prepares work on a thread, whose time is then taken. */
type Work = (store: Store, thread: Thread) => Promise<() => Promise<unknown>>;

let test: TestStore;
let long: Thread;
let short: Thread;
beforeAll(async () => {
  test = await createTestStore();
  short = await threadOf(SHORT);
  long = await threadOf(LONG);
  await test.store.pool.query('analyze');
}, 120_000);
afterAll(() => test.close());

/** A thread with a finished job and then so many messages. */
async function threadOf(messages: number): Promise<Thread> {
  const { store } = test;
  const { threadId, jobId, stepIds } = await createJob(store, { query: 'How high is it?' });
  await onJob(store, jobId, ...stepIds.map((id) => start(id)), ...stepIds.map((id) => report(id, 1, success())), complete);
  for (let written = 0; written < messages; written += 1000) {
    const commands = Array.from({ length: Math.min(1000, messages - written) }, (_, place) => ({
      kind: 'thread' as const,
      streamId: threadId,
      command: { type: 'AddMessage' as const, tenantId: TENANT, messageId: newId('msg'), content: `Message ${written + place}.` },
    }));
    await store.execute({ meta: META, commands });
  }
  return { threadId, jobId };
}

/** @returns by how many times the work takes longer on the long thread than on the short one */
async function ratioOf(work: Work): Promise<number> {
  const times: { short: number; long: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push({ short: await timeOf(work, short), long: await timeOf(work, long) });
  const medianOf = (numbers: number[]) => numbers.sort((one, other) => one - other)[numbers.length >> 1] as number;
  return medianOf(times.map((time) => time.long)) / medianOf(times.map((time) => time.short));
}

/** In a process that has seen nothing of the thread before. */
async function timeOf(work: Work, thread: Thread): Promise<number> {
  const { databaseUrl, masterKey } = test;
  const store = openStore({ databaseUrl, masterKeys: [masterKey], connections: 4, leaseMs: 30_000, redispatchFirstMs: 10_000 });
  try {
    const prepared = await work(store, thread);
    await store.pool.query('select 1');
    const startedAt = performance.now();
    await prepared();
    return performance.now() - startedAt;
  } finally {
    await store.close();
  }
}

describe(`a thread of ${LONG} messages takes at most twice the time of one of ${SHORT}`, () => {
  it('to add a message', async () => {
    expect(await ratioOf((store, { threadId }) => Promise.resolve(() => addMessage(store, threadId)))).toBeLessThan(2);
  }, 300_000);

  it('to pursue a job', async () => {
    expect(await ratioOf((store, { threadId, jobId }) => Promise.resolve(() => pursue(store, threadId, jobId)))).toBeLessThan(2);
  }, 300_000);

  it('to claim a step of a pursued job', async () => {
    const work = async (store: Store, { threadId, jobId }: Thread) => {
      const child = await pursue(test.store, threadId, jobId);
      const stepId = (await jobState(store, child)).steps[0]?.stepId ?? '';
      const saga = new Saga(store, 30_000, runHere);
      return () => saga.claim({ jobId: child, stepId, claimId: 'mine' });
    };
    expect(await ratioOf(work)).toBeLessThan(2);
  }, 300_000);
});

it(`all ${LONG} messages are read, and others are read meanwhile`, async () => {
  const { views } = test.another();
  const reading = readMessages(views, long.threadId);
  expect(await readMessages(views, short.threadId)).toHaveLength(await lengthOf(short));
  expect(await reading).toHaveLength(await lengthOf(long));
}, 60_000);

it('a thread takes as many messages as it may have, in whichever process, and then no more', async () => {
  for (let rest = MAX_THREAD.messages - (await lengthOf(long)); rest > 0; rest -= 1) await addMessage(test.store, long.threadId, 'm');
  expect(await lengthOf(long)).toBe(MAX_THREAD.messages);
  for (const store of [test.store, test.another()]) expect(await refusal(addMessage(store, long.threadId))).toBe('thread_full');
  expect(await refusal(pursue(test.store, long.threadId, long.jobId))).toBe('nothing was refused');
  expect(await lengthOf(long)).toBe(MAX_THREAD.messages);
}, 60_000);

async function lengthOf({ threadId }: Thread): Promise<number> {
  const { rows } = await test.store.pool.query<{ count: number }>('select count(*)::int from message where thread_id = $1', [threadId]);
  return rows[0]?.count ?? 0;
}

describe('a thread is loaded as its whole history says', () => {
  const summaryOf = async (store: Store, threadId: string): Promise<object> => {
    const { rows } = await store.pool.query<object>('select version, job_count, shape from thread where id = $1', [threadId]);
    return rows[0] ?? {};
  };
  const changed = (change: string) => (store: Store, threadId: string) =>
    store.pool.query(`update thread set ${change} where id = $1`, [threadId]);

  it.each<[string, (store: Store, threadId: string) => Promise<unknown>]>([
    ['has been written since it was summed up, by a build that does not', changed('version = 4, job_count = 1')],
    ['was never summed up', changed('version = null, job_count = null, shape = null')],
    ['was summed up by a build that knows more of threads', changed('job_count = 99, shape = 99')],
  ])('if it %s, and the next write sums it up', async (_, change) => {
    const { store } = test;
    const { threadId, jobId } = await createJob(store);
    await addMessage(store, threadId);
    await pursue(store, threadId, jobId);
    const loaded = await store.threads.load(threadId);
    expect(loaded).toMatchObject({ version: 5, tenantId: TENANT, jobCount: 2, deleted: false });
    await change(store, threadId);
    expect(await test.another().threads.load(threadId)).toEqual(loaded);
    await addMessage(store, threadId);
    expect(await summaryOf(store, threadId)).toEqual({ version: 6, job_count: 2, shape: SUMMARY_SHAPE });
  });

  it('if it was deleted, from its last event alone', async () => {
    const { store } = test;
    const { threadId } = await createJob(store);
    await deleteThread(store, threadId);
    expect(await test.another().threads.load(threadId)).toMatchObject({ version: 4, deleted: true });
    expect(await refusal(addMessage(test.another(), threadId))).toBe('thread_not_found');
  });
});
