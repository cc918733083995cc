import { openStore, type Store } from '@lib/store/store';
import { complete, failure, report, start, success } from '../support/job-history';
import { preparedAccesses, type TableAccess } from '../support/plans';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, loseAttempt, onJob, pursue, readThread } from '../support/streams';

const GROWN = 20_000;

let test: TestStore;
/** Each has one connection, which therefore prepares every statement. The reader remembers nothing. */
let store: Store;
let reader: Store;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: 1 });
  await grow(test.store);
  const { databaseUrl, masterKey } = test;
  const open = () => openStore({ databaseUrl, masterKeys: [masterKey], connections: 1, leaseMs: 1, redispatchFirstMs: 1 });
  [store, reader] = [open(), open()];
});
afterAll(async () => {
  await Promise.all([store.close(), reader.close()]);
  await test.close();
});

/** Tables as they are after a while. */
async function grow({ pool }: Store): Promise<void> {
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  const series = `from generate_series(1, ${GROWN}) as n`;
  const at = `now() - n * interval '1 second'`;
  await pool.query(`insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
    select ${id('job')}, version, ${id('evt')} || version, 'StepStarted', 1, '{}', '{}', '', '' ${series}, generate_series(1, 4) as version`);
  await pool.query(`insert into thread_key select ${id('thr')}, 'kek', '' ${series}`);
  await pool.query(`insert into thread select ${id('thr')}, 'tenant-' || n % 50, ${at}, ${at} ${series}`);
  await pool.query(`insert into message select ${id('msg')}, 'tenant', ${id('thr')}, 2, 'user', ${at} ${series}`);
  await pool.query(
    `insert into job select ${id('job')}, 'tenant', ${id('thr')}, null, 4, 'running', 'M', 1500, ${at}, null, 0, '[]' ${series}`,
  );
  await pool.query(`insert into agenda select ${id('job')}, kind, 'ref', 'step', 1, 'provider-a', now() + interval '1 hour', now() + interval '1 hour'
    ${series}, unnest(array['dispatch step', 'retry', 'lease', 'job deadline']) as kind`);
  await pool.query('analyze');
}

/** Everything that happens to jobs, in batches of every composition that occurs. */
async function work(): Promise<void> {
  const jobs = await Promise.all(Array.from({ length: 4 }, () => createJob(store)));
  const [done, lost, deleted, open] = jobs as [Job, Job, Job, Job];
  for (const { jobId, stepIds } of jobs) await onJob(store, jobId, start(stepIds[0] ?? ''));
  for (const { jobId, stepIds } of jobs) await onJob(store, jobId, start(stepIds[1] ?? ''));
  await onJob(store, done.jobId, report(done.stepIds[0] ?? '', 1, success()));
  await onJob(store, done.jobId, report(done.stepIds[1] ?? '', 1, failure({ errorClass: 'auth' })));
  await store.agenda.beginSynthesis(done.jobId);
  await store.agenda.takeTurn(done.jobId, '');
  await store.agenda.keepTaken(done.jobId);
  await store.agenda.beginSynthesisDeadline(done.jobId, 1000);
  await onJob(store, done.jobId, complete);
  await store.agenda.renewLeases([{ jobId: open.jobId, stepId: open.stepIds[0] ?? '', attempt: 1, leaseMs: 1 }]);
  await store.agenda.takeDue(['dispatch step', 'retry'], 100, 1000);
  await store.agenda.takeExpired(100, 1000);
  await store.agenda.wakeDispatches();
  await loseAttempt(store, lost.jobId, lost.stepIds[0] ?? '', 1);
  await addMessage(store, open.threadId);
  await pursue(store, open.threadId, open.jobId);
  await Promise.all([
    createJob(store),
    addMessage(store, open.threadId),
    onJob(store, lost.jobId, report(lost.stepIds[1] ?? '', 1, success())),
  ]);
  await deleteThread(store, deleted.threadId);
  const jobsOf = ({ views }: Store) => [done, open].map(({ threadId, jobId }) => views.getJob(TENANT, threadId, jobId));
  await Promise.all([...jobsOf(store), ...jobsOf(reader), readThread(reader.views, done.threadId)]);
}

type Job = Awaited<ReturnType<typeof createJob>>;

const shown = ({ statement, node, table }: TableAccess): string => `${statement}: ${node} on ${table}`;

it('every statement of the write path and the hot reads finds its rows by key, on tables that have grown', async () => {
  await work();
  const accesses = [...(await preparedAccesses(store.pool)), ...(await preparedAccesses(reader.pool))];
  const statements = new Set(accesses.map(({ statement }) => statement));
  expect([...statements]).toEqual(
    expect.arrayContaining(['load', 'contents', 'thread_keys', 'jobs', 'agenda_take', 'agenda_take_expired', 'agenda_renew']),
  );
  expect([...statements].filter((name) => name.startsWith('append_')).length).toBeGreaterThan(5);
  for (const table of ['event', 'job', 'thread', 'thread_key', 'agenda']) expect(accesses.map((access) => access.table)).toContain(table);
  expect(accesses.filter(({ node }) => !node.startsWith('Index')).map(shown)).toEqual([]);
  expect(accesses.filter(({ byKey }) => !byKey).map(shown)).toEqual([]);
});
