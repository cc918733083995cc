import type { PoolClient } from 'pg';
import type { Store } from '@lib/store/store';
import { start } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage, eventTypes, onJob } from '../support/streams';
import { HOLD } from '../support/hold';

/** What a write to another thread may take while a row is locked; it takes a few milliseconds. */
const WITHIN_MS = 250;

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

interface Job {
  threadId: string;
  jobId: string;
  stepIds: string[];
}

/** A transaction of somebody else that has locked a row of the job or its thread. */
async function lock(text: string, id: string): Promise<PoolClient> {
  const client = await test.another().pool.connect();
  await client.query(HOLD);
  const { rowCount } = await client.query(text, [id]);
  expect(rowCount).toBeGreaterThan(0);
  return client;
}

const message = ({ threadId }: Job) => addMessage(store, threadId);
const claim = ({ jobId, stepIds: [stepId = ''] }: Job) => onJob(store, jobId, start(stepId));

describe('while somebody holds a row of one thread', () => {
  it.each<[string, string, (job: Job) => string, (job: Job) => Promise<unknown>]>([
    ['the thread', 'select 1 from thread where id = $1 for update', ({ threadId }) => threadId, message],
    ['its key', 'select 1 from thread_key where thread_id = $1 for update', ({ threadId }) => threadId, message],
    ['a job', 'select 1 from job where id = $1 for update', ({ jobId }) => jobId, claim],
    ['an agenda entry', 'select 1 from agenda where job_id = $1 for update', ({ jobId }) => jobId, claim],
  ])('(%s) the writes to others do not wait, and that one is written when it is free', async (_, text, idOf, write) => {
    const [held, free] = [await createJob(store), await createJob(store)];
    const holder = await lock(text, idOf(held));
    const isWaiting = { it: true };
    const waiting = write(held).finally(() => (isWaiting.it = false));
    const tookMs: number[] = [];
    // In the batch of the one that waits, and in those that come after it.
    for (let round = 0; round < 10; round += 1) {
      const began = performance.now();
      await Promise.all([addMessage(store, free.threadId), createJob(store)]);
      tookMs.push(performance.now() - began);
    }
    expect(Math.max(...tookMs)).toBeLessThan(WITHIN_MS);
    expect(isWaiting.it).toBe(true);
    await holder.query('commit');
    holder.release();
    await waiting;
    expect((await eventTypes(store, free.threadId)).filter((type) => type === 'MessageAdded')).toHaveLength(11);
  });

  it('what waits for it longer than its client is told that the store is unavailable, and is not written afterwards', async () => {
    const held = await createJob(store);
    const holder = await lock('select 1 from thread where id = $1 for update', held.threadId);
    await expect(message(held)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await holder.query('commit');
    holder.release();
    await createJob(store);
    expect(await eventTypes(store, held.threadId)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded']);
  });
});
