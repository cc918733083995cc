import pg from 'pg';
import { limitKey } from '@lib/store/access/api-keys';
import { differenceText, type ViewDifference } from '@lib/store/repair/view-row';
import type { Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { createKey } from '../support/keys';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { deleteThread } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

const KEYS = () => ({ pool: store.pool, pepper: 'a pepper of sixteen' });

async function differences(): Promise<ViewDifference[]> {
  const found: ViewDifference[] = [];
  for await (const page of store.viewRepair.compare()) found.push(...page.differences);
  return found;
}

const repair = (streamId: string, found: readonly ViewDifference[] = []) => store.viewRepair.repair(streamId, found, () => undefined);

it.each([
  ['the row of the job', 'select from job where id = $2 and $1 <> $2 for update'],
  ['the key of the thread', 'select from thread_key where thread_id = $1 and $1 <> $2 for update'],
  ['the agenda of the job', 'select from agenda where job_id = $2 and $1 <> $2 for update'],
])('waits for whoever holds %s, and tries again', async (_, lock) => {
  const { threadId, jobId } = await createJob(store);
  await store.pool.query('update job set cost_cents = 7 where id = $1', [jobId]);
  const holder = await store.pool.connect();
  await holder.query('begin');
  expect((await holder.query(lock, [threadId, jobId])).rowCount).toBeGreaterThan(0);
  const repaired = repair(jobId);
  const tries = new Set<string>();
  const waiting = `select xact_start::text as since from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(
    true,
    async () => {
      for (const { since } of (await store.pool.query<{ since: string }>(waiting)).rows) tries.add(since);
      return tries.size > 1;
    },
    30_000,
  );
  await holder.query('commit');
  holder.release();
  expect(await repaired).toEqual([]);
  expect(await differences()).toEqual([]);
});

it('that breaks off leaves the rows as they were, and the next one repairs them', async () => {
  const { jobId } = await createJob(store);
  await store.pool.query('update job set cost_cents = 7 where id = $1', [jobId]);
  const breaksOff = (at: string) => (stage: string) => {
    if (stage === at) throw new Error(`broke off ${at}`);
  };
  for (const stage of ['views.half-written', 'views.before-commit'])
    await expect(store.viewRepair.repair(jobId, [], breaksOff(stage))).rejects.toThrow(stage);
  expect((await differences()).map(differenceText)).toEqual([`job ${jobId} costCents: the history says 0, stored is 7`]);
  await expect(store.viewRepair.repair(jobId, [], breaksOff('views.after-commit'))).rejects.toThrow('after-commit');
  expect(await differences()).toEqual([]);
});

it.each(['55P03', '40P01', '40001'])('tries again after %s, ten times at most', async (code) => {
  const { jobId } = await createJob(store);
  const failing = (times: number) => {
    const stages: string[] = [];
    const reach = (stage: string) => {
      stages.push(stage);
      if (times-- > 0) throw Object.assign(new pg.DatabaseError('held', 0, 'error'), { code });
    };
    return { stages, reach };
  };
  const spoil = () => store.pool.query('update job set cost_cents = 7 where id = $1', [jobId]);
  await spoil();
  const twice = failing(2);
  expect(await store.viewRepair.repair(jobId, [], twice.reach)).toEqual([]);
  expect(twice.stages).toEqual([...Array<string>(3).fill('views.half-written'), 'views.before-commit', 'views.after-commit']);
  expect(await differences()).toEqual([]);
  if (code !== '40001') return;
  await spoil();
  const always = failing(100);
  await expect(store.viewRepair.repair(jobId, [], always.reach)).rejects.toMatchObject({ code });
  expect(always.stages).toHaveLength(10);
  expect(await repair(jobId)).toEqual([]);
});

it('does not try again what fails for another reason', async () => {
  const { jobId } = await createJob(store);
  await store.pool.query('update job set cost_cents = 7 where id = $1', [jobId]);
  await store.pool.query(`alter table job add constraint kept check (id <> '${jobId}' or cost_cents = 7)`);
  await expect(repair(jobId)).rejects.toMatchObject({ code: '23514' });
  await store.pool.query('alter table job drop constraint kept');
  expect(await repair(jobId)).toEqual([]);
});

it('says of a key what a person has to do, and repairs the limits of its tenant', async () => {
  const keyId = (await createKey(KEYS(), TENANT, null)).slice(8, 20);
  await limitKey(KEYS(), { tenantId: TENANT, keyId, changes: { openJobs: 7 } }, META);
  await store.pool.query(`update api_key set limits = '{"openJobs": 7000}' where key_id = $1`, [keyId]);
  await store.pool.query(`insert into tenant_limit values ($1, '', '{"openJobs": 9}')`, [TENANT]);
  const found = await differences();
  expect(new Set(found.map(({ view }) => view))).toEqual(new Set(['key', 'limits']));
  const left = await repair(`ten_${TENANT}`, found);
  expect(left.map(([difference, why]) => [difference.view, why])).toEqual([['key', expect.stringContaining('research keys change')]]);
  expect((await differences()).map(({ view }) => view)).toEqual(['key']);
  await store.pool.query(`update api_key set limits = '{"openJobs": 7}' where key_id = $1`, [keyId]);
  expect(await differences()).toEqual([]);
});

it('removes the row of a thread that is deleted, and what nobody wants done', async () => {
  const { threadId, jobId } = await createJob(store);
  const kept = await createJob(store);
  const { rows } = await store.pool.query('select * from thread where id = $1', [threadId]);
  const [thread] = rows as Record<string, unknown>[];
  await deleteThread(store, threadId);
  const columns = Object.keys(thread ?? {});
  await store.pool.query(
    `insert into thread (${columns.join(', ')}) values (${columns.map((_, place) => `$${place + 1}`).join(', ')})`,
    Object.values(thread ?? {}),
  );
  await store.pool.query(`insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'retry', 'x', now(), now())`, [
    kept.threadId,
  ]);
  expect(new Set((await differences()).map(({ streamId }) => streamId))).toEqual(new Set([threadId, kept.threadId]));
  expect([...(await repair(threadId)), ...(await repair(kept.threadId)), ...(await repair(jobId))]).toEqual([]);
  expect(await differences()).toEqual([]);
  expect((await store.pool.query('select from thread where id = any ($1)', [[threadId, kept.threadId]])).rowCount).toBe(1);
});
