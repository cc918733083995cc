import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readDeletions } from '@lib/store/deletions/read-deletions';
import { oldThreads, type OldThreadsPage } from '@lib/store/deletions/old-threads';
import { createPool } from '@lib/store/postgres/pool';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { openStore, type Store } from '@lib/store/store';
import { verifyHistories } from '../../src/audit/verify-histories';
import { Retention, RETENTION_ACTOR } from '../../src/saga/retention';
import { eventually } from '../messaging/eventually';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, eventTypes, onJob, pursue } from '../support/streams';

let test: TestStore;
let store: Store;
beforeEach(async () => {
  test = await createTestStore();
  ({ store } = test);
});
afterEach(async () => {
  expect((await verifyHistories(store.pool, {}, () => undefined)).faults).toEqual([]);
  await test.close();
});

const logger = pino({ level: 'silent' });
const retention = (from: ConstructorParameters<typeof Retention>[0] = store, days = 30) => new Retention(from, days, logger);

async function ended() {
  const job = await createJob(store);
  for (const stepId of job.stepIds) await onJob(store, job.jobId, start(stepId), report(stepId, 1, success()));
  await onJob(store, job.jobId, complete);
  return job;
}

/** Just after whatever has been recorded so far. */
async function now(): Promise<Date> {
  const { rows } = await store.pool.query<{ at: string }>(`select max(meta ->> 'occurredAt') as at from event`);
  const at = new Date(Date.parse((rows as [{ at: string }])[0].at) + 1);
  // What comes next is recorded later.
  await store.pool.query(`select pg_sleep_until($1::timestamptz + interval '2 milliseconds')`, [at]);
  return at;
}

const threads = async () => (await store.pool.query<{ id: string }>('select id from thread order by id')).rows.map(({ id }) => id);

it('deletes as a DELETE would what nothing has happened to, and nothing else', async () => {
  const [old, open] = [await ended(), await createJob(store)];
  const before = await now();
  const young = await ended();
  const written = await ended();
  expect(await retention().retire(before)).toBe(1);
  expect(await threads()).toEqual([open.threadId, young.threadId, written.threadId].sort());
  expect((await eventTypes(store, old.threadId)).at(-1)).toBe('ThreadDeleted');
  expect((await eventTypes(store, old.jobId)).at(-1)).toBe('ContentErased');
  const { rows } = await store.pool.query(
    `select meta ->> 'actor' as actor, meta ->> 'correlationId' as why, (select count(*)::int from event where stream_id = any ($2) and sealed is not null) as sealed,
      (select count(*)::int from thread_key where thread_id = $1) as keys
      from event where stream_id = $1 and type = 'ThreadDeleted'`,
    [old.threadId, [old.threadId, old.jobId]],
  );
  expect(rows).toEqual([{ actor: RETENTION_ACTOR, why: 'unused for 30 days', sealed: 0, keys: 0 }]);
  expect(await retention().retire(before)).toBe(0);
});

it('keeps a thread that is used while it is being retired: a message, a job, and one whose job ended late', async () => {
  const [asked, pursued, untouched] = [await ended(), await ended(), await ended()];
  const before = await now();
  // Between the look and the deletion.
  const used: Pick<Store, 'pool' | 'threads' | 'erasure'> = {
    pool: store.pool,
    erasure: store.erasure,
    threads: new Proxy(store.threads, {
      get: (threads, name) =>
        name === 'delete'
          ? async (...parameters: Parameters<Store['threads']['delete']>) => {
              if (parameters[0] === asked.threadId) await addMessage(test.another(), asked.threadId);
              if (parameters[0] === pursued.threadId) await pursue(test.another(), pursued.threadId, pursued.jobId);
              await threads.delete(...parameters);
            }
          : (threads[name as keyof typeof threads] as unknown),
    }),
  };
  expect(await retention(used).retire(before)).toBe(1);
  expect(await threads()).toEqual([asked.threadId, pursued.threadId].sort());
  expect(await threads()).not.toContain(untouched.threadId);
  expect(await retention().retire(before)).toBe(0);
});

it('does so by itself once it was started, and ends when it is stopped', async () => {
  const { threadId } = await ended();
  const open = await createJob(store);
  const logged: { reason: string; threads?: number }[] = [];
  const telling = pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  const stop = new Retention(store, 1e-9, telling).start();
  await eventually(open.threadId, async () => (await threads()).join(), 30_000);
  await stop();
  expect(logged).toMatchObject([{ reason: 'threads_retired', threads: 1, days: 1e-9 }]);
  let asked = 0;
  const counting = Object.create(store.pool) as Store['pool'];
  counting.query = ((...given: Parameters<Store['pool']['query']>) => {
    asked += 1;
    return store.pool.query(...given);
  }) as Store['pool']['query'];
  const young = await ended();
  const stopIdle = new Retention({ pool: counting, threads: store.threads, erasure: store.erasure }, 1, telling).start();
  await eventually(true, async () => asked > 1);
  await stopIdle();
  expect(logged).toHaveLength(1);
  expect(await threads()).toContain(young.threadId);
  expect((await eventTypes(store, threadId)).at(-1)).toBe('ThreadDeleted');
});

it('deletes what it has begun with when it is stopped, and no more', async () => {
  await ended();
  await ended();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Pick<Store, 'pool' | 'threads' | 'erasure'> = {
    ...{ pool: store.pool, erasure: store.erasure },
    threads: new Proxy(store.threads, {
      get:
        (deleting) =>
        async (...parameters: Parameters<Store['threads']['delete']>) => {
          begun.resolve();
          await goOn.promise;
          await deleting.delete(...parameters);
        },
    }),
  };
  const stop = retention(slow, 1e-9).start();
  await begun.promise;
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await store.pool.query('select 1');
  expect(hasStopped).toBe(false);
  goOn.resolve();
  await stopped;
  expect(await threads()).toHaveLength(1);
});

it('tells the webhooks of the tenant that the thread was deleted', async () => {
  const { threadId } = await ended();
  const url = 'https://receiver.example.org/told';
  await store.pool.query('insert into tenant (id) values ($1) on conflict do nothing', [TENANT]);
  const changes = await store.webhooks.changes();
  await changes.create(TENANT, { url, description: '', eventTypes: ['thread.deleted'], enabled: true }, null);
  expect(await retention().retire(await now())).toBe(1);
  const { rows } = await store.pool.query<{ payload: string }>('select to_jsonb(webhook_delivery)::text as payload from webhook_delivery');
  expect(rows.map(({ payload }) => payload)).toEqual([expect.stringContaining(threadId)]);
});

it('believes the history and not a row that has drifted', async () => {
  const { threadId } = await ended();
  const { threadId: open, jobId } = await createJob(store);
  await store.pool.query(`update thread set created_at = '2020-01-01', updated_at = '2020-01-01'`);
  await store.pool.query(`update job set status = 'completed', completed_at = '2020-01-01' where id = $1`, [jobId]);
  expect(await retention().retire(new Date('2021-01-01'))).toBe(0);
  expect(await threads()).toEqual([threadId, open].sort());
  for (const id of [threadId, open, jobId]) await store.viewRepair.repair(id, [], () => undefined);
});

it('goes on behind a thread whose history nobody here can read, and says which one that is', async () => {
  const [first, second, third] = [await ended(), await ended(), await ended()].map(({ threadId }) => threadId).sort() as [
    string,
    string,
    string,
  ];
  const before = await now();
  const writtenBy = (builds: string) =>
    store.pool
      .query(`alter table event disable trigger user; update event set schema_version = schema_version ${builds} where stream_id = '${first}';
      alter table event enable trigger user`);
  await writtenBy('+ 90');
  // What sums up the history is of an earlier build, and not used.
  await store.pool.query('update thread set shape = 0 where id = $1', [first]);
  const logged: string[] = [];
  const telling = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  expect(await new Retention(test.another(), 30, telling).retire(before)).toBe(2);
  expect(logged).toEqual([expect.stringContaining(`"reason":"thread_not_retired","threadId":"${first}"`)]);
  for (const threadId of [second, third]) expect((await eventTypes(store, threadId)).at(-1)).toBe('ThreadDeleted');
  await writtenBy('- 90');
  expect(await retention().retire(before)).toBe(1);
});

it('goes on behind a thread that takes too long to look at, and says which one that is', async () => {
  const all: string[] = [];
  for (let count = 0; count < 7; count += 1) all.push((await ended()).threadId);
  const slow = all.toSorted()[3] as string;
  // Whoever looks for tables there first waits at each event of that thread.
  await store.pool.query(`create schema slow; create view slow.event as select * from public.event
    where case when stream_id = '${slow}' then pg_sleep(60) is not null else true end`);
  const url = new URL(test.databaseUrl);
  url.searchParams.set('options', '-c search_path=slow,public');
  const looking = createPool(url.href, 1, 250);
  const logged: string[] = [];
  const telling = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  expect(await new Retention({ ...store, pool: looking }, 30, telling).retire(await now())).toBe(6);
  expect(logged).toEqual([expect.stringContaining(`"reason":"thread_not_examined","threadId":"${slow}"`)]);
  expect(await threads()).toEqual([slow]);
  await looking.end();
  await store.pool.query('drop schema slow cascade');
});

it('ends its round where the database cannot be reached', async () => {
  await ended();
  await ended();
  let tried = 0;
  const away: Pick<Store, 'pool' | 'threads' | 'erasure'> = {
    ...{ pool: store.pool, erasure: store.erasure },
    threads: new Proxy(store.threads, {
      get: () => () => {
        tried += 1;
        return Promise.reject(new StoreUnavailable(new Error('gone')));
      },
    }),
  };
  await expect(retention(away).retire(await now())).rejects.toThrow(StoreUnavailable);
  expect(tried).toBe(1);
});

it('is done by several processes at once, each thread once', async () => {
  for (let count = 0; count < 5; count += 1) await ended();
  const before = await now();
  const counts = await Promise.all([store, test.another(), test.another()].map((from) => retention(from).retire(before)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  const { rows } = await store.pool.query<{ count: number }>(`select count(*)::int as count from event where type = 'ThreadDeleted'`);
  expect(rows).toEqual([{ count: 5 }]);
  expect(await threads()).toEqual([]);
});

it('that ends between the deletion and the rest of the erasure leaves it to whoever looks at the agenda next', async () => {
  const { threadId, jobId } = await ended();
  const before = await now();
  const dies: Pick<Store, 'pool' | 'threads' | 'erasure'> = {
    pool: store.pool,
    threads: store.threads,
    erasure: new Proxy(store.erasure, { get: () => () => Promise.reject(new Error('the process ended')) }),
  };
  await expect(retention(dies).retire(before)).rejects.toThrow('the process ended');
  expect((await eventTypes(store, threadId)).at(-1)).toBe('ThreadDeleted');
  const due = await store.agenda.takeDue(['erase thread'], 10, 60_000).then((rows) => rows.map(({ jobId: id }) => id));
  await store.pool.query('update agenda set look_at = now()');
  expect([...due, ...(await store.agenda.takeDue(['erase thread'], 10, 60_000)).map(({ jobId: id }) => id)]).toContain(threadId);
  await test.another().erasure.erase(threadId);
  expect((await eventTypes(store, jobId)).at(-1)).toBe('ContentErased');
});

it('is listed before it is done, and taken back where the thread was used meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'research-retention-'));
  const listing = openStore({
    ...{ databaseUrl: test.databaseUrl, connections: 3, masterKeys: [test.masterKey], leaseMs: 30_000, redispatchFirstMs: 10_000 },
    deletionList: folder,
  });
  const [old, used] = [await ended(), await ended()];
  const before = await now();
  expect(await retention(listing).retire(before)).toBe(2);
  const { threadId } = await ended();
  await expect(listing.threads.delete(threadId, TENANT, META, { ifVersion: 1 })).rejects.toMatchObject({ code: 'conflict' });
  const listed: string[] = [];
  for await (const deletion of readDeletions(folder)) listed.push(deletion.threadId);
  expect(listed.sort()).toEqual([old.threadId, used.threadId].sort());
  await listing.close();
  rmSync(folder, { recursive: true });
});

it('looks at every thread, a page after the other, and ends at those that were created later', async () => {
  for (let count = 0; count < 3; count += 1) await ended();
  const before = await now();
  await ended();
  const found: string[] = [];
  let pages = 0;
  for (let after: string | null = ''; after !== null; pages += 1) {
    const page: OldThreadsPage = await oldThreads(store.pool, after, before, 1);
    found.push(...page.old.map(({ threadId }) => threadId));
    after = page.next;
  }
  expect({ pages, found: found.length }).toEqual({ pages: 4, found: 3 });
});
