import type { Store } from '@lib/store/store';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { deleteThread, onJob } from '../support/streams';

let test: TestStore;
let store: Store;
let jobId: string;
let threadId: string;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  const job = await createJob(store);
  ({ jobId, threadId } = job);
  for (const stepId of job.stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
  await onJob(store, jobId, complete);
});
afterAll(() => test.close());

/** The SQLSTATE with which the statement is refused. */
async function refusedWith(statement: string, values: unknown[] = []): Promise<string> {
  try {
    await store.pool.query(statement, values);
    return 'not refused';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Copies the job's last event, its final one, with some columns changed. */
const copy = (changes: Record<string, string>): string => {
  const columns = ['stream_id', 'version', 'event_id', 'type', 'schema_version', 'facts', 'meta', 'prev_hash', 'hash'];
  const selected = columns.map((column) => changes[column] ?? column);
  return `insert into event (${columns.join(', ')}) select ${selected.join(', ')} from event where stream_id = $1 order by version desc limit 1`;
};

const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const EVENTS_ARE_INSERT_ONLY = 'RT003';

describe('the event table', () => {
  it.each(['JobCompleted', 'JobFailed', 'JobCancelled'])('takes no second final event: %s', async (type) => {
    const insert = copy({ version: 'version + 1', event_id: `'evt_second'`, type: `'${type}'` });
    expect(await refusedWith(insert, [jobId])).toBe(UNIQUE_VIOLATION);
  });

  it('takes no second event of a version, of an id, and none before the first', async () => {
    const type = `'StepResultLate'`;
    expect(await refusedWith(copy({ event_id: `'evt_other'`, type }), [jobId])).toBe(UNIQUE_VIOLATION);
    expect(await refusedWith(copy({ version: 'version + 1', type }), [jobId])).toBe(UNIQUE_VIOLATION);
    expect(await refusedWith(copy({ version: '0', event_id: `'evt_zero'`, type }), [jobId])).toBe(CHECK_VIOLATION);
  });

  it.each([
    'update event set type = type',
    'update event set sealed = null',
    `update event set facts = '{}' where false`,
    'delete from event',
    'truncate event',
    'truncate event, job cascade',
  ])('refuses its owner: %s', async (statement) => {
    expect(await refusedWith(statement)).toBe(EVENTS_ARE_INSERT_ONLY);
  });

  it.each(['delete from event', 'truncate event', `update event set facts = '{}'`, `update event set sealed = 'x'`])(
    'refuses also what claims to be an erasure and is none: %s',
    async (statement) => {
      const client = await store.pool.connect();
      try {
        await client.query(`set research_threads.erasing = 'on'`);
        const refused = client.query(statement).then(
          () => 'not refused',
          (error: { code: string }) => error.code,
        );
        expect(await refused).toBe(EVENTS_ARE_INSERT_ONLY);
      } finally {
        client.release(true);
      }
    },
  );

  it('keeps every event of a deleted thread, without its sealed bytes', async () => {
    const job = await createJob(store);
    await deleteThread(store, job.threadId);
    const { rows } = await store.pool.query<{ type: string; sealed: Buffer | null; digest: Buffer | null }>(
      'select type, sealed, sealed_sha256 as digest from event where stream_id = any ($1) order by stream_id, version',
      [[job.threadId, job.jobId]],
    );
    expect(rows).toHaveLength(9);
    expect(rows.filter(({ sealed }) => sealed !== null)).toEqual([]);
    expect(rows.filter(({ digest }) => digest !== null).map(({ type }) => type)).toEqual(['JobRequested', 'ThreadCreated', 'MessageAdded']);
    for (const table of ['thread', 'message', 'job', 'thread_key']) {
      const column = { thread: 'id', message: 'thread_id', job: 'thread_id', thread_key: 'thread_id' }[table];
      const left = await store.pool.query(`select 1 from ${table} where ${column} = $1`, [job.threadId]);
      expect([table, left.rowCount]).toEqual([table, 0]);
    }
  });

  it('leaves other threads alone', async () => {
    const { rows } = await store.pool.query('select 1 from event where stream_id = any ($1) and sealed is not null', [[jobId, threadId]]);
    expect(rows.length).toBeGreaterThan(0);
  });
});

it('the agenda, whose rows move all the time, is vacuumed after so many of them, however many it has', async () => {
  const { rows } = await store.pool.query<{ option: string }>(
    `select unnest(reloptions) as option from pg_class where oid = 'agenda'::regclass order by 1`,
  );
  const options = rows.map(({ option }) => option);
  expect(options).toEqual(
    expect.arrayContaining([
      'autovacuum_vacuum_cost_delay=0',
      'autovacuum_vacuum_scale_factor=0',
      'autovacuum_vacuum_threshold=2000',
      'fillfactor=70',
    ]),
  );
});
