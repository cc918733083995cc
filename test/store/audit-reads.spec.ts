import {
  auditedEvents,
  auditedStreams,
  erasuresOf,
  jobsNamedBy,
  threadsNamedBy,
  type AuditScope,
  type StoredEventRow,
} from '@lib/store/history/audit-reads';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, pursue } from '../support/streams';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

const pages = async (scope: AuditScope): Promise<string[][]> => {
  const found: string[][] = [];
  for await (const page of auditedStreams(test.store.pool, scope)) found.push(page);
  return found;
};
const eventsOf = async (streamIds: string[]): Promise<StoredEventRow[]> => {
  const found: StoredEventRow[] = [];
  for await (const row of auditedEvents(test.store.pool, streamIds)) found.push(row);
  return found;
};
/** Histories of one event each. */
const fill = (prefix: string, count: number, tenantId: string) =>
  test.store.pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
      select $1 || lpad(place::text, 4, '0'), 1, $1 || place, 'ThreadCreated', 1, jsonb_build_object('tenantId', $3::text), '{}', '', ''
        from generate_series(1, $2::int) as place`,
    [prefix, count, tenantId],
  );

it('histories are named once each and in order, two hundred at a time: one, those of a tenant, or all', async () => {
  expect(await pages({})).toEqual([]);
  await fill('thr_a', 200, 'acme');
  await fill('thr_b', 203, 'globex');
  const sizes = async (scope: AuditScope) => (await pages(scope)).map(({ length }) => length);
  expect(await sizes({ tenantId: 'acme' })).toEqual([200]);
  expect(await sizes({ tenantId: 'globex' })).toEqual([200, 3]);
  expect(await sizes({ tenantId: 'nobody' })).toEqual([]);
  expect(await sizes({})).toEqual([200, 200, 3]);
  const all = (await pages({})).flat();
  expect(all).toEqual(all.toSorted());
  expect(new Set(all).size).toBe(403);
  expect((await pages({ after: 'thr_b0200' })).flat()).toEqual(['thr_b0201', 'thr_b0202', 'thr_b0203']);
  expect(await pages({ streamId: 'thr_nobody', tenantId: 'acme' })).toEqual([['thr_nobody']]);
});

it('events of several histories come in order, however many there are, with their sealed bytes, also where these are many', async () => {
  const { threadId, jobId } = await createJob(test.store, { query: Array.from({ length: 20_000 }, () => Math.random()).join() });
  await Promise.all(Array.from({ length: 398 }, () => addMessage(test.store, threadId)));
  const found = await eventsOf([threadId, jobId]);
  const { rows } = await test.store.pool.query<{ stream_id: string; version: number; sealed: Buffer | null }>(
    'select stream_id, version, sealed from event where stream_id = any ($1) order by stream_id, version',
    [[threadId, jobId]],
  );
  expect(rows.length).toBeGreaterThan(400);
  expect(found.map(({ streamId, version }) => [streamId, version])).toEqual(rows.map((row) => [row.stream_id, row.version]));
  expect(found.every(({ sealed }, place) => (sealed === null ? rows[place]?.sealed === null : rows[place]?.sealed?.equals(sealed)))).toBe(
    true,
  );
  expect(Math.max(...found.map(({ sealed }) => sealed?.length ?? 0))).toBeGreaterThan(65_536);
  expect(found[0]).not.toHaveProperty('large');
  expect(found.at(-1)).toMatchObject({ type: 'MessageAdded', schemaVersion: expect.any(Number), tenantId: TENANT, id: expect.any(String) });
});

it('threads and jobs say what they name, and what is left of those that were deleted', async () => {
  const { pool, threads, erasure } = test.store;
  const [kept, gone] = [await createJob(test.store), await createJob(test.store)];
  const pursued = await pursue(test.store, kept.threadId, kept.jobId);
  await threads.delete(gone.threadId, TENANT, META);
  const threadIds = [kept.threadId, gone.threadId, 'thr_nobody'];
  expect(await threadsNamedBy(pool, threadIds, [pursued, gone.jobId])).toEqual(
    new Map([
      [kept.threadId, { tenantId: TENANT, isDeleted: false, jobs: new Map([[pursued, { parentJobId: kept.jobId }]]) }],
      [gone.threadId, { tenantId: TENANT, isDeleted: true, jobs: new Map([[gone.jobId, { parentJobId: null }]]) }],
    ]),
  );
  const said = async () => Object.fromEntries(await jobsNamedBy(pool, [kept.jobId, gone.jobId]));
  expect(await said()).toEqual({
    [kept.jobId]: { jobId: kept.jobId, threadId: kept.threadId, isSealed: true, isErased: false },
    [gone.jobId]: { jobId: gone.jobId, threadId: gone.threadId, isSealed: true, isErased: false },
  });
  expect(await erasuresOf(pool, threadIds)).toEqual({ keys: new Map([[kept.threadId, TENANT]]), beingErased: new Set([gone.threadId]) });
  await erasure.erase(gone.threadId);
  expect((await said())[gone.jobId]).toMatchObject({ isSealed: false, isErased: true });
  expect((await erasuresOf(pool, threadIds)).beingErased).toEqual(new Set());
});
