import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import type { StoreAlert } from '@lib/store/alert';
import type { Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, eventTypes, onJob, passTime, refusal } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  // What somebody with all rights on the database could do, or a broken disk.
  await store.pool.query('alter table event disable trigger user');
});
afterAll(() => test.close());
beforeEach(() => store.pool.query('delete from agenda'));

const dueWithin = async (time: string) =>
  (await store.pool.query<object>('select 1 from agenda where look_at <= now() + $1::interval', [time])).rows;

type Job = Awaited<ReturnType<typeof createJob>>;

/** A process that remembers nothing, with what it tells a person. */
function anotherProcess(): { process: Store; alerts: StoreAlert[] } {
  const process = test.another();
  const alerts: StoreAlert[] = [];
  process.onAlert((alert) => alerts.push(alert));
  return { process, alerts };
}

const looked = async (process: Store): Promise<string[]> => {
  const { due: expired } = await process.agenda.takeExpired(100, 30_000);
  const waiting = await process.agenda.takeDue(AGENDA_KINDS, 100, 30_000);
  return [...expired, ...waiting].map(({ jobId }) => jobId);
};

const NO_FACTS = {
  corrupt: `update event set facts = jsonb_build_object('kept', facts) where stream_id = $1 and version = 1`,
  restore: `update event set facts = facts -> 'kept' where stream_id = $1 and version = 1`,
};
const MISSING = {
  corrupt: `update event set stream_id = 'gone ' || stream_id where stream_id = $1 and version = 2`,
  restore: `update event set stream_id = $1 where stream_id = 'gone ' || $1`,
};

describe.each([
  ['an event without its facts', NO_FACTS],
  ['a missing event', MISSING],
])('a job whose history has %s', (_, { corrupt, restore }) => {
  let job: Job;
  let jobId: string;
  beforeEach(async () => {
    job = await createJob(store);
    jobId = job.jobId;
    for (const stepId of job.stepIds) await onJob(store, jobId, start(stepId));
    await store.pool.query(corrupt, [jobId]);
  });

  it('is decided about by nobody, and keeps no other job of its batch waiting', async () => {
    const others = await Promise.all([createJob(store), createJob(store)]);
    const { process, alerts } = anotherProcess();
    const before = await eventTypes(store, jobId);
    const query = jest.spyOn(process.pool, 'query');
    const deciding = [job, ...others].map((one) => refusal(onJob(process, one.jobId, { type: 'CancelJob' })));
    expect(await Promise.all(deciding)).toEqual(['CorruptHistory', 'nothing was refused', 'nothing was refused']);
    const loads = query.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'load');
    query.mockRestore();
    // The first that arrives goes alone.
    expect([1, 2]).toContain(loads.length);
    expect(await eventTypes(store, jobId)).toEqual(before);
    expect(alerts).toEqual([expect.objectContaining({ reason: 'corrupt_history', of: jobId })]);
  });

  it('is looked at once an hour, whoever met it, and goes on when it is restored', async () => {
    await passTime(store, 3_000_000);
    const { process } = anotherProcess();
    expect(await looked(process)).toContain(jobId);
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await refusal(process.jobs.load(jobId))).toBe('CorruptHistory');
      await eventually(0, async () => (await dueWithin('50 minutes')).length);
      await passTime(store, 3_000_000);
      expect(await looked(process)).toEqual([]);
      await passTime(store, 700_000);
      expect(await looked(process)).toContain(jobId);
    }
    await store.pool.query(restore, [jobId]);
    await onJob(process, jobId, { type: 'ReachDeadline', phase: 'running' });
    expect((await eventTypes(store, jobId)).at(-1)).toBe('JobFailed');
    expect(await looked(process)).toEqual([]);
  });
});

describe('a job of which a sealed event cannot be opened', () => {
  const corrupt = `update event set sealed = 'short' where stream_id = $1 and type = 'StepCompleted'`;

  it('ends all the same: its readers hear that it cannot be opened, and read it once it is restored', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    await onJob(store, jobId, start(one), report(one, 1, success()));
    await onJob(store, jobId, start(two), report(two, 1, success()));
    const { rows } = await store.pool.query<{ sealed: Buffer; version: number }>(
      `select sealed, version from event where stream_id = $1 and type = 'StepCompleted'`,
      [jobId],
    );
    await store.pool.query(corrupt, [jobId]);
    const { process } = anotherProcess();
    await onJob(process, jobId, { type: 'ReachDeadline', phase: 'synthesis' });
    expect((await eventTypes(store, jobId)).at(-1)).toBe('JobFailed');
    expect(await looked(process)).toEqual([]);
    expect(await refusal(process.views.getJob(TENANT, threadId, jobId))).toBe('Unsealable');

    for (const { sealed, version } of rows)
      await store.pool.query('update event set sealed = $3 where stream_id = $1 and version = $2', [jobId, version, sealed]);
    const read = await process.views.getJob(TENANT, threadId, jobId);
    expect(JSON.parse(String(read))).toMatchObject({ status: 'failed', steps: [{ status: 'completed' }, { status: 'completed' }] });
  });

  it('keeps no other job of its batch from its end', async () => {
    const [broken, whole] = await Promise.all([createJob(store), createJob(store)]);
    for (const { jobId, stepIds } of [broken, whole]) {
      for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    }
    await store.pool.query(corrupt, [broken.jobId]);
    const { process } = anotherProcess();
    await Promise.all([broken, whole].map(({ jobId }) => onJob(process, jobId, complete)));
    expect((await eventTypes(store, whole.jobId)).at(-1)).toBe('JobCompleted');
    expect((await eventTypes(store, broken.jobId)).at(-1)).toBe('JobCompleted');
  });
});

it('a job of a thread whose key cannot be opened ends, and what would be sealed under the key is refused alone', async () => {
  const [broken, whole] = await Promise.all([createJob(store), createJob(store)]);
  await store.pool.query(`update thread_key set wrapped = 'short' where thread_id = $1`, [broken.threadId]);
  const { process } = anotherProcess();
  const writes = [broken, whole].map(({ threadId }) => refusal(addMessage(process, threadId)));
  expect(await Promise.all(writes)).toEqual(['Unsealable', 'nothing was refused']);
  const ends = [broken, whole].map(({ jobId }) => refusal(onJob(process, jobId, { type: 'ReachDeadline', phase: 'queue' })));
  expect(await Promise.all(ends)).toEqual(['nothing was refused', 'nothing was refused']);
  expect((await eventTypes(store, broken.jobId)).at(-1)).toBe('JobFailed');
});
