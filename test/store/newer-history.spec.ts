import { SCHEMA_VERSIONS } from '@lib/store/history/upcasters';
import type { Store } from '@lib/store/store';
import { start } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { eventTypes, onJob, refusal } from '../support/streams';

let test: TestStore;
/** Remembers what it has written. */
let store: Store;
/** Remembers nothing. */
let other: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  other = test.another();
});
afterAll(() => test.close());

type Job = Awaited<ReturnType<typeof createJob>>;

/** What a build of the next release might append. */
const newerBuildWrites = ({ jobId }: Job, type = 'StepDreamt', schemaVersion = 1) => append(jobId, 1, type, schemaVersion);

async function append(jobId: string, versionsOn: number, type: string, schemaVersion: number): Promise<void> {
  await test.store.pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
      select stream_id, version + $4::int, 'evt_' || md5(random()::text), $2, $3, '{}', meta, hash, hash
      from event where stream_id = $1 order by version desc limit 1`,
    [jobId, type, schemaVersion, versionsOn],
  );
}

describe.each([
  ['of a type', 'StepDreamt', 1],
  ['of a schema version', 'StepStarted', 99],
  ['of the schema version after this build’s', 'StepStarted', SCHEMA_VERSIONS.StepStarted + 1],
])('a job with an event %s that this build does not know', (_, type, schemaVersion) => {
  it.each([
    ['remembers the job as it was before', () => store],
    ['loads it', () => other],
  ])('is not decided about by a process that %s', async (_process, at) => {
    const job = await createJob(store);
    await newerBuildWrites(job, type, schemaVersion);
    const before = await eventTypes(store, job.jobId);
    expect(await refusal(onJob(at(), job.jobId, start(job.stepIds[0] ?? '')))).toBe('UnknownEvent');
    expect(await refusal(onJob(at(), job.jobId, { type: 'FailSynthesis' }))).toBe('UnknownEvent');
    expect(await refusal(onJob(at(), job.jobId, { type: 'CancelJob' }))).toBe('UnknownEvent');
    expect(await eventTypes(store, job.jobId)).toEqual(before);
  });

  it('keeps no other job of its batch from being read or decided about', async () => {
    const jobs = await Promise.all([createJob(store), createJob(store), createJob(store)]);
    const [unknown, ...others] = jobs as [Job, ...Job[]];
    await newerBuildWrites(unknown, type, schemaVersion);
    const reading = Promise.all(jobs.map(({ jobId }) => refusal(other.jobs.load(jobId))));
    expect(await reading).toEqual(['UnknownEvent', 'nothing was refused', 'nothing was refused']);
    const deciding = Promise.all(jobs.map(({ jobId, stepIds }) => refusal(onJob(other, jobId, start(stepIds[0] ?? '')))));
    expect(await deciding).toEqual(['UnknownEvent', 'nothing was refused', 'nothing was refused']);
    for (const { jobId } of others) expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted']);
  });
});

it.each([
  ['that a newer build wrote to', 'UnknownEvent', newerBuildWrites],
  ['that lacks an event', 'CorruptHistory', ({ jobId }: Job) => append(jobId, 2, 'ContentErased', 1)],
])('a job %s keeps no other from being shown where it has to be put together from its history', async (_, reason, change) => {
  const [unknown, shown] = [await createJob(store), await createJob(store)];
  await onJob(store, unknown.jobId, { type: 'CancelJob' });
  await change(unknown);
  await test.store.pool.query('update job set document = null where id = $1', [unknown.jobId]);
  const read = ({ jobId, threadId }: Job) => refusal(other.views.getJob(TENANT, threadId, jobId));
  expect(await Promise.all([read(unknown), read(shown)])).toEqual([reason, 'nothing was refused']);
});
