import type { Outcome } from '@lib/store/commit/unit';
import type { Store } from '@lib/store/store';
import { firstBadVersion } from '../support/chain';
import { complete, externalId, failure, lose, report, start, success } from '../support/job-history';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, onJob, pursue, readMessages, readThread } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
});
afterAll(() => test.close());

interface Thread {
  threadId: string;
  jobId: string;
  one: string;
  two: string;
}

/** What a unit does to a thread whose job has one step that runs and one that does not. */
const UNITS: Readonly<Record<string, (thread: Thread) => Promise<Outcome | string>>> = {
  'a message': ({ threadId }) => addMessage(store, threadId),
  'another job': ({ threadId, jobId }) => pursue(store, threadId, jobId),
  'a cancellation': ({ jobId }) => onJob(store, jobId, { type: 'CancelJob' }),
  'a completion': ({ jobId, one, two }) =>
    onJob(store, jobId, start(two), report(one, 1, success()), report(two, 1, failure({ errorClass: 'invalid_request' })), complete),
  'a grant': ({ jobId, two }) => onJob(store, jobId, start(two)),
  'a failure that is tried again': ({ jobId, one }) => onJob(store, jobId, report(one, 1, failure())),
  'a lost attempt': ({ jobId, one }) => onJob(store, jobId, lose(one, 1)),
  'the id of a run': ({ jobId, one }) => onJob(store, jobId, externalId(one, 1)),
};
const NAMES = Object.keys(UNITS);

async function newThread(): Promise<Thread> {
  const { threadId, jobId, stepIds } = await createJob(store);
  const [one = '', two = ''] = stepIds;
  await onJob(store, jobId, start(one));
  // As a process that goes on with what it remembers.
  await store.jobs.recall(jobId);
  return { threadId, jobId, one, two };
}

/** How many units were decided together at most while this was done. */
let together = 0;
beforeAll(() => store.onCommit(({ units }) => (together = Math.max(together, units))));

it.each(NAMES)(
  '%s and whatever else happens to its thread in one batch leave the views that follow from it, in either order',
  async (name) => {
    together = 0;
    const threads: Thread[] = [];
    for (const other of NAMES.slice(NAMES.indexOf(name))) {
      const [before, after] = [await newThread(), await newThread()];
      threads.push(before, after);
      await Promise.allSettled([UNITS[name]?.(before), UNITS[other]?.(before), UNITS[other]?.(after), UNITS[name]?.(after)]);
    }
    expect(together).toBeGreaterThan(1);
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
    for (const { threadId, jobId } of threads)
      for (const streamId of [threadId, jobId]) expect(await firstBadVersion(store.pool, streamId)).toBeNull();
  },
);

it('two units of one thread leave it as new as the later of them, with every message and job', async () => {
  const { threadId, jobId } = await newThread();
  const read = async () => {
    const thread = await readThread(test.another().views, threadId);
    return [thread?.jobs.length, (await readMessages(store.views, threadId))?.length];
  };
  await Promise.all([addMessage(store, threadId), pursue(store, threadId, jobId), addMessage(store, threadId)]);
  expect(await read()).toEqual([2, 3]);
  const { rows } = await store.pool.query<{ newest: boolean; version: number; events: number }>(
    `select version, (select max(version) from event where stream_id = $1) as events,
      updated_at = (select max((meta ->> 'occurredAt')::timestamptz) from event where stream_id = $1) as newest from thread where id = $1`,
    [threadId],
  );
  expect(rows).toEqual([{ newest: true, version: rows[0]?.events, events: rows[0]?.events }]);
});

it('a job that is asked for and deleted with its thread in one batch leaves nothing that is read', async () => {
  const { threadId, jobId } = await newThread();
  const [pursued] = await Promise.allSettled([pursue(store, threadId, jobId), store.threads.delete(threadId, TENANT, META)]);
  expect(pursued.status).toBe('fulfilled');
  expect(await readThread(store.views, threadId)).toBeNull();
  await store.erasure.erase(threadId);
  const { rows } = await store.pool.query('select id from job where thread_id = $1 union all select id from message where thread_id = $1', [
    threadId,
  ]);
  expect(rows).toEqual([]);
  expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
});

it('content of a job is opened anew once the job has ended, however it came to be remembered', async () => {
  const { threadId, jobId, one, two } = await newThread();
  await onJob(store, jobId, report(one, 1, success()), start(two));
  const question = () => store.contents.ofJob(jobId, threadId).question();
  expect(await question()).toBe('How?');
  await onJob(store, jobId, report(two, 1, success()), complete);
  await store.pool.query('alter table event disable trigger user');
  await store.pool.query('update event set sealed = null where stream_id = $1', [jobId]);
  await store.pool.query('alter table event enable trigger user');
  expect(await question().catch(() => null)).not.toBe('How?');
});
