import { randomBytes } from 'node:crypto';
import { newId } from '@lib/store/new-id';
import type { RecordedRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, eventTypes, refusal } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

const requestOn = (streamId: string): RecordedRequest => ({ digest: randomBytes(32), bodyDigest: randomBytes(32), streamId });

const keyedMessage = (process: Store, threadId: string, request: RecordedRequest) =>
  process.threads.execute(threadId, { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content: 'm' }, META, { request });

const messagesOf = async (threadId: string) => (await eventTypes(store, threadId)).filter((type) => type === 'MessageAdded').length;

it('a request is recorded with what it does, and found with the event that shows it', async () => {
  const { threadId } = await createJob(store);
  const request = requestOn(threadId);
  expect(await store.requests.find(request.digest)).toBeNull();
  await keyedMessage(store, threadId, request);
  expect(await store.requests.find(request.digest)).toEqual({ bodyDigest: request.bodyDigest, streamId: threadId, version: 4 });
});

it('of two processes that do the same request at once one does it, and what else they write is written', async () => {
  const other = test.another();
  for (let round = 0; round < 10; round += 1) {
    const { threadId } = await createJob(store);
    const request = requestOn(threadId);
    const outcomes = await Promise.all([
      ...[store, other].map((process) => refusal(keyedMessage(process, threadId, request))),
      ...[store, other].map((process) => refusal(addMessage(process, threadId))),
      ...[store, other].map((process) => refusal(createJob(process))),
    ]);
    const quiet = 'nothing was refused';
    expect(outcomes.toSorted()).toEqual(['RequestRepeated', quiet, quiet, quiet, quiet, quiet].toSorted());
    expect(await messagesOf(threadId)).toBe(4);
  }
});

it('of a batch that holds the same request twice only one is done', async () => {
  const { threadId } = await createJob(store);
  const request = requestOn(threadId);
  const outcomes = await Promise.all([1, 2].map(() => refusal(keyedMessage(store, threadId, { ...request }))));
  expect(outcomes.toSorted()).toEqual(['RequestRepeated', 'nothing was refused'].toSorted());
  expect(await messagesOf(threadId)).toBe(2);
});

it('a request that changes nothing is recorded all the same', async () => {
  const { jobId } = await createJob(store);
  await store.jobs.execute(jobId, { type: 'CancelJob' }, META);
  const request = requestOn(jobId);
  await store.jobs.execute(jobId, { type: 'CancelJob' }, META, { request });
  const { version } = await store.jobs.load(jobId);
  expect(await store.requests.find(request.digest)).toMatchObject({ streamId: jobId, version });
});

it('a refused request is not recorded', async () => {
  const { threadId } = await createJob(store);
  const request = requestOn(threadId);
  await store.threads.delete(threadId, TENANT, META);
  expect(await refusal(keyedMessage(store, threadId, request))).toBe('thread_not_found');
  expect(await store.requests.find(request.digest)).toBeNull();
});

it('one that another process is about to do is waited for and then refused, while others of its batch are written', async () => {
  const { threadId } = await createJob(store);
  const request = requestOn(threadId);
  const holder = await test.another().pool.connect();
  await holder.query('select pg_advisory_lock($1::int8)', [request.digest.readBigInt64BE().toString()]);
  const waiting = refusal(keyedMessage(store, threadId, request));
  for (let round = 0; round < 5; round += 1) await Promise.all([addMessage(store, threadId), createJob(store)]);
  expect(await waiting).toBe('RequestUnderWay');
  holder.release(true);
  await keyedMessage(store, threadId, request);
  expect(await messagesOf(threadId)).toBe(7);
});

it('expired requests are removed in pieces, and others stay', async () => {
  const { threadId } = await createJob(store);
  const requests = Array.from({ length: 5 }, () => requestOn(threadId));
  for (const request of requests) await keyedMessage(store, threadId, request);
  const [lasting, ...expired] = requests as [RecordedRequest, ...RecordedRequest[]];
  await store.pool.query('update keyed_request set expires_at = statement_timestamp() where digest = any ($1::bytea[])', [
    expired.map(({ digest }) => digest),
  ]);
  expect([await store.requests.removeExpired(3), await store.requests.removeExpired(3), await store.requests.removeExpired(3)]).toEqual([
    3, 1, 0,
  ]);
  expect(await store.requests.find(lasting.digest)).not.toBeNull();
});
