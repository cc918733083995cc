import { recordedRemovals, removedRows, unrecordedRows, type RecordedRemoval } from '@lib/store/log/removal-audit-reads';
import type { Pool } from '@lib/store/postgres/pool';
import { createTestStore, type TestStore } from '../support/store';

let test: TestStore;
let pool: Pool;
beforeEach(async () => {
  test = await createTestStore();
  pool = test.store.pool;
  await pool.query('alter table event disable trigger user');
});
afterEach(() => test.close());

const OCCURRED_AT = '2026-11-22T00:00:00.000Z';
const record = (tenant: string, version: number, threadId: string, type = 'SkeletonsRemoved') =>
  pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, tenant_id)
      values ($1, $2, $3, $4, 1, $5, jsonb_build_object('occurredAt', $7::text), '', '', $6)`,
    [`ten_${tenant}`, version, `evt_${tenant}_${version}`, type, JSON.stringify({ threads: [{ threadId }] }), tenant, OCCURRED_AT],
  );
const remove = (threadId: string, streamId: string, tenant: string, recordedIn: number) =>
  pool.query(
    `insert into removed_stream (stream_id, thread_id, tenant_id, version, hash, recorded_in, removed_at) values ($1, $2, $3, 4, '\\xab', $4, null)`,
    [streamId, threadId, tenant, recordedIn],
  );

async function pages(): Promise<RecordedRemoval[][]> {
  const found: RecordedRemoval[][] = [];
  for await (const page of recordedRemovals(pool)) found.push(page);
  return found;
}

it.each([
  [0, []],
  [1, [1]],
  [9, [9]],
  [10, [10]],
  [23, [10, 10, 3]],
])('%i removals are told once each, from the first tenant to the last, a page at a time', async (count, sizes) => {
  const tenants = Array.from({ length: count }, (_, place) => `${'amtz'[place % 4] ?? ''}-tenant`).sort();
  for (const [place, tenant] of tenants.entries()) await record(tenant, place + 1, `thr_${place}`);
  await record('a-tenant', 100, 'thr_other', 'KeyCreated');
  const found = await pages();
  expect(found.map(({ length }) => length)).toEqual(sizes);
  expect(found.flat()).toEqual(
    tenants.map((tenantId, place) => ({
      tenantId,
      version: place + 1,
      threads: [{ threadId: `thr_${place}` }],
      occurredAt: OCCURRED_AT,
      isSigned: false,
    })),
  );
});

it('a removal is signed once a checkpoint has the event that records it', async () => {
  await record('a', 1, 'thr_1');
  await record('a', 2, 'thr_2');
  const logged = `insert into log_entry (index, stream_id, version, leaf_hash, tenant_id) values ($1, 'ten_a', $2, '', 'a')`;
  await pool.query('alter table log_entry disable trigger user');
  for (const index of [0, 1]) await pool.query(logged, [index, index + 1]);
  const signed = async () => (await pages()).flat().map(({ isSigned }) => isSigned);
  expect(await signed()).toEqual([false, false]);
  await pool.query(`insert into checkpoint (origin, size, note, signed_at) values ('a log', 1, '', now())`);
  expect(await signed()).toEqual([true, false]);
});

it('rows of removed histories are told by their threads, with what is left of them', async () => {
  for (const [threadId, streamId] of [
    ['thr_1', 'thr_1'],
    ['thr_1', 'job_1'],
    ['thr_2', 'thr_2'],
  ] as const)
    await remove(threadId, streamId, 'a', 7);
  const row = {
    tenantId: 'a',
    version: 4,
    hash: 'ab',
    recordedIn: 7,
    removedAt: null,
    hashes: null,
    times: 0,
    events: 0,
    entries: 0,
    lastEntry: 0,
  };
  expect(await removedRows(pool, ['thr_1', 'thr_3'])).toEqual([
    { ...row, threadId: 'thr_1', streamId: 'job_1' },
    { ...row, threadId: 'thr_1', streamId: 'thr_1' },
  ]);
});

it('rows that no event of their tenant records are found', async () => {
  await record('a', 7, 'thr_1');
  await remove('thr_1', 'thr_1', 'a', 7);
  await remove('thr_2', 'thr_2', 'a', 7);
  await remove('thr_3', 'thr_3', 'a', 8);
  await remove('thr_1', 'job_4', 'b', 7);
  expect(await unrecordedRows(pool)).toEqual(['job_4', 'thr_2', 'thr_3']);
});
