import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import type { ThreadRead } from '@lib/store/views/reader';
import { THREAD_CURSORS, THREAD_START } from '@lib/store/views/thread-cursor';
import type { ThreadDetailView } from '@lib/store/views/thread.view';
import { start } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob, pursue } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

async function textOf(read: ThreadRead | null): Promise<ThreadDetailView> {
  let text = '';
  for await (const piece of read?.pieces ?? []) text += piece;
  return JSON.parse(text) as ThreadDetailView;
}

/** Says that they were made a second after each other: they may have been in one moment. */
const apart = (table: 'job' | 'thread', ids: string[]): Promise<unknown> =>
  store.pool.query(
    `update ${table} set created_at = created_at + array_position($1::text[], id::text) * interval '1 second' where id = any ($1)`,
    [ids],
  );

/** A thread of five messages and three jobs. */
async function longThread() {
  const { threadId, jobId } = await createJob(store, { query: 'First?' });
  const jobIds = [jobId, await pursue(store, threadId, jobId, 'Second?'), await pursue(store, threadId, jobId, 'Third?')];
  await apart('job', jobIds);
  for (const content of ['Two', 'Three', 'Four', 'Five']) await addMessage(store, threadId, content);
  return { threadId, jobIds };
}

/** Every page of the thread, or of its messages, from the first on. */
async function pagesOf(threadId: string, limit: number, part: 'readThread' | 'readMessages') {
  const pages: ThreadDetailView[] = [];
  let after = THREAD_START;
  for (;;) {
    const read = await store.views[part](TENANT, threadId, { page: { after, limit }, knownTag: undefined });
    pages.push(await textOf(read));
    if (!read?.next) return pages;
    after = THREAD_CURSORS.placeIn(read.next) ?? THREAD_START;
  }
}

it.each([
  [1, 5],
  [2, 3],
  [4, 2],
  [5, 1],
])('a thread is read %i messages and jobs at a time in %i pages, each once and in order', async (limit, count) => {
  const { threadId, jobIds } = await longThread();
  const pages = await pagesOf(threadId, limit, 'readThread');
  expect(pages).toHaveLength(count);
  expect(pages.flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual(['First?', 'Two', 'Three', 'Four', 'Five']);
  expect(pages.flatMap(({ jobs }) => jobs.map(({ id }) => id))).toEqual(jobIds);
  for (const { messages, jobs } of pages) expect(Math.max(messages.length, jobs.length)).toBeLessThanOrEqual(limit);
  const ofMessages = await pagesOf(threadId, limit, 'readMessages');
  expect(ofMessages).toHaveLength(count);
  expect(ofMessages.flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual(['First?', 'Two', 'Three', 'Four', 'Five']);
});

it('a thread with more jobs than messages is read to its last job', async () => {
  const { threadId, jobId } = await createJob(store);
  const jobIds = [jobId, await pursue(store, threadId, jobId), await pursue(store, threadId, jobId)];
  await apart('job', jobIds);
  const pages = await pagesOf(threadId, 1, 'readThread');
  expect(pages.map(({ jobs }) => jobs.map(({ id }) => id))).toEqual(jobIds.map((id) => [id]));
  expect(pages.map(({ messages }) => messages.length)).toEqual([1, 0, 0]);
});

it('jobs that were made in the same moment are paged by their ids', async () => {
  const { threadId, jobId } = await createJob(store);
  const jobIds = [jobId, await pursue(store, threadId, jobId), await pursue(store, threadId, jobId)].sort();
  await store.pool.query(`update job set created_at = '2026-01-01' where thread_id = $1`, [threadId]);
  expect((await pagesOf(threadId, 1, 'readThread')).flatMap(({ jobs }) => jobs.map(({ id }) => id))).toEqual(jobIds);
});

it('what has not changed since is not sent again, and what has is', async () => {
  const { threadId, jobIds } = await longThread();
  const ask = (knownTag?: string) => store.views.readThread(TENANT, threadId, { page: null, knownTag });
  const messages = (knownTag?: string) => store.views.readMessages(TENANT, threadId, { page: null, knownTag });
  const [first, ofMessages] = [await ask(), await messages()];
  expect((await textOf(first)).jobs).toHaveLength(3);
  expect([first?.next, ofMessages?.next]).toEqual([null, null]);
  expect(await ask(first?.tag)).toMatchObject({ tag: first?.tag, pieces: null });
  expect(await messages(ofMessages?.tag)).toMatchObject({ tag: ofMessages?.tag, pieces: null });
  const page = await store.views.readThread(TENANT, threadId, { page: { after: THREAD_START, limit: 2 }, knownTag: undefined });
  expect(page?.tag).not.toBe(first?.tag);
  const [job] = await store.views.listEvents(TENANT, threadId, jobIds[0] ?? '').then((events) => events ?? []);
  const [{ stepId = '' } = {}] = (job?.facts as { plan?: { stepId: string }[] }).plan ?? [];
  await onJob(store, jobIds[0] ?? '', start(stepId));
  expect((await ask(first?.tag))?.pieces).not.toBeNull();
  expect((await messages(ofMessages?.tag))?.pieces).toBeNull();
  await addMessage(store, threadId, 'Six');
  expect((await messages(ofMessages?.tag))?.pieces).not.toBeNull();
});

it('a thread is nobody else’s, and nobody’s once it is deleted', async () => {
  const { threadId, jobIds } = await longThread();
  const asked = { page: null, knownTag: undefined };
  expect(await store.views.readThread('tenant-two', threadId, asked)).toBeNull();
  expect(await store.views.readMessages('tenant-two', threadId, asked)).toBeNull();
  const begun = await store.views.readThread(TENANT, threadId, asked);
  await deleteThread(store, threadId);
  await expect(textOf(begun)).rejects.toMatchObject({ code: 'thread_not_found' });
  expect(await store.views.readThread(TENANT, threadId, asked)).toBeNull();
  expect(await store.views.readMessages(TENANT, threadId, asked)).toBeNull();
  expect(await store.views.messageFrom(threadId, 2)).toBeNull();
  expect(await store.views.pursuitOf(threadId, jobIds[0] ?? '', 5)).toBeNull();
});

it('threads are listed newest first with title and counts, a page at a time, without those of others', async () => {
  const tenantId = 'tenant-of-threads';
  const made = [];
  for (const query of ['One?', 'Two?', 'Three?']) made.push(await createJob(store, { query, tenantId }));
  const ids = made.map(({ threadId }) => threadId);
  await apart('thread', ids);
  const listOf = async (limit: number, offset: number, of = tenantId) =>
    (await store.views.listThreads(of, { limit, offset, after: null })).threads;
  const listed = await listOf(10, 0);
  expect(listed.map(({ title }) => title)).toEqual(['Three?', 'Two?', 'One?']);
  expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
  expect((await listOf(1, 1)).map(({ title }) => title)).toEqual(['Two?']);
  expect(await listOf(10, 0, 'tenant-without')).toEqual([]);
});

it('a message is found by the version of its event, or the first after it', async () => {
  const { threadId } = await longThread();
  const first = await store.views.messageFrom(threadId, 1);
  expect(first).toEqual({ id: first?.id, role: 'user', content: 'First?', costCents: null, createdAt: expect.any(String) as string });
  expect(await store.views.messageFrom(threadId, 4)).toMatchObject({ content: 'Two' });
  expect(await store.views.messageFrom(threadId, 99)).toBeNull();
  expect(await store.views.messageFrom(newId('thr'), 1)).toBeNull();
});

describe('what a cursor of a thread says', () => {
  const job = { createdAt: new Date('2026-11-22T10:00:00.123Z'), id: newId('job') };
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  it.each([THREAD_START, { message: 7, job: null }, { message: 0, job }, { message: 999_999_999, job }])('is read back: %j', (cursor) => {
    expect(THREAD_CURSORS.placeIn(THREAD_CURSORS.textOf(cursor))).toEqual(cursor);
  });

  it.each([
    '',
    'x',
    encoded('-1'),
    encoded('1.'),
    encoded('01'),
    encoded('1.2'),
    encoded(`1.5.${newId('thr')}`),
    encoded(`1.5.job_${'!'.repeat(26)}`),
    encoded(`1.5.job_${'z'.repeat(26)}`),
    encoded(`1.999999999999999.${job.id} `),
    encoded(`x1.5.${job.id}`),
    `${encoded(`1.5.${job.id}`)}=`,
    ` ${encoded('1')}`,
  ])('is nothing where no page gave it out: %j', (text) => {
    expect(THREAD_CURSORS.placeIn(text)).toBeUndefined();
  });
});
