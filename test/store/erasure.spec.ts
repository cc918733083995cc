import type { StoreAlert } from '@lib/store/alert';
import type { Store } from '@lib/store/store';
import type { AgendaKind } from '@lib/domain/job/agenda';
import { eventually } from '../messaging/eventually';
import { firstBadVersion } from '../support/chain';
import { externalId, report, start, success } from '../support/job-history';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, eventTypes, onJob, passTime, pursue, readMessages, readThread, refusal } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;
/** What a write to another thread may take meanwhile. */
const WITHIN_MS = 250;

let test: TestStore;
let store: Store;
/** Another process, which remembers what it has read. */
let other: Store;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  other = test.another();
});
afterEach(() => test.close());

const leftOf = async (threadId: string): Promise<Record<string, number>> => {
  const { rows } = await store.pool.query<Record<string, number>>(
    `select (select count(*) from event where sealed is not null
        and stream_id in (select $1 union select facts ->> 'jobId' from event where stream_id = $1 and type = 'JobAdded'))::int as sealed,
      (select count(*) from message where thread_id = $1)::int as messages, (select count(*) from job where thread_id = $1)::int as jobs,
      (select count(*) from agenda where job_id = $1)::int as entries`,
    [threadId],
  );
  return rows[0] ?? {};
};
const NOTHING = { sealed: 0, messages: 0, jobs: 0, entries: 0 };

/** A thread with a second job, each of which both processes have read, and of which the first runs. */
async function busyThread() {
  const { threadId, jobId, stepIds } = await createJob(store);
  const pursued = await pursue(store, threadId, jobId);
  const [stepId = '', next = ''] = stepIds;
  await onJob(store, jobId, start(stepId, 'claim'));
  for (const process of [store, other]) {
    await process.jobs.recall(jobId);
    expect(await process.views.getJob(TENANT, threadId, jobId)).not.toBeNull();
    expect(await process.contents.ofJob(jobId, threadId).question()).not.toBeNull();
  }
  return { threadId, jobId, pursued, stepId, next };
}

describe('from its deletion on, while its jobs are still to be erased', () => {
  it('a thread is gone for every process: nothing of it is read, granted or added', async () => {
    const { threadId, jobId, pursued, stepId, next } = await busyThread();
    await store.threads.delete(threadId, TENANT, META);
    expect(await leftOf(threadId)).toMatchObject({ jobs: 2, entries: 1 });

    for (const process of [store, other]) {
      expect(await readThread(process.views, threadId)).toBeNull();
      expect(await readMessages(process.views, threadId)).toBeNull();
      expect(await process.views.getJob(TENANT, threadId, jobId)).toBeNull();
      expect(await process.views.listEvents(TENANT, threadId, jobId)).toBeNull();
      expect(await process.views.listTopics(TENANT, threadId, jobId)).toBeNull();
      expect(await process.views.listThreads(TENANT, { limit: 100, offset: 0, after: null })).toEqual({
        threads: [],
        threadsUnreadable: 0,
        next: null,
      });
      expect(await refusal(addMessage(process, threadId))).toBe('thread_not_found');
      expect(await refusal(pursue(process, threadId, jobId))).toBe('thread_not_found');
      expect(await refusal(process.threads.delete(threadId, TENANT, META))).toBe('thread_not_found');
    }
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });

    // Whoever meets a job of it ends it first: the claim grants nothing, and the result that comes late costs what it cost.
    await onJob(other, jobId, start(next, 'another'));
    await onJob(store, jobId, report(stepId, 1, success()));
    expect((await eventTypes(store, jobId)).slice(2)).toEqual([
      'StepFailed',
      'StepSkipped',
      'JobCancelled',
      'ContentErased',
      'StepResultLate',
    ]);
    expect((await eventTypes(store, pursued)).at(-1)).toBe('JobRequested');
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });

    await store.erasure.erase(threadId);
    expect((await eventTypes(store, pursued)).at(-1)).toBe('ContentErased');
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
    for (const streamId of [threadId, jobId, pursued]) expect(await firstBadVersion(store.pool, streamId)).toBeNull();
  });

  it('a report costs what it cost, also for a process that has no key of the thread any more', async () => {
    const { threadId, jobId, stepId } = await busyThread();
    await other.threads.delete(threadId, TENANT, META);
    const fresh = test.another();
    await onJob(fresh, jobId, externalId(stepId, 1));
    await onJob(fresh, jobId, report(stepId, 1, success(4_200)));
    const { rows } = await store.pool.query('select facts from event where stream_id = $1 order by version desc limit 1', [jobId]);
    expect(rows).toMatchObject([{ facts: { outcome: 'completed', charge: { micros: 4_200 } } }]);
    expect((await eventTypes(store, jobId)).slice(-2)).toEqual(['ContentErased', 'StepResultLate']);
    await store.erasure.erase(threadId);
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect(await firstBadVersion(store.pool, jobId)).toBeNull();
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
  });

  it('a claim that was granted before and is asked for again gets no second grant', async () => {
    const { threadId, jobId, stepId } = await busyThread();
    await other.threads.delete(threadId, TENANT, META);
    const after = await store.jobs.execute(jobId, { type: 'StartStep', stepId, claimId: 'claim' }, META);
    expect(after).toMatchObject({ status: 'cancelled', erased: true });
  });

  it('a run that its provider works on is still told to stop, though its id was sealed under the key that is gone', async () => {
    const { threadId, jobId, stepId } = await busyThread();
    await onJob(store, jobId, externalId(stepId, 1));
    await other.threads.delete(threadId, TENANT, META);
    const fresh = test.another();
    await fresh.erasure.erase(threadId);
    const due: AgendaKind[] = ['cancel run'];
    await passTime(store, 10_001);
    expect(await fresh.agenda.takeDue(due, 10, 1000)).toMatchObject([{ jobId, stepId, run: 1 }]);
    expect(await fresh.cancellations.begin({ jobId, stepId, run: 1 })).toMatchObject({ externalId: expect.any(String) });
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
  });
});

it('a run that a build of the release before recorded, which keeps no id of it, is told to stop all the same', async () => {
  const { threadId, jobId, stepId } = await busyThread();
  await onJob(store, jobId, externalId(stepId, 1));
  await store.pool.query(`delete from agenda where kind = 'run'`);
  await other.threads.delete(threadId, TENANT, META);
  const fresh = test.another();
  await fresh.erasure.erase(threadId);
  expect(await fresh.cancellations.begin({ jobId, stepId, run: 1 })).toEqual({ tries: 1, externalId: 'run-1' });
  expect(await leftOf(threadId)).toEqual(NOTHING);
  expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
});

describe('what is left of a deleted thread', () => {
  it('is erased by another process when the one that deleted it has died on the way, and by two at once as by one', async () => {
    const { threadId, jobId } = await createJob(store);
    for (let more = 0; more < 45; more += 1) await pursue(store, threadId, jobId);
    await store.threads.delete(threadId, TENANT, META);
    await passTime(store, 10_001);
    expect(await other.agenda.takeDue(['erase thread'], 10, 1000)).toMatchObject([{ jobId: threadId }]);
    await Promise.all([other.erasure.erase(threadId), store.erasure.erase(threadId)]);
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'ContentErased')).toHaveLength(1);
    expect(await viewDifferences(store.pool, LEASE_MS)).toMatchObject({ differences: [] });
  });

  it('is erased though one of its jobs cannot be: that one is told to a person and comes again until it can', async () => {
    const { threadId, jobId } = await createJob(store);
    const pursued: string[] = [];
    for (let more = 0; more < 25; more += 1) pursued.push(await pursue(store, threadId, jobId));
    await store.pool.query('alter table event disable trigger user');
    await store.pool.query(`update event set facts = jsonb_build_object('kept', facts) where stream_id = $1 and version = 1`, [jobId]);
    await store.threads.delete(threadId, TENANT, META);
    const fresh = test.another();
    const alerts: StoreAlert[] = [];
    fresh.onAlert((alert) => alerts.push(alert));
    await fresh.erasure.erase(threadId);
    expect(alerts).toContainEqual(expect.objectContaining({ reason: 'job_not_erased', of: jobId }));
    expect(await leftOf(threadId)).toEqual({ sealed: 1, messages: 0, jobs: 1, entries: 1 });
    for (const other of pursued) expect((await eventTypes(store, other)).at(-1)).toBe('ContentErased');

    // Later each time.
    const taken = () => fresh.agenda.takeDue(['erase thread'], 10, 1000);
    await passTime(store, 29_000);
    expect(await taken()).toEqual([]);
    await passTime(store, 2_000);
    expect(await taken()).toMatchObject([{ jobId: threadId }]);
    await fresh.erasure.erase(threadId);
    await passTime(store, 58_000);
    expect(await taken()).toEqual([]);

    await store.pool.query(`update event set facts = facts -> 'kept' where stream_id = $1 and version = 1`, [jobId]);
    await store.pool.query('alter table event enable trigger user');
    await fresh.erasure.erase(threadId);
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect((await eventTypes(store, jobId)).at(-1)).toBe('ContentErased');
  });

  it('is erased where rows outlived the history of their job, as after a repair', async () => {
    const { threadId, jobId } = await createJob(store);
    const pursued = await pursue(store, threadId, jobId);
    await store.pool.query('create table kept as select * from job');
    await store.threads.delete(threadId, TENANT, META);
    await store.pool.query(`create table due as select * from agenda where kind = 'erase thread'`);
    await store.erasure.erase(threadId);
    await store.pool.query('insert into job select * from kept');
    await store.pool.query('insert into agenda select * from due');
    expect(await leftOf(threadId)).toMatchObject({ jobs: 2, entries: 1 });
    const events = async () => [await eventTypes(store, jobId), await eventTypes(store, pursued)];
    const before = await events();
    await other.erasure.erase(threadId);
    expect(await leftOf(threadId)).toEqual(NOTHING);
    expect(await events()).toEqual(before);
  });

  it('is erased in the background one thread after the other, until the process stops', async () => {
    const threads = [await createJob(store), await createJob(store)];
    for (const { threadId } of threads) await store.threads.delete(threadId, TENANT, META);
    const left = async () => Promise.all(threads.map(async ({ threadId }) => leftOf(threadId)));
    for (const { threadId } of threads) store.erasure.start(threadId);
    await eventually(true, async () => (await left()).every(({ entries }) => entries === 0));
    expect(await left()).toEqual([NOTHING, NOTHING]);

    const { threadId, jobId } = await createJob(store);
    for (let more = 0; more < 25; more += 1) await pursue(store, threadId, jobId);
    await store.threads.delete(threadId, TENANT, META);
    store.erasure.start(threadId);
    await store.erasure.stop();
    const after = await leftOf(threadId);
    expect(after.entries).toBe(1);
    expect(after.jobs).toBeLessThan(26);
    await other.erasure.erase(threadId);
    expect(await leftOf(threadId)).toEqual(NOTHING);
  });

  it('is left alone, and told to a person, where no history says that it was deleted', async () => {
    const { threadId } = await createJob(store);
    await store.pool.query(
      `insert into agenda (job_id, kind, ref, due_at, look_at, tenant_id) values ($1, 'erase thread', '', now(), now(), $2)`,
      [threadId, TENANT],
    );
    const alerts: StoreAlert[] = [];
    store.onAlert((alert) => alerts.push(alert));
    store.erasure.start(threadId);
    await eventually(1, async () => alerts.length);
    const error: unknown = expect.objectContaining({ message: expect.stringContaining(`${threadId} is to be erased, but its history`) });
    expect(alerts).toEqual([{ reason: 'thread_not_erased', of: threadId, error }]);
    expect(await leftOf(threadId)).toMatchObject({ jobs: 1, messages: 1, entries: 1 });
  });

  it('is erased beside other writes, of which none waits for it', async () => {
    const { threadId, jobId } = await createJob(store);
    const JOBS = 900;
    await Promise.all(Array.from({ length: JOBS }, () => pursue(store, threadId, jobId)));
    const free = await createJob(store);
    // On a busy machine a write takes long by itself.
    let withinMs = WITHIN_MS;
    for (let alone = 0; alone < 50; alone += 1) {
      const asked = performance.now();
      await addMessage(store, free.threadId);
      withinMs = Math.max(withinMs, 4 * (performance.now() - asked));
    }
    const began = performance.now();
    await store.threads.delete(threadId, TENANT, META);
    expect(performance.now() - began).toBeLessThan(withinMs);
    store.erasure.start(threadId);
    const tookMs: number[] = [];
    const erasing = performance.now();
    await eventually(
      0,
      async () => {
        const asked = performance.now();
        await addMessage(store, free.threadId);
        tookMs.push(performance.now() - asked);
        return (await leftOf(threadId)).entries ?? 0;
      },
      60_000,
    );
    // More than one: something was left to erase after the first write.
    expect(tookMs.length).toBeGreaterThan(1);
    // Who waits for it waits for most of it.
    expect(Math.max(...tookMs)).toBeLessThan(Math.max(withinMs, (performance.now() - erasing) / 4));
    expect(await leftOf(threadId)).toEqual(NOTHING);
  });
});
