import { receiptOf, type StoredReceipt } from '@lib/store/log/deletion-receipts';
import type { Pool } from '@lib/store/postgres/pool';
import { Checkpointer } from '../../src/audit/checkpointer';
import { sequence } from '../../src/audit/sequencer';
import { finishedThread, ORIGIN } from '../support/bundles';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { externalId, start } from '../support/job-history';
import { deleteThread, onJob, pursue } from '../support/streams';

let test: TestStore;
let pool: Pool;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  test = await createTestStore();
  pool = test.store.pool;
  logged = [];
});
afterEach(() => test.close());

const logger = { warn: (fields: object) => void logged.push({ ...fields }), info: () => undefined };

/** Brings the log up to date and signs it, as a saga does. */
async function sign(on: Pool = pool, signal?: AbortSignal): Promise<void> {
  await sequence(pool, 'the beginning');
  await new Checkpointer(on, { keys: [Buffer.alloc(32, 7)], origin: ORIGIN, folder: null, witnesses: [] }, logger).sign(null, signal);
}

/** The pool, with whatever it is asked told first, which may refuse it. */
function watched(told: (text: string, values: readonly unknown[]) => void): Pool {
  const watching = Object.create(pool) as Pool;
  watching.query = ((...given: [string | { text: string; values?: unknown[] }, unknown[]?]) => {
    const [query, values = []] = given;
    told(typeof query === 'string' ? query : query.text, typeof query === 'string' ? values : (query.values ?? []));
    return (pool.query as (...asked: unknown[]) => unknown)(...given);
  }) as Pool['query'];
  return watching;
}

async function deletedThread(): Promise<string> {
  const { threadId } = await finishedThread(test.store);
  await deleteThread(test.store, threadId);
  return threadId;
}

const receiptFor = (threadId: string) => receiptOf(pool, TENANT, threadId);

it('one thread that cannot be read keeps no other from its receipt, and has its own with a later checkpoint', async () => {
  const [unreadable = '', readable = ''] = [await deletedThread(), await deletedThread()].sort();
  const failing = watched((_text, values) => {
    if (values[0] === unreadable) throw new Error('canceling statement due to statement timeout');
  });
  await sign(failing);
  expect(await receiptFor(unreadable)).toBe('unsigned');
  expect(await receiptFor(readable)).toMatchObject({ threadId: readable });
  expect(logged).toMatchObject([
    { reason: 'receipt_not_signed', threadId: unreadable, err: { message: expect.stringContaining('timeout') } },
  ]);
  await sign();
  expect(await receiptFor(unreadable)).toMatchObject({ threadId: unreadable });
});

it('a thread of many jobs is read some jobs at a time, and its receipt lists all of them as it named them', async () => {
  const { threadId, jobId, pursued } = await finishedThread(test.store);
  const jobs = [jobId, pursued];
  for (let more = 0; more < 210; more += 1) jobs.push(await pursue(test.store, threadId, jobId));
  await deleteThread(test.store, threadId);
  const streamsAsked: number[] = [];
  await sign(
    watched((text, values) => {
      if (text.includes('given.stream_id') && Array.isArray(values[0])) streamsAsked.push(values[0].length);
    }),
  );
  const { streams } = (await receiptFor(threadId)) as StoredReceipt;
  const listed = streams.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { streamId: string }).streamId]));
  expect(listed).toEqual([threadId, ...jobs]);
  expect(streamsAsked).toEqual([100, 100, 13]);
});

it('the id of a run that goes on is content: the receipt is signed once the provider was told to stop it', async () => {
  const { threadId, jobId, stepIds } = await createJob(test.store);
  const [stepId = ''] = stepIds;
  await onJob(test.store, jobId, start(stepId), externalId(stepId, 1));
  await deleteThread(test.store, threadId);
  await sign();
  expect(await receiptFor(threadId)).toBe('unsigned');
  await onJob(test.store, jobId, { type: 'RecordRunCancelled', stepId, run: 1, outcome: 'agreed' });
  await sign();
  expect(await receiptFor(threadId)).toMatchObject({ threadId });
});

it('a process that stops leaves the threads that it has not looked at to the next checkpoint', async () => {
  const threads = [await deletedThread(), await deletedThread()].sort();
  const stopping = new AbortController();
  const [first = '', second = ''] = threads;
  await sign(
    watched((text) => {
      if (text.startsWith('update deletion_receipt')) stopping.abort();
    }),
    stopping.signal,
  );
  expect(await receiptFor(first)).toMatchObject({ threadId: first });
  expect(await receiptFor(second)).toBe('unsigned');
});
