import type { Store } from '@lib/store/store';
import { complete, failure, report, start, success } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, jobState, onJob, pursue } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
});
afterAll(() => test.close());

const differences = async () => (await viewDifferences(store.pool, LEASE_MS)).differences;

interface ServedJob {
  status: string;
  totalCustomerCostCents: number;
  steps: {
    id: string;
    status: string;
    reportMarkdown: string;
    errorMessage: string | null;
    completedAt: string;
    durationSeconds: number;
  }[];
}
const served = async (threadId: string, jobId: string, from = store): Promise<ServedJob> =>
  JSON.parse(String(await from.views.getJob(TENANT, threadId, jobId))) as ServedJob;

describe('a job that this process has read before', () => {
  it('is read as another process left it, and is gone for everybody else and once its thread is deleted', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    const reader = test.another();
    const statuses: unknown[] = [];
    const look = async () => statuses.push((await served(threadId, jobId, reader)).status);
    await look();
    await onJob(store, jobId, start(one), start(two));
    await look();
    await onJob(store, jobId, report(one, 1, success()), report(two, 1, success()), complete);
    await look();
    expect(statuses).toEqual(['pending', 'running', 'completed']);
    const place = { tenantId: TENANT, threadId, jobId };
    const newest = await reader.views.readJob(place);
    // Whoever has this version is told what lists say of it, and not the job again.
    expect(await reader.views.readJob({ ...place, knownVersion: newest?.version })).toEqual({ ...newest, json: null });
    expect(await reader.views.getJob('tenant-two', threadId, jobId)).toBeNull();
    expect(await reader.views.getJob(TENANT, (await createJob(store)).threadId, jobId)).toBeNull();
    await deleteThread(store, threadId);
    expect(await reader.views.getJob(TENANT, threadId, jobId)).toBeNull();
  });

  it('that cannot be opened keeps no other closed that is read at the same time', async () => {
    const [sound, broken] = [await createJob(store), await createJob(store)];
    for (const { jobId, stepIds } of [sound, broken])
      await onJob(store, jobId, ...stepIds.map((id) => start(id)), ...stepIds.map((id) => report(id, 1, success())), complete);
    await store.pool.query(`update job set document = set_byte(document, 20, (get_byte(document, 20) + 1) % 256) where id = $1`, [
      broken.jobId,
    ]);
    const reader = test.another();
    const together = await Promise.allSettled([broken, sound].map(({ threadId, jobId }) => reader.views.getJob(TENANT, threadId, jobId)));
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await deleteThread(store, broken.threadId);
  });
});

describe('the document of a finished job', () => {
  it('says of a failed step what its provider said, also when another process finishes the job', async () => {
    const {
      threadId,
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store);
    const refused = failure({ errorClass: 'auth', errorMessage: 'The key was refused by the provider.' });
    await onJob(store, jobId, start(one), report(one, 1, refused), start(two), report(two, 1, success()));
    const other = test.another();
    await onJob(other, jobId, complete);
    const { steps } = await served(threadId, jobId);
    expect(steps).toMatchObject([
      { id: one, status: 'failed', reportMarkdown: '', errorMessage: 'The key was refused by the provider.' },
      { id: two, status: 'completed', reportMarkdown: 'So it is [1].', errorMessage: null },
    ]);
  });

  it('is there for a job that failed or was cancelled, with a reason for every step', async () => {
    const failed = await createJob(store);
    await onJob(store, failed.jobId, { type: 'ReachDeadline', phase: 'queue' });
    const cancelled = await createJob(store);
    await onJob(store, cancelled.jobId, start(cancelled.stepIds[0] ?? ''), { type: 'CancelJob' });
    for (const { threadId, jobId } of [failed, cancelled]) {
      const { steps, totalCustomerCostCents } = await served(threadId, jobId, test.another());
      expect(totalCustomerCostCents).toBe(0);
      for (const step of steps) expect(step).toMatchObject({ errorMessage: expect.stringMatching(/\w/) as string, durationSeconds: 0 });
    }
  });

  it('is not changed by a result that comes too late', async () => {
    const {
      threadId,
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store);
    await onJob(store, jobId, start(one), start(two), report(one, 1, success()), { type: 'ReachDeadline', phase: 'running' }, complete);
    const before = await store.views.getJob(TENANT, threadId, jobId);
    await onJob(store, jobId, report(two, 1, success(900_000)));
    expect(await store.views.getJob(TENANT, threadId, jobId)).toEqual(before);
    expect((await jobState(store, jobId)).version).toBe(9);
  });
});

describe('comparing the views with the histories', () => {
  let threadId: string;
  let jobId: string;
  beforeAll(async () => {
    const job = await createJob(store);
    ({ threadId, jobId } = job);
    await onJob(store, jobId, start(job.stepIds[0] ?? ''));
    await addMessage(store, threadId);
    const deleted = await createJob(store);
    await pursue(store, deleted.threadId, deleted.jobId);
    await deleteThread(store, deleted.threadId);
  });

  it('finds nothing where nothing is wrong', async () => {
    expect(await differences()).toEqual([]);
  });

  const JOB = `from job where id = $1`;
  it.each([
    ['a status', `update job set status = 'completed' where id = $1`],
    ['a cost', `update job set cost_cents = 7 where id = $1`],
    ['the tenant of a job', `update job set tenant_id = 'another' where id = $1`],
    ['how far a step is', `update job set steps = jsonb_set(steps, '{0,status}', '"completed"') where id = $1`],
    ['a document that ought not to be there', `update job set document = 'x' where id = $1`],
    ['a job that is gone', `delete ${JOB}`],
    ['a lease that is gone', `delete from agenda where job_id = $1 and kind = 'lease'`],
    ['another attempt on a lease', `update agenda set attempt = 2 where job_id = $1 and kind = 'lease'`],
    [
      'something that nobody wants done',
      `insert into agenda select job_id, 'retry', ref, step_id, 1, provider, due_at, look_at from agenda where job_id = $1`,
    ],
    ['the tenant of a thread', `update thread set tenant_id = 'another' where id = (select thread_id ${JOB})`],
    ['when a thread was made', `update thread set created_at = created_at - interval '1 millisecond' where id = (select thread_id ${JOB})`],
    ['when a thread moved', `update thread set updated_at = updated_at + interval '1 millisecond' where id = (select thread_id ${JOB})`],
    ['how many jobs a thread has', `update thread set job_count = 7 where id = (select thread_id ${JOB})`],
    ['what a thread is summed up to', `update thread set version = 2 where id = (select thread_id ${JOB})`],
    ['a thread that is gone', `delete from thread where id = (select thread_id ${JOB})`],
    ['a message that is gone', `delete from message where thread_id = (select thread_id ${JOB}) and version = 2`],
    [
      'a message that nobody wrote',
      `insert into message select 'msg_x', tenant_id, thread_id, 99, role, created_at from message where version = 2 and thread_id = (select thread_id ${JOB})`,
    ],
  ])('finds %s', async (_, statement) => {
    const client = await store.pool.connect();
    try {
      await client.query('begin');
      const { rowCount } = await client.query(statement, [jobId]);
      expect(rowCount).toBeGreaterThan(0);
      const found = (await viewDifferences(client, LEASE_MS)).differences;
      expect(found.length).toBeGreaterThan(0);
      expect(found.join()).toMatch(new RegExp(`${jobId}|${threadId}|msg_`));
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
