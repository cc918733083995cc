import fc from '../support/properties';
import type { Store } from '@lib/store/store';
import { ledgerOf } from '@lib/domain/ledger';
import { isFinalEvent, type JobEvent } from '@lib/domain/job/events';
import { readEvents } from '@lib/store/history/load';
import { firstBadVersion } from '../support/chain';
import { runWaves, waves } from '../support/random-work';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

/** Leases that have run out at once, so that attempts can be lost. */
const LEASE_MS = 1;

let test: TestStore;
let stores: Store[];
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  // A deadlock would hold its writers up until the test has failed.
  await test.store.pool.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''10min''', current_database()); end $$`,
  );
  stores = [test.another(), test.another(), test.another()];
});
afterAll(() => test.close());

interface Row {
  stream_id: string;
  version: number;
  type: string;
  has_content: boolean;
  at: string;
}

async function historyOf(streamId: string): Promise<Row[]> {
  const { rows } = await test.store.pool.query<Row>(
    `select stream_id, version, type, sealed_sha256 is not null as has_content, meta ->> 'occurredAt' as at
     from event where stream_id = $1 order by version`,
    [streamId],
  );
  return rows;
}

async function streamIds(): Promise<string[]> {
  const { rows } = await test.store.pool.query<{ id: string }>('select distinct stream_id as id from event');
  return rows.map(({ id }) => id);
}

describe('three processes that write to the same streams at once', () => {
  it('leave histories without gaps, forks or second ends, and views that follow from them', async () => {
    await fc.assert(
      fc.asyncProperty(waves({ processes: 3, jobs: 3, width: [1, 14], length: [1, 8] }), async (schedule) => {
        const candidates = () => [candidate('provider-a', { max: 400_000 }), candidate('provider-c', { max: 400_000 })];
        const jobs = await Promise.all(Array.from({ length: 3 }, () => createJob(stores[0] as Store, { candidates: candidates() })));
        expect(await runWaves(schedule, stores, jobs)).toEqual([]);
        for (const { threadId, jobId } of jobs) {
          for (const streamId of [threadId, jobId]) checkHistory(await historyOf(streamId));
          expect(ledgerOf((await readEvents(test.store.pool, jobId)) as JobEvent[]).discrepancies).toEqual([]);
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
    const ids = await streamIds();
    for (const streamId of ids) expect([streamId, await firstBadVersion(test.store.pool, streamId)]).toEqual([streamId, null]);
    expect(await viewDifferences(test.store.pool, LEASE_MS)).toEqual({ streams: ids.length, differences: [] });
  }, 120_000);

  it('wait for each other in one order, so that none waits for ever', async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, () => createJob(stores[0] as Store)));
    const [schedule] = fc.sample(waves({ processes: 3, jobs: 12, width: [60, 120], length: [20, 20] }), 1);
    expect(await runWaves(schedule ?? [], stores, jobs)).toEqual([]);
    expect((await viewDifferences(test.store.pool, LEASE_MS)).differences).toEqual([]);
  }, 120_000);

  it('write to one thread all the time, and none is told of a conflict', async () => {
    const { threadId } = await createJob(test.store);
    const writing = stores.concat(test.store).map(async (store) => {
      for (let round = 0; round < 60; round += 1) await Promise.all([1, 2, 3].map(() => addMessage(store, threadId)));
    });
    await Promise.all(writing);
    expect((await test.store.threads.load(threadId)).version).toBe(3 + 4 * 60 * 3);
  }, 120_000);
});

function checkHistory(rows: readonly Row[]): void {
  expect(rows.map(({ version }) => version)).toEqual(rows.map((_, place) => place + 1));
  expect(rows.filter(({ type }) => isFinalEvent(type)).length).toBeLessThanOrEqual(1);
  expect(rows.every(({ at }, place) => place === 0 || at >= (rows[place - 1]?.at ?? ''))).toBe(true);
  const erased = rows.findIndex(({ type }) => type === 'ContentErased' || type === 'ThreadDeleted');
  if (erased !== -1) expect(rows.slice(erased).filter(({ has_content: content }) => content)).toEqual([]);
}
