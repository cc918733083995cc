import { differenceText, type ViewDifference } from '@lib/store/repair/view-row';
import { setLimits } from '@lib/store/limits/tenant-limits';
import { openStore, type Store } from '@lib/store/store';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { createSeparatedDatabase } from '../support/separated-roles';
import { addMessage, deleteThread, onJob } from '../support/streams';

let test: TestStore;
let store: Store;
let open: { threadId: string; jobId: string; stepIds: string[] };
let completed: typeof open;

/** A thread with messages and an open job with a running and a waiting step and a run, one that completed, one of which only the skeleton is left, and limits. */
beforeAll(async () => {
  test = await createTestStore();
  ({ store } = test);
  open = await createJob(store, { candidates: [candidate('provider-a'), candidate('provider-b'), candidate('provider-c')] });
  const [running = '', ,] = open.stepIds;
  await onJob(store, open.jobId, start(running), { type: 'RecordExternalId', stepId: running, attempt: 1, externalId: 'run-1' });
  await addMessage(store, open.threadId);
  completed = await createJob(store);
  for (const stepId of completed.stepIds) await onJob(store, completed.jobId, start(stepId), report(stepId, 1, success()));
  await onJob(store, completed.jobId, complete);
  await deleteThread(store, (await createJob(store)).threadId);
  await setLimits(store.pool, { tenantId: TENANT, changes: { openJobs: 10 } }, META);
});
afterAll(() => test.close());

const compare = async (from = store): Promise<ViewDifference[]> => {
  const found: ViewDifference[] = [];
  for await (const { differences } of from.viewRepair.compare()) found.push(...differences);
  return found;
};

/** As somebody who owns the database changes what nobody may change. */
async function withoutTriggers(statement: string, values: unknown[]): Promise<void> {
  const client = await store.pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(statement, values);
    await client.query('set session_replication_role = origin');
  } finally {
    client.release();
  }
}

/** As the command does it. @returns what is left */
async function rebuild({ viewRepair } = store): Promise<string[]> {
  const left: string[] = [];
  for await (const { differences } of viewRepair.compare())
    for (const [streamId, found] of Map.groupBy(differences, (one) => one.streamId))
      for (const [difference, why] of await viewRepair.repair(streamId, found, () => undefined))
        left.push(`${differenceText(difference)}; ${why}`);
  return left;
}

const served = async (): Promise<string> => String(await test.another().views.getJob(TENANT, completed.threadId, completed.jobId));

/** When a row is looked at next, how often it was tried, and who is at it, no history says; a summary of another shape is another build's. */
const NOT_OF_HISTORY: Record<string, readonly string[]> = {
  thread: ['shape'],
  agenda: ['due_at', 'look_at', 'tries', 'sealed_run', 'waiting', 'gives_up_at', 'taken_at'],
};
const KEYS = { thread: ['id'], message: ['id'], job: ['id'], agenda: ['job_id', 'kind', 'ref'], tenant_limit: ['tenant_id', 'key_id'] };

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await store.pool.query<{ name: string; type: string }>(
    `select attname as name, atttypid::regtype::text as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows.filter(({ name }) => !NOT_OF_HISTORY[table]?.includes(name));
}

/** Another value than any history leads to. */
function another(column: string, type: string): string {
  if (type === 'timestamp with time zone') return `coalesce(${column}, now()) + interval '1 millisecond'`;
  if (type === 'integer') return `coalesce(${column}, 0) + 70`;
  if (type === 'jsonb') return column === 'limits' ? `'{"openJobs": 1000}'` : `jsonb_build_array(${column})`;
  if (type === 'bytea') return `'\\x00'`;
  return `coalesce(${column}, '') || 'x'`;
}

const rowsOf = async (table: string): Promise<unknown[]> => {
  const names = (await columnsOf(table)).map(({ name }) => name).filter((name) => name !== 'document');
  return (await store.pool.query(`select ${names.join(', ')} from ${table} order by ${names.join(', ')}`)).rows as unknown[];
};
const allRows = async (): Promise<Record<string, unknown[]>> =>
  Object.fromEntries(await Promise.all(Object.keys(KEYS).map(async (table) => [table, await rowsOf(table)] as const)));

describe('drift', () => {
  let before: unknown;
  let answer: string;
  beforeAll(async () => {
    expect(await compare()).toEqual([]);
    before = await allRows();
    answer = await served();
  });

  it.each(Object.keys(KEYS))('in any column of the first and the last row of %s is found, named, and repaired', async (table) => {
    const columns = await columnsOf(table);
    expect(columns.length).toBeGreaterThan(2);
    for (const { name, type } of columns) {
      const { rows } = await store.pool.query<{ place: string }>(`select ctid::text as place from ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      for (const place of new Set([0, rows.length - 1])) {
        const nth = `(select ctid from ${table} order by ${KEYS[table as keyof typeof KEYS].join(', ')} offset ${place} limit 1)`;
        await store.pool.query(`update ${table} set ${name} = ${another(name, type)} where ctid = ${nth}`);
        const found = await compare();
        expect({ name, place, found: found.length > 0 }).toEqual({ name, place, found: true });
        expect({ name, left: await rebuild() }).toEqual({ name, left: [] });
        expect(await compare()).toEqual([]);
      }
      expect(await allRows()).toEqual(before);
      expect(await served()).toBe(answer);
    }
  });

  it.each(Object.keys(KEYS))('of missing rows of %s is found and repaired', async (table) => {
    await store.pool.query(`delete from ${table}`);
    expect((await compare()).length).toBeGreaterThan(0);
    expect(await rebuild()).toEqual([]);
    expect(await allRows()).toEqual(before);
    expect(await served()).toBe(answer);
  });

  it('of messages whose versions were swapped is repaired, though no two may have one', async () => {
    await store.pool.query(`update message set version = version + 1000 where thread_id = $1`, [open.threadId]);
    await store.pool.query(`update message set version = case version when 1002 then 4 else 2 end where thread_id = $1`, [open.threadId]);
    expect(await rebuild()).toEqual([]);
    expect(await allRows()).toEqual(before);
  });

  it('of rows that no history tells of is removed', async () => {
    await store.pool.query(`insert into job select 'job_none', tenant_id, 'thr_none', null, version, status, budget_tier, budget_cap_cents,
      created_at, completed_at, cost_cents, steps, null from job limit 1`);
    // More than are looked at together.
    await store.pool.query(`insert into agenda (job_id, kind, ref, due_at, look_at)
      select 'job_none', 'retry', 'x' || n, now(), now() from generate_series(1, 200) as n`);
    expect(await rebuild()).toEqual([]);
    expect(await allRows()).toEqual(before);
  });
});

it('names view, row, column and both values, and no content', async () => {
  await store.pool.query('update job set cost_cents = 7, document = $2 where id = $1', [completed.jobId, Buffer.from('a canary')]);
  const lines = (await compare()).map(differenceText);
  expect(lines).toEqual([
    `job ${completed.jobId} costCents: the history says 0, stored is 7`,
    `job ${completed.jobId} document: the history says "sealed", stored is "cannot be opened"`,
  ]);
  expect(await rebuild()).toEqual([]);
});

describe("a thread's key", () => {
  const REMEDY = 'put the row of thread_key back from a backup';

  /** Whether or not the thread has an open job. The key is not in the memory of whoever compares, and if it is, that is not asked. */
  it.each([
    ['was changed', `update thread_key set wrapped = set_byte(wrapped, length(wrapped) - 1, 255 - get_byte(wrapped, length(wrapped) - 1))`],
    ['is said to be wrapped under another master key', `update thread_key set kek_id = 'another'`],
    [
      'was put in the place of another',
      `update thread_key set wrapped = (select wrapped from thread_key as other where other.thread_id <> $1 limit 1)`,
    ],
    ['is not even long enough', `update thread_key set wrapped = 'short'`],
    ['was removed', 'delete from thread_key'],
  ])('that %s is found, and told to whoever repairs', async (_, change) => {
    expect(await compare()).toEqual([]);
    for (const { threadId } of [open, completed]) {
      const { rows } = await store.pool.query<Record<string, unknown>>('select * from thread_key where thread_id = $1', [threadId]);
      await store.pool.query(`${change} where thread_id = $1`, [threadId]);
      for (const from of [store, test.another()]) {
        const found = (await compare(from)).filter(({ streamId }) => streamId === threadId);
        expect(found).toEqual([expect.objectContaining({ view: 'thread key', key: threadId })]);
      }
      expect(await rebuild()).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^thread key ${threadId}.*${REMEDY}`))]));
      await store.pool.query('delete from thread_key where thread_id = $1', [threadId]);
      await store.pool.query('insert into thread_key select * from jsonb_populate_record(null::thread_key, $1)', [
        { ...rows[0], wrapped: `\\x${(rows[0]?.wrapped as Buffer).toString('hex')}` },
      ]);
      expect(await rebuild()).toEqual([]);
    }
    expect(await compare()).toEqual([]);
  });

  it('that was given to another tenant is found, and given back', async () => {
    await store.pool.query(`update thread_key set tenant_id = 'another' where thread_id = $1`, [completed.threadId]);
    expect((await compare()).map(differenceText)).toEqual([
      `thread key ${completed.threadId} tenantId: the history says "${TENANT}", stored is "another"`,
    ]);
    expect(await rebuild()).toEqual([]);
    expect(await compare()).toEqual([]);
  });

  it('that nobody can open does not keep its thread from being deleted', async () => {
    const { threadId } = await createJob(store);
    await store.pool.query(`update thread_key set wrapped = 'short' where thread_id = $1`, [threadId]);
    await deleteThread(test.another(), threadId);
    expect(await compare()).toEqual([]);
  });

  it('that came back after its thread was deleted is found', async () => {
    const { threadId } = await createJob(store);
    await deleteThread(store, threadId);
    await store.pool.query(`insert into thread_key select $1, kek_id, wrapped, tenant_id from thread_key limit 1`, [threadId]);
    expect((await compare()).map(({ view, key }) => `${view} ${key}`)).toEqual([`thread key ${threadId}`]);
    await store.pool.query('delete from thread_key where thread_id = $1', [threadId]);
    expect(await compare()).toEqual([]);
  });

  it('of an earlier build, which names no tenant, is as it should be', async () => {
    await store.pool.query('update thread_key set tenant_id = null where thread_id = $1', [open.threadId]);
    expect(await compare()).toEqual([]);
    await store.pool.query('update thread_key set tenant_id = $2 where thread_id = $1', [open.threadId, TENANT]);
  });
});

it('keeps what is left of a stream of which the log says that it had events', async () => {
  const { jobId, threadId } = await createJob(store);
  await store.pool.query(`insert into log_entry (index, stream_id, version, leaf_hash) values (0, $1, 1, '')`, [jobId]);
  await withoutTriggers('delete from event where stream_id = any ($1)', [[jobId, threadId]]);
  const left = await rebuild();
  expect(left.join('\n')).toContain('`research verify` names it');
  expect((await store.pool.query('select from job where id = $1', [jobId])).rowCount).toBe(1);
  expect((await store.pool.query('select from thread where id = $1', [threadId])).rowCount).toBe(0);
  await store.pool.query('delete from log_entry');
  expect(await rebuild()).toEqual([]);
});

it('puts the erasure of a deleted thread back on the agenda, whatever is left of it', async () => {
  const { threadId, jobId } = await createJob(store);
  await store.threads.delete(threadId, TENANT, META);
  await store.pool.query('delete from agenda where job_id = $1', [threadId]);
  expect((await compare()).map(differenceText).join('\n')).toContain(`agenda ${threadId} erase thread/`);
  expect(await rebuild()).toEqual([]);
  await store.erasure.erase(threadId);
  expect((await store.jobs.load(jobId)).erased).toBe(true);
  expect(await compare()).toEqual([]);
});

it('leaves a history that cannot be folded alone, names it, and looks at the others', async () => {
  const [broken, other] = [await createJob(store), await createJob(store)];
  await onJob(store, broken.jobId, start(broken.stepIds[0] ?? ''));
  const second = `where stream_id = $1 and version = 2`;
  await withoutTriggers(`update event set type = 'Unheard' ${second}`, [broken.jobId]);
  await store.pool.query('update job set cost_cents = 9 where id = any ($1)', [[broken.jobId, other.jobId]]);
  const failed: string[] = [];
  const found: string[] = [];
  for await (const { failures, differences } of store.viewRepair.compare()) {
    failed.push(...failures.keys());
    found.push(...differences.map(differenceText));
  }
  expect({ failed, found }).toEqual({ failed: [broken.jobId], found: [`job ${other.jobId} costCents: the history says 0, stored is 9`] });
  // As for whoever finds it so only when repairing.
  const difference = { view: 'job', key: broken.jobId, streamId: broken.jobId, column: 'costCents', expected: 0, stored: 9 } as const;
  const left = await store.viewRepair.repair(broken.jobId, [difference], () => undefined);
  expect(left).toEqual([[difference, expect.stringMatching(/^its history cannot be folded: .*Unheard/)]]);
  await withoutTriggers(`update event set type = 'StepStarted' ${second}`, [broken.jobId]);
  expect(await rebuild()).toEqual([]);
});

it('is done by a plain owner whose tables have forced policies, and leaves these, the grants and the indexes as they were', async () => {
  const database = await createSeparatedDatabase();
  const settings = { connections: 3, masterKeys: [test.masterKey], leaseMs: 30_000, redispatchFirstMs: 10_000 };
  const [owner, service] = [database.url, database.urls.service].map((databaseUrl) => openStore({ ...settings, databaseUrl })) as [
    Store,
    Store,
  ];
  const catalogue = async () =>
    (
      await owner.pool.query(`select relname, relacl::text, relrowsecurity, relforcerowsecurity, relfilenode from pg_class
        where relnamespace = current_schema()::regnamespace order by relname`)
    ).rows as unknown[];
  const { jobId } = await createJob(service);
  const before = await catalogue();
  await owner.pool.query(`delete from agenda where job_id = $1`, [jobId]);
  await owner.pool.query(`update job set tenant_id = 'another', status = 'failed' where id = $1`, [jobId]);
  expect(await compare(owner)).toHaveLength(5);
  expect(await rebuild(owner)).toEqual([]);
  expect(await compare(owner)).toEqual([]);
  expect(await catalogue()).toEqual(before);
  await Promise.all([owner.close(), service.close()]);
  await database.drop();
});
