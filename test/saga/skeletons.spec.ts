import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { FILES } from '@lib/audit/format/bundle/files';
import type { PoolClient } from 'pg';
import { balanceDifferences } from '@lib/store/balances/balance-differences';
import { recordedDeletions } from '@lib/store/deletions/apply-deletions';
import {
  digestOfHeads,
  digestOfStreams,
  linesOfStreams,
  readReceipt,
  textOfReceipt,
  type ErasedStream,
} from '@lib/audit/format/deletion-receipt';
import { parseNote, signedNote, type SignerKey } from '@lib/audit/format/signed-note';
import { examineSkeleton, recordRemoval, removalOf } from '@lib/store/deletions/removed-skeletons';
import { receiptOf, receiptsOf } from '@lib/store/log/deletion-receipts';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import type { Store } from '@lib/store/store';
import { Tenants } from '@lib/store/tenants/tenants';
import { verifyBundle } from '../../src/audit/bundle/verify-bundle';
import { verifyHistories } from '../../src/audit/verify-histories';
import { verifyLog } from '../../src/audit/verify-log';
import { recordRemovals, removeRecorded, removeSkeletons } from '../../src/saga/skeletons';
import { eventually } from '../messaging/eventually';
import { Bundles, finishedThread, linesIn, onLines, ORIGIN, signed, verifierKey, type Line } from '../support/bundles';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob } from '../support/streams';
import { rechained, sql, tampered, where, type Tamper } from '../support/tampering';

let test: TestStore;
let store: Store;
beforeEach(async () => {
  test = await createTestStore();
  ({ store } = test);
});
afterEach(() => test.close());

const never = new AbortController().signal;
const order = { days: 30, logger: pino({ level: 'silent' }), signal: never };
const LATER = new Date('2100-01-01');
const record = (pool: Pool = store.pool, before = LATER) => recordRemovals(pool, before, order);
const remove = (pool: Pool = store.pool) => removeRecorded(pool, order);
const faultsIn = async (pool: Pool) => [
  ...(await verifyHistories(pool, {}, () => undefined)).faults,
  ...(await verifyLog(pool, [], [], () => undefined)).faults,
];

/** A thread with two jobs, erased, and the receipt of it signed. */
async function erased() {
  const made = await finishedThread(store);
  await deleteThread(store, made.threadId);
  await signed(store.pool);
  return { ...made, streams: [made.threadId, made.jobId, made.pursued] };
}

async function removed() {
  const made = await erased();
  expect(await record()).toBe(1);
  await signed(store.pool);
  expect(await remove()).toBe(1);
  return made;
}

const eventsOf = async (streams: readonly string[], pool: Pool = store.pool) =>
  (await pool.query<{ count: number }>('select count(*)::int as count from event where stream_id = any ($1)', [streams])).rows[0]?.count;
const records = async () =>
  (
    await store.pool.query<{ facts: { threads: { threadId: string; events: number }[] }; actor: string; why: string }>(
      `select facts, meta ->> 'actor' as actor, meta ->> 'correlationId' as why from event where type = 'SkeletonsRemoved' order by stream_id, version`,
    )
  ).rows;

it('removes the events of an erased thread once a checkpoint has the record, and leaves receipt, log and proofs sound', async () => {
  const living = await finishedThread(store);
  const { threadId, jobId, streams } = await erased();
  const before = await eventsOf(streams);
  const receipt = await receiptOf(store.pool, TENANT, threadId);
  expect(await record(store.pool, new Date(0))).toBe(0);
  expect(await record()).toBe(1);
  expect(await records()).toEqual([
    {
      ...{ actor: 'retention', why: 'last event 30 days ago' },
      facts: { threads: [expect.objectContaining({ threadId, events: before })] },
    },
  ]);
  // No checkpoint has the record yet.
  expect([await remove(), await eventsOf(streams)]).toEqual([0, before]);
  expect(await faultsIn(store.pool)).toEqual([]);
  await signed(store.pool);
  expect([await remove(), await eventsOf(streams)]).toEqual([1, 0]);
  expect(await receiptOf(store.pool, TENANT, threadId)).toEqual(receipt);
  expect(await removalOf(store.pool, jobId, TENANT)).toMatchObject({ threadId, tenantId: TENANT });
  expect(await removalOf(store.pool, jobId, 'another')).toBeNull();
  await signed(store.pool);
  expect(await faultsIn(store.pool)).toEqual([]);
  expect(await eventsOf([living.threadId, living.jobId])).toBeGreaterThan(0);
  const listed: string[] = [];
  for await (const deletion of recordedDeletions(store.pool)) listed.push(deletion.threadId);
  expect(listed).toEqual([threadId]);
  // Nothing is done twice.
  expect([await record(), await remove()]).toEqual([0, 0]);
});

it('is left where it is once the saga stops, also in the middle of a look', async () => {
  await erased();
  const stopsAfter = (looks: number) => {
    let left = looks;
    return {
      get aborted() {
        left -= 1;
        return left < 0;
      },
    } as AbortSignal;
  };
  const recordedIn = (looks: number) => recordRemovals(store.pool, LATER, { ...order, signal: stopsAfter(looks) });
  expect([await recordedIn(0), await recordedIn(1), await records()]).toEqual([0, 0, []]);
  expect(await recordedIn(2)).toBe(1);
  await signed(store.pool);
  const removedIn = (looks: number) => removeRecorded(store.pool, { ...order, signal: stopsAfter(looks) });
  expect([await removedIn(0), await removedIn(1), await removedIn(2)]).toEqual([0, 0, 1]);
});

describe('the rounds of a saga', () => {
  const lines: { reason: string; removed?: number; recorded?: number; days?: number; err?: { message: string } }[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  beforeEach(() => lines.splice(0));
  /** Until its first round has said what it did. */
  async function round(pool: Pool, days: number): Promise<void> {
    const end = removeSkeletons(pool, days, logger);
    await eventually(1, async () => lines.length);
    await end();
  }

  it('record what is old enough, and remove it once a checkpoint has that', async () => {
    const { streams } = await erased();
    // Of a thread whose last event is of now.
    await round(store.pool, 1e-9);
    expect(lines.splice(0)).toMatchObject([{ reason: 'skeletons_removed', removed: 0, recorded: 1, days: 1e-9 }]);
    await signed(store.pool);
    await round(store.pool, 1e-9);
    expect(lines).toMatchObject([{ reason: 'skeletons_removed', removed: 1, recorded: 0, days: 1e-9 }]);
    expect(await eventsOf(streams)).toBe(0);
  });

  it('say nothing where nothing is old enough, and why they could not be done', async () => {
    await erased();
    let asked = 0;
    const counting = Object.create(store.pool) as Pool;
    counting.query = ((...given: Parameters<Pool['query']>) => {
      asked += 1;
      return store.pool.query(...given);
    }) as Pool['query'];
    const end = removeSkeletons(counting, 30, logger);
    await eventually(true, async () => asked > 2);
    await end();
    expect(lines).toEqual([]);
    const away = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
    await round(away, 30);
    expect(lines).toMatchObject([{ reason: 'skeletons_not_removed', err: { message: 'away' } }]);
  });

  it('have ended once the one that is under way has', async () => {
    const answer = Promise.withResolvers<never>();
    const end = removeSkeletons({ query: () => answer.promise } as unknown as Pool, 30, logger);
    const first = Promise.race([end(), store.pool.query('select 1')]);
    // Another query is answered before.
    expect(await first).toMatchObject({ rowCount: 1 });
    answer.reject(new Error('away'));
    await end();
    expect(lines).toMatchObject([{ reason: 'skeletons_not_removed' }]);
  });
});

it('keeps what is not erased, has no signed receipt, or whose receipt says something else', async () => {
  const living = await finishedThread(store);
  const unsigned = await finishedThread(store);
  await deleteThread(store, unsigned.threadId);
  expect(await record()).toBe(0);
  await signed(store.pool);
  await store.pool.query(`update deletion_receipt set streams = replace(streams, '"version":', '"version":1')`);
  expect(await record()).toBe(0);
  await store.pool.query(`update deletion_receipt set streams = replace(streams, '"version":1', '"version":')`);
  // Something of it is still to be done.
  await store.pool.query(`insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'cancel run', 'x', now(), now())`, [
    unsigned.jobId,
  ]);
  expect(await record()).toBe(0);
  await store.pool.query('delete from agenda where job_id = $1', [unsigned.jobId]);
  expect(await record()).toBe(1);
  await signed(store.pool);
  expect(await remove()).toBe(1);
  expect(await eventsOf([living.threadId])).toBeGreaterThan(0);
});

it('keeps one that cannot be read, and no other of its tenant', async () => {
  const [unreadable, readable] = [await erased(), await erased()];
  const failing = Object.create(store.pool) as Pool;
  failing.query = ((...given: Parameters<Pool['query']>) => {
    const [query] = given as unknown as [string | { text: string; values?: unknown[] }];
    const isOfIt =
      typeof query !== 'string' && query.text.includes('isRemovable') && String(query.values?.[0]).includes(unreadable.threadId);
    return isOfIt ? Promise.reject(new Error('took too long')) : store.pool.query(...given);
  }) as Pool['query'];
  const lines: object[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line) as object) });
  expect(await recordRemovals(failing, LATER, { ...order, logger })).toBe(1);
  expect(lines).toMatchObject([{ reason: 'skeleton_not_read', threadId: unreadable.threadId, err: { message: 'took too long' } }]);
  expect((await records()).flatMap(({ facts }) => facts.threads.map(({ threadId }) => threadId))).toEqual([readable.threadId]);
  expect(await record()).toBe(1);
});

it('removes a long one though that takes longer than any other statement may', async () => {
  const { streams } = await erased();
  expect(await record()).toBe(1);
  await signed(store.pool);
  await store.pool.query(`alter function remove_skeleton rename to remove_at_once;
    create function remove_skeleton(removed_thread text) returns boolean language plpgsql as $$
      begin perform pg_sleep(2); return remove_at_once(removed_thread); end $$`);
  const hurried = createPool(test.databaseUrl, 1, 500);
  expect([await remove(hurried), await eventsOf(streams)]).toEqual([1, 0]);
  // What comes next on its connection may not take as long.
  await expect(hurried.query('select pg_sleep(2)')).rejects.toThrow(/timeout/);
  await hurried.end();
});

it('finds of more histories than it looks at together what it would find of each', async () => {
  await store.balances.change({ tenantId: TENANT, kind: 'top_up', cents: 1000, reference: 'first' });
  const jobs = await Promise.all(Array.from({ length: 60 }, () => createJob(store, { balanceReservedCents: 2 })));
  await signed(store.pool);
  await store.pool.query('delete from agenda');
  const streamIds = jobs.flatMap(({ threadId, jobId }) => [threadId, jobId]);
  const whole = await examineSkeleton(store.pool, streamIds, LATER);
  const each = await Promise.all(streamIds.map((streamId) => examineSkeleton(store.pool, [streamId], LATER)));
  expect(whole).toEqual({
    events: await eventsOf(streamIds),
    isRemovable: true,
    balance: { reservedCents: 120, chargedCents: 0 },
    heads: expect.arrayContaining(each.flatMap(({ heads }) => heads)),
  });
  expect(whole.heads).toHaveLength(streamIds.length);
  await store.pool.query(`insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'cancel run', 'x', now(), now())`, [
    streamIds[1],
  ]);
  expect(await examineSkeleton(store.pool, streamIds, LATER)).toMatchObject({ isRemovable: false });
});

it('removes what a job recorded after its content was erased, too', async () => {
  const { threadId, jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId));
  await deleteThread(store, threadId);
  for (const stepId of stepIds) await onJob(store, jobId, report(stepId, 1, success(70_000))).catch(() => undefined);
  const { rows } = await store.pool.query<{ type: string }>('select type from event where stream_id = $1 order by version desc limit 1', [
    jobId,
  ]);
  expect(rows).toEqual([{ type: 'StepResultLate' }]);
  await signed(store.pool);
  expect(await record()).toBe(1);
  await signed(store.pool);
  expect([await remove(), await eventsOf([threadId, jobId])]).toEqual([1, 0]);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('is done by several processes at once, each thread once', async () => {
  const all = [await erased(), await erased(), await erased()];
  const pools = [store.pool, test.another().pool, test.another().pool];
  const recorded = await Promise.all(pools.map((pool) => record(pool)));
  expect(recorded.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect((await records()).flatMap(({ facts }) => facts.threads.map(({ threadId }) => threadId)).sort()).toEqual(
    all.map(({ threadId }) => threadId).sort(),
  );
  await signed(store.pool);
  const counts = await Promise.all(pools.map((pool) => remove(pool)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await eventsOf(all.flatMap(({ streams }) => streams))).toBe(0);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('goes on where a process ended before any of its statements', async () => {
  const { streams } = await erased();
  const before = await eventsOf(streams);
  /** Ends at its n-th statement. */
  const dying = (left: number): { pool: Pool; statements: () => number } => {
    let count = 0;
    const dies = <Client extends object>(client: Client): Client =>
      new Proxy(client, {
        get: (target, name) => {
          const value = target[name as keyof Client];
          if (name === 'connect') return async () => dies((await (value as () => Promise<PoolClient>).call(target)) as object);
          if (name === 'query')
            return (...statement: unknown[]) => {
              count += 1;
              if (count > left && statement[0] !== 'rollback') return Promise.reject(new Error('the process ended'));
              return (value as (...given: unknown[]) => unknown).apply(target, statement);
            };
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    return { pool: dies(store.pool), statements: () => count };
  };
  const act = async (work: (pool: Pool) => Promise<number>, isDone: () => Promise<boolean>): Promise<number> => {
    let died = 0;
    for (let left = 0; !(await isDone()); left += 1) {
      const { pool, statements } = dying(left);
      await work(pool).catch(() => undefined);
      if (statements() > left) died += 1;
      expect([before, 0]).toContain(await eventsOf(streams));
      expect(await faultsIn(store.pool)).toEqual([]);
    }
    return died;
  };
  expect(await act(record, async () => (await records()).length === 1)).toBeGreaterThan(8);
  await signed(store.pool);
  expect(await act(remove, async () => (await eventsOf(streams)) === 0)).toBeGreaterThan(3);
  expect((await records()).length).toBe(1);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('goes on with other tenants where the history of one cannot be read', async () => {
  const tenantId = 'a-tenant';
  const { threadId, jobId, stepIds } = await createJob(store, { tenantId, candidates: [candidate('provider-a')] });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success(70_000)));
  await onJob(store, jobId, complete);
  await store.threads.delete(threadId, tenantId, { actor: 'test', correlationId: 'test' });
  await store.erasure.erase(threadId);
  // It comes behind the other one.
  const other = await erased();
  expect(threadId < other.threadId).toBe(true);
  await new Tenants(store.pool).execute({
    tenantId,
    commands: [{ type: 'ChangeLimits', tenantId, keyId: null, changes: { openJobs: 7 } }],
    meta: { actor: 'test', correlationId: 'test' },
  });
  const client = await store.pool.connect();
  await client.query('alter table event disable trigger user');
  await client.query(`update event set type = 'OfANewerBuild' where stream_id = $1`, [`ten_${tenantId}`]);
  await client.query('alter table event enable trigger user');
  client.release();
  expect(await record()).toBe(1);
  expect((await records()).flatMap(({ facts }) => facts.threads.map((removedThread) => removedThread.threadId))).toEqual([other.threadId]);
});

it('keeps a thread of which more is recorded after all, and finds no fault in that', async () => {
  const { threadId, jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId));
  await deleteThread(store, threadId);
  await signed(store.pool);
  expect(await record()).toBe(1);
  for (const stepId of stepIds) await onJob(store, jobId, report(stepId, 1, success(70_000))).catch(() => undefined);
  await signed(store.pool);
  expect([await remove(), await eventsOf([jobId])]).toEqual([0, expect.any(Number)]);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('takes nothing more for a job whose history was removed, though a process saw it before it ended', async () => {
  const { threadId, jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId));
  await deleteThread(test.another(), threadId);
  await signed(store.pool);
  expect(await record()).toBe(1);
  await signed(store.pool);
  expect(await remove()).toBe(1);
  expect(await store.jobs.recallIf(jobId, () => true)).toMatchObject({ status: 'running' });
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 13 * 3_600_000);
  await eventually(0, async () => (await store.jobs.recallIf(jobId, () => true)).version);
  for (const stepId of stepIds)
    await expect(onJob(store, jobId, report(stepId, 1, success(70_000)))).rejects.toMatchObject({ code: 'job_not_found' });
  clock.mockRestore();
  expect(await eventsOf([threadId, jobId])).toBe(0);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('finds no fault once another log was opened of which nothing is signed yet', async () => {
  await removed();
  await store.pool.query(`insert into log_origin (number, origin, cluster, size, predecessor)
    select log_origin.number + 1, log_origin.origin || '/2', 'another', log_head.size, note
      from log_origin, log_head, checkpoint order by checkpoint.size desc limit 1`);
  expect(await faultsIn(store.pool)).toEqual([]);
});

it('keeps balances provable by the sums that the record has', async () => {
  const tenantId = 'paying';
  await store.balances.change({ tenantId, kind: 'top_up', cents: 1000, reference: 'first' });
  const { threadId, jobId, stepIds } = await createJob(store, {
    tenantId,
    candidates: [candidate('provider-a')],
    balanceReservedCents: 500,
  });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success(70_000)));
  await onJob(store, jobId, complete);
  await store.threads.delete(threadId, tenantId, { actor: 'test', correlationId: 'test' });
  await store.erasure.erase(threadId);
  await signed(store.pool);
  expect(await record()).toBe(1);
  expect((await balanceDifferences(store.pool)).differences).toEqual([]);
  await signed(store.pool);
  expect(await remove()).toBe(1);
  expect((await balanceDifferences(store.pool)).differences).toEqual([]);
  await store.pool.query(`update balance_transaction set cents = cents + 1 where kind = 'settlement'`);
  expect((await balanceDifferences(store.pool)).differences[0]).toContain(`settlement of ${threadId}`);
});

it('refuses to remove what is not as it was recorded, whoever asks', async () => {
  const { threadId, jobId } = await erased();
  const other = await erased();
  expect(await record()).toBe(2);
  await signed(store.pool);
  await store.pool.query('delete from deletion_receipt where thread_id = $1', [threadId]);
  await expect(store.pool.query('select remove_skeleton($1)', [threadId])).rejects.toThrow('no receipt');
  await store.pool.query('update removed_stream set version = version - 1 where stream_id = $1', [other.jobId]);
  await expect(store.pool.query('select remove_skeleton($1)', [other.threadId])).rejects.toThrow('not those that were recorded');
  await expect(store.pool.query('delete from event where stream_id = $1', [jobId])).rejects.toThrow('insert-only');
  const living = await finishedThread(store);
  const { rows } = await store.pool.query('select remove_skeleton($1) as removed', [living.threadId]);
  expect(rows).toEqual([{ removed: false }]);
  expect(await remove()).toBe(0);
});

describe('of what a database owner does by hand, verify finds', () => {
  const found = (tamper: Tamper) => tampered(store.pool, tamper, faultsIn);

  it('histories that were merely cut, with and without a forged row', async () => {
    const { threadId, streams } = await erased();
    const cut = sql('delete from event where stream_id = any ($1)', streams);
    expect(await found(cut)).toContainEqual(expect.objectContaining({ streamId: threadId, version: 1, field: 'event' }));
    const forged = await found(async (client) => {
      await client.query(
        `insert into removed_stream (stream_id, thread_id, tenant_id, version, hash, recorded_in, removed_at)
          select distinct on (stream_id) stream_id, $2, $3, version, hash, 1, now() from event where stream_id = any ($1) order by stream_id, version desc`,
        [streams, threadId, TENANT],
      );
      await cut(client);
    });
    expect(forged).toContainEqual({
      streamId: threadId,
      version: null,
      field: 'removed_stream',
      what: expect.stringContaining('no event'),
    });
  });

  it('histories that were cut after the record and before a checkpoint had it', async () => {
    const { threadId, jobId, streams } = await erased();
    await record();
    expect(await found(sql('delete from event where stream_id = $1', jobId))).toContainEqual(
      expect.objectContaining({ streamId: threadId, field: 'removed_stream', what: expect.stringContaining('not done yet') }),
    );
    const early: Tamper = async (client) => {
      await client.query('delete from event where stream_id = any ($1)', [streams]);
      await client.query('update removed_stream set removed_at = now()');
    };
    expect(await found(early)).toContainEqual(
      expect.objectContaining({ streamId: threadId, what: expect.stringContaining('before a checkpoint') }),
    );
  });

  it('whatever is changed of a removal', async () => {
    const { threadId, jobId } = await removed();
    const tenant = `ten_${TENANT}`;
    const of = (streamId: string): unknown => expect.objectContaining({ streamId });
    const [{ version }] = (
      await store.pool.query<{ version: number }>(`select version from event where stream_id = $1 and type = 'SkeletonsRemoved'`, [tenant])
    ).rows as [{ version: number }];
    const threads = `jsonb_set(facts, '{threads,0,`;
    const inRecord = (path: string, value: string) =>
      rechained(tenant, sql(`update event set facts = ${threads}${path}}', $3::jsonb) ${where}`, tenant, version, value));
    const tamperings: [Tamper, unknown][] = [
      [sql(`delete from event ${where}`, tenant, version), of(threadId)],
      [sql('delete from removed_stream where stream_id = $1', jobId), of(jobId)],
      [sql('delete from removed_stream'), of(jobId)],
      [sql('update removed_stream set removed_at = null'), of(threadId)],
      [sql('update removed_stream set hash = $1', Buffer.alloc(32)), of(threadId)],
      [sql('update removed_stream set version = version + 1'), of(threadId)],
      [sql('update removed_stream set hashes = null'), of(jobId)],
      [sql('update removed_stream set hashes[2] = $2 where stream_id = $1', jobId, Buffer.alloc(32)), of(jobId)],
      [sql(`update removed_stream set appended_at[2] = now() where stream_id = $1`, jobId), of(jobId)],
      [sql(`update removed_stream set hashes = hashes || hashes[1] where stream_id = $1`, jobId), of(threadId)],
      [sql(`update removed_stream set appended_at = appended_at || now() where stream_id = $1`, jobId), of(threadId)],
      [sql(`update removed_stream set removed_at = '2020-01-01' where stream_id = $1`, jobId), of(threadId)],
      [sql(`update removed_stream set tenant_id = 'another'`), of(threadId)],
      [sql('update removed_stream set recorded_in = recorded_in + 1'), of(threadId)],
      [sql('update removed_stream set thread_id = stream_id'), of(threadId)],
      [sql('delete from deletion_receipt'), of(threadId)],
      [sql(`update deletion_receipt set note = replace(note, 'role:test', 'role:tess')`), of(threadId)],
      [sql(`update deletion_receipt set streams = replace(streams, '"version":', '"version":1')`), of(threadId)],
      [sql('update deletion_receipt set size = size + 1'), of(threadId)],
      [sql(`update deletion_receipt set tenant_id = 'another'`), of(threadId)],
      [sql('delete from log_entry where stream_id = $1 and version = 2', jobId), of('log')],
      [sql(`update log_entry set leaf_hash = $2 where stream_id = $1 and version = 2`, jobId, Buffer.alloc(32)), of('log')],
      [sql(`update log_entry set tenant_id = 'another' where stream_id = $1`, jobId), of(jobId)],
      [sql('update log_entry set version = 77 where stream_id = $1 and version = 2', jobId), of(jobId)],
      [inRecord('streams,sha256', `"${'0'.repeat(64)}"`), of(threadId)],
      [inRecord('deletedAt', '"2020-01-01T00:00:00.000Z"'), of(threadId)],
      [inRecord('threadId', `"thr_${'0'.repeat(26)}"`), of(threadId)],
      [inRecord('threadId', `"thr_${'0'.repeat(26)}"`), of(`thr_${'0'.repeat(26)}`)],
      [inRecord('events', '7'), of(threadId)],
      [inRecord('headsSha256', `"${'0'.repeat(64)}"`), of(threadId)],
      [inRecord('balance,chargedCents', '7'), expect.objectContaining({ streamId: tenant, field: 'leaf_hash' })],
      [inRecord('events', '-7'), expect.objectContaining({ streamId: tenant, field: 'facts.threads' })],
      [sql(`update event set facts = '{"threads":7}' ${where}`, tenant, version), of(tenant)],
    ];
    for (const [place, [tamper, fault]] of tamperings.entries())
      expect([place, await found(tamper)]).toEqual([place, expect.arrayContaining([fault])]);
    expect(await faultsIn(store.pool)).toEqual([]);
  });

  it('a living thread that is cut, and whose entries are passed off as those of a removed one by a record that says more than it had', async () => {
    const gone = await erased();
    const living = await finishedThread(store);
    await signed(store.pool);
    const cut = [living.threadId, living.jobId, living.pursued];
    const more = (await eventsOf(cut)) ?? 0;
    const [receipt] = await receiptsOf(store.pool, [gone.threadId], Number.MAX_SAFE_INTEGER);
    const { deletedAt, streams } = readReceipt(parseNote(receipt?.note ?? '').text);
    const listed = (receipt?.streams ?? '').trim().split('\n');
    const order = listed.map((line) => (JSON.parse(line) as ErasedStream).streamId);
    const { events, balance, heads } = await examineSkeleton(store.pool, order, LATER);
    const own = heads.find(({ streamId }) => streamId === gone.pursued)?.version ?? 0;
    const forged = order.flatMap((streamId) =>
      heads
        .filter((head) => head.streamId === streamId)
        .map((head) => (streamId === gone.pursued ? { streamId, version: own + more, hash: 'ab'.repeat(32) } : head)),
    );
    const skeleton = {
      ...{ threadId: gone.threadId, deletedAt: String(deletedAt), events: events + more },
      ...{ streams, headsSha256: digestOfHeads(forged), balance },
    };
    const meta = { actor: 'retention', correlationId: 'last event 30 days ago' };
    await recordRemoval(new Tenants(store.pool), TENANT, [{ skeleton, streams: forged }], meta);
    await signed(store.pool);
    const faults = await found(async (client) => {
      await client.query('create temporary table kept on commit drop as select * from event where stream_id = any ($1)', [gone.streams]);
      await client.query('delete from event where stream_id = any ($1)', [[...gone.streams, ...cut]]);
      await client.query(
        `update log_entry set stream_id = $1, version = $2 + place from (
            select index, row_number() over (order by index) as place from log_entry where stream_id = any ($3)) as entry
          where entry.index = log_entry.index`,
        [gone.pursued, own, cut],
      );
      await client.query(
        `update removed_stream set removed_at = now(),
          hashes = (select array_agg(hash order by kept.version) from kept where kept.stream_id = removed_stream.stream_id)
            || case when stream_id = $1 then array_fill(removed_stream.hash, array[$2::int]) else '{}' end,
          appended_at = (select array_agg(appended_at order by kept.version) from kept where kept.stream_id = removed_stream.stream_id)`,
        [gone.pursued, more],
      );
    });
    expect(faults).toContainEqual(expect.objectContaining({ streamId: gone.pursued, version: own + 1, field: 'leaf_hash' }));
  });

  it('a living thread that is cut by a receipt of an erasure that the log never had', async () => {
    const living = await finishedThread(store);
    await signed(store.pool);
    const order = [living.threadId, living.jobId, living.pursued];
    const { events, balance, heads } = await examineSkeleton(store.pool, order, LATER);
    const inOrder = order.flatMap((streamId) => heads.filter((head) => head.streamId === streamId));
    const streams = inOrder.map(({ streamId, version, hash }) => ({
      streamId,
      erased: { version: version + 1, hash: 'cd'.repeat(32) },
      head: { version, hash },
    }));
    const deletedAt = '2026-01-01T00:00:00.000Z';
    const { rows } = await store.pool.query<{ size: number }>('select max(size)::int as size from checkpoint');
    const size = rows[0]?.size ?? 0;
    // The saga signed it while the database said for a moment that all of that was so.
    const text = textOfReceipt({
      ...{ threadId: living.threadId, tenantId: TENANT, actor: 'api', deletedAt, signedAt: deletedAt },
      ...{ streams: digestOfStreams(streams), remains: { events, content: false, key: false } },
      checkpoint: { origin: ORIGIN, size, root: Buffer.alloc(32).toString('base64') },
    });
    const note = signedNote(text, [verifierKey as SignerKey]);
    await store.pool.query('insert into deletion_receipt (thread_id, tenant_id, size, note, streams) values ($1, $2, $3, $4, $5)', [
      ...[living.threadId, TENANT, size, note],
      linesOfStreams(streams),
    ]);
    const skeleton = {
      threadId: living.threadId,
      deletedAt,
      events,
      streams: digestOfStreams(streams),
      headsSha256: digestOfHeads(inOrder),
      balance,
    };
    const meta = { actor: 'retention', correlationId: 'last event 30 days ago' };
    await recordRemoval(new Tenants(store.pool), TENANT, [{ skeleton, streams: inOrder }], meta);
    await signed(store.pool);
    const faults = await found(async (client) => {
      await client.query(
        `update removed_stream set removed_at = now(), hashes = kept.hashes, appended_at = kept.appended_at
          from (select stream_id, array_agg(hash order by version) as hashes, array_agg(appended_at order by version) as appended_at
            from event group by stream_id) as kept where kept.stream_id = removed_stream.stream_id`,
      );
      await client.query('delete from event where stream_id = any ($1)', [order]);
    });
    expect(faults).toEqual([
      {
        ...{ streamId: living.threadId, version: null, field: 'removed_stream' },
        what: expect.stringContaining('is not the one that the receipt signs'),
      },
    ]);
  });

  it('events that came back', async () => {
    const { streams, threadId } = await erased();
    await store.pool.query('create table kept as select * from event where stream_id = any ($1)', [streams]);
    await record();
    await signed(store.pool);
    await remove();
    const again = sql(`insert into event overriding system value select * from kept`);
    expect(await found(again)).toContainEqual(expect.objectContaining({ streamId: threadId, what: expect.stringContaining('are there') }));
  });
});

describe('a bundle of a tenant whose threads were removed', () => {
  const bundles = new Bundles();
  afterAll(() => bundles.remove());
  const python = spawnSync('python3', ['--version']).status === 0;
  const script = (folder: string) => spawnSync('python3', ['-B', 'docs/audit/verify.py', folder], { encoding: 'utf8' });
  const look = async (folder: string) => (await verifyBundle(folder, [], [verifierKey], () => undefined)).faults;

  it('is refused where a thread is removed while it is read', async () => {
    const { threadId } = await finishedThread(store);
    for (let messages = 0; messages < 500; messages += 1) await addMessage(store, threadId, 'And more?');
    await deleteThread(store, threadId);
    await signed(store.pool);
    expect(await record()).toBe(1);
    await signed(store.pool);
    let pages = 0;
    const meanwhile = new Proxy(store.pool, {
      get: (pool, name) => {
        const value = pool[name as keyof Pool] as unknown;
        if (name !== 'query') return typeof value === 'function' ? (value.bind(pool) as unknown) : value;
        return async (statement: string | { text: string }, values?: unknown[]) => {
          const text = typeof statement === 'string' ? statement : statement.text;
          if (text.includes('with ordinality as wanted') && (pages += 1) === 3) expect(await remove()).toBe(1);
          return pool.query(statement as string, values);
        };
      },
    });
    await expect(bundles.export(meanwhile, { tenantId: TENANT })).rejects.toThrow(`The histories of ${threadId} were removed while`);
    expect(pages).toBe(3);
    const { folder } = await bundles.export(store.pool, { tenantId: TENANT });
    expect(await look(folder)).toEqual([]);
  });

  it('has their receipts, which both verifiers compare with the record', async () => {
    const living = await finishedThread(store);
    const gone = await removed();
    const last = await erased();
    expect(await record()).toBe(1);
    await signed(store.pool);
    const { folder, exported } = await bundles.export(store.pool, { tenantId: TENANT });
    // The removal of the second one was recorded and not done yet.
    expect(exported).toMatchObject({ deletions: 2, newer: 0 });
    expect(linesIn(folder, FILES.deletions).map((line) => (line as unknown as { threadId: string }).threadId)).toEqual([
      gone.threadId,
      last.threadId,
    ]);
    expect(linesIn(folder, FILES.events).map(({ streamId }) => streamId)).toEqual(expect.arrayContaining([living.threadId, last.threadId]));
    expect(await look(folder)).toEqual([]);
    await expect(bundles.export(store.pool, { threadId: gone.threadId })).rejects.toThrow('holds no event');
    const head = (folderOf: string) => readFileSync(join(folderOf, FILES.head), 'utf8');
    const lacking = bundles.changed(folder, (copy) => {
      onLines(FILES.deletions, (lines) => lines.slice(1))(copy);
      writeFileSync(join(copy, FILES.head), head(copy).replace('"deletions": 2', '"deletions": 1'));
    });
    expect(await look(lacking)).toEqual([
      expect.objectContaining({ what: expect.stringContaining(`lacks the receipt of ${gone.threadId}`) }),
    ]);
    const swapped = bundles.changed(
      folder,
      onLines(FILES.deletions, ([first, second]) => [
        { ...first, note: second?.note, streams: second?.streams } as unknown as Line,
        second as Line,
      ]),
    );
    expect(await look(swapped)).toEqual([expect.objectContaining({ what: expect.stringContaining('says something else than the event') })]);
    if (!python) return;
    expect(script(folder)).toMatchObject({ status: 0, stderr: '' });
    expect(script(lacking)).toMatchObject({ status: 1, stdout: expect.stringContaining('lacks the receipt') });
    expect(script(swapped).status).toBe(1);
    expect(await remove()).toBe(1);
    const later = await bundles.export(store.pool, { tenantId: TENANT });
    expect(later.exported.events).toBeLessThan(exported.events);
    expect([await look(later.folder), script(later.folder).status]).toEqual([[], 0]);
    const reversed = bundles.changed(
      later.folder,
      onLines(FILES.deletions, (lines) => lines.toReversed()),
    );
    const told = 'comes twice, or not in the order of ids';
    expect(await look(reversed)).toEqual([expect.objectContaining({ field: `${FILES.deletions} line 2`, what: told })]);
    expect(script(reversed)).toMatchObject({ status: 1, stdout: expect.stringContaining(`${FILES.deletions} line 2: ${told}`) });
  });
});
