import { ProviderError } from '@lib/providers/research-provider';
import type { Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { failure, report, start, success } from '../support/job-history';
import { candidate, createJob, DEADLINES } from '../support/store';
import { jobState, onJob } from '../support/streams';
import { startJobRoles, type JobRoles } from '../support/job-roles';
import { HOLD } from '../support/hold';

jest.setTimeout(60_000);

let roles: JobRoles;
afterEach(() => roles.stop());

const OVERLOADED = new ProviderError('overloaded', 'Too busy.', { charge: { micros: 0, provenance: 'reported' } });

/** The provider answers so many submits with `overloaded` and each later one with a report. */
async function answer(provider: JobRoles['providers']['provider-a'], failures: number): Promise<never> {
  for (let submits = 1; ; submits += 1) {
    const submit = await provider.submits.next();
    if (submits <= failures) submit.fail(OVERLOADED);
    else submit.finish();
  }
}

it('a job that had waited for its turn for longer than its mode’s time goes on waiting when the provider goes down', async () => {
  roles = await startJobRoles({ circuit: { failures: 1, openMs: 1_000 }, limits: { concurrency: 1 } });
  const { store, commits, providers } = roles;
  const provider = providers['provider-a'];
  await roles.startWorker();
  const ask = () => createJob(store, { candidates: [candidate('provider-a')] });
  await ask();
  const first = await provider.submits.next();
  const jobs = [await ask(), await ask(), await ask()];
  roles.startSweeper();
  await store.pool.query(`update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp() where waiting`);
  const looks = async () => (await store.pool.query(`select 1 from agenda where waiting and look_at < 'infinity'`)).rows.length;
  await eventually(0, looks);
  first.fail(OVERLOADED);
  void answer(provider, 0);
  await Promise.all(jobs.map(({ jobId }) => commits.until(jobId, 'JobCompleted')));
  expect(roles.logged).toContainEqual(expect.objectContaining({ reason: 'circuit_opened' }));
});

it('what one tenant asks, and a provider cannot answer, takes the provider from no other tenant', async () => {
  roles = await startJobRoles({ circuit: { failures: 5, openMs: 3_600_000 } });
  const { store, commits, providers } = roles;
  const poisoned = new Set<string>();
  void (async () => {
    for (;;) {
      const submit = await providers['provider-a'].submits.next();
      if (poisoned.has(submit.request.stepId)) submit.fail(OVERLOADED);
      else submit.finish();
    }
  })();
  void answer(providers['provider-c'], 0);
  await roles.startWorker();
  roles.startSweeper();
  const ask = (tenantId: string) => createJob(store, { tenantId });
  const poison = async () => {
    const job = await ask('poison');
    poisoned.add(job.stepIds[0] ?? '');
    await commits.until(job.jobId, 'JobCompleted');
  };
  await poison();
  await poison();
  expect(roles.logged).toContainEqual(expect.objectContaining({ reason: 'circuit_opened', forOneTenant: true }));
  const { jobId } = await ask('other');
  await commits.until(jobId, 'JobCompleted');
  expect((await jobState(store, jobId)).steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
});

it('a wave whose provider is down gives way to the next one in time', async () => {
  roles = await startJobRoles();
  const { store, commits, providers } = roles;
  for (let failures = 1; failures <= 5; failures += 1) await store.admission.recordFailure('provider-a', 5, 3_600_000);
  const jobMs = 1_200_000;
  const { jobId, stepIds } = await createJob(store, { researchMode: 'methodical', deadlines: { ...DEADLINES, jobMs } });
  await roles.startWorker();
  // Half of nine tenths: the other half is for the other wave.
  await store.pool.query(
    `update agenda set gives_up_at = gives_up_at - $1::int4 * interval '1 millisecond', look_at = look_at - $1::int4 * interval '1 millisecond' where waiting`,
    [0.45 * jobMs],
  );
  roles.startSweeper();
  (await providers['provider-c'].submits.next()).finish();
  await commits.until(jobId, 'JobCompleted');
  const skipped = (await jobState(store, jobId)).steps.filter(({ failure: why }) => why === 'circuit_open');
  expect(skipped.map(({ stepId }) => stepId)).toEqual(stepIds.slice(0, 1));
});

it('a wave behind a provider that never answers has its time, and the provider of the first is not asked again', async () => {
  roles = await startJobRoles();
  const { store, commits, providers } = roles;
  const { jobId } = await createJob(store, { researchMode: 'methodical', deadlines: { ...DEADLINES, jobMs: 2_000 } });
  await roles.startWorker();
  await providers['provider-a'].submits.next();
  roles.startSweeper();
  (await providers['provider-c'].submits.next()).finish();
  await commits.until(jobId, 'JobCompleted');
  const { steps } = await jobState(store, jobId);
  expect(steps.map(({ status, failure: why, attempts }) => ({ status, why, attempts: attempts.length }))).toEqual([
    { status: 'failed', why: 'timeout', attempts: 1 },
    { status: 'completed', why: null, attempts: 1 },
  ]);
});

it('a step whose end failed, because its job was locked for too long, ends later', async () => {
  roles = await startJobRoles({ redispatchMs: 500 });
  const { store, commits, logged } = roles;
  for (let failures = 1; failures <= 5; failures += 1) await store.admission.recordFailure('provider-a', 5, 3_600_000);
  const { jobId } = await createJob(store, { candidates: [candidate('provider-a')] });
  await store.pool.query(`update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp() where waiting`);
  const locking = await store.pool.connect();
  await locking.query(HOLD);
  await locking.query('select 1 from job where id = $1 for update', [jobId]);
  roles.startSweeper();
  await eventually(true, () => Promise.resolve(logged.some(({ reason }) => reason === 'step_not_skipped')), 30_000);
  await locking.query('rollback');
  locking.release();
  await commits.until(jobId, 'JobFailed');
  const [step] = (await jobState(store, jobId)).steps;
  expect(step).toMatchObject({ status: 'skipped' });
});

it('a job that is corrupt or locked by somebody keeps no other from going on without a provider that goes down', async () => {
  roles = await startJobRoles({ circuit: { failures: 1, openMs: 3_600_000 } });
  const { store, commits, logged } = roles;
  // By another process, so that this one remembers nothing of it.
  const elsewhere = roles.test.another();
  const corrupt = await createJob(elsewhere);
  await onJob(elsewhere, corrupt.jobId, start(corrupt.stepIds[0] ?? ''), report(corrupt.stepIds[0] ?? '', 1, success()));
  await store.pool.query('alter table event disable trigger user');
  await store.pool.query(`update event set facts = '{}' where stream_id = $1`, [corrupt.jobId]);
  const jobs = [await createJob(store), await createJob(store)];
  for (const { jobId, stepIds } of jobs) await onJob(store, jobId, start(stepIds[0] ?? ''), report(stepIds[0] ?? '', 1, success()));
  const failing = await createJob(store, { candidates: [candidate('provider-c')] });
  const [stepId = ''] = failing.stepIds;
  await onJob(store, failing.jobId, start(stepId));
  await store.pool.query(`update agenda set waiting = true, look_at = 'infinity' where kind = 'dispatch step'`);
  const [first, second] = jobs.map(({ jobId }) => jobId) as [string, string];
  const locking = await store.pool.connect();
  await locking.query(HOLD);
  await locking.query('select 1 from job where id = $1 for update', [first]);
  await onJob(store, failing.jobId, report(stepId, 1, failure()));
  await commits.until(second, 'JobCompleted');
  expect(commits.of(first)).not.toContain('StepSkipped');
  expect(logged).toContainEqual(expect.objectContaining({ reason: 'step_not_skipped', jobId: first }));
  expect(logged).toContainEqual(expect.objectContaining({ reason: 'corrupt_history', of: corrupt.jobId }));
  await locking.query('rollback');
  locking.release();
});

/** A job that has a report of `provider-a`, which another process recorded, and whose step of `provider-c` nobody has claimed. */
async function reportedJob({ store }: JobRoles, elsewhere: Store): Promise<string> {
  const { jobId, stepIds } = await createJob(store);
  const [stepId = ''] = stepIds;
  await store.jobs.recall(jobId);
  await onJob(elsewhere, jobId, start(stepId), report(stepId, 1, success()));
  return jobId;
}

/** Takes `provider-c` down by the failure of a step that runs: one is enough here. */
async function failingStep({ store, logged }: JobRoles): Promise<() => Promise<void>> {
  const { jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-c')] });
  const [stepId = ''] = stepIds;
  await onJob(store, jobId, start(stepId));
  return async () => {
    await onJob(store, jobId, report(stepId, 1, failure()));
    await eventually(true, () => Promise.resolve(logged.some(({ reason }) => reason === 'circuit_opened')));
  };
}

it('a job that has a report goes on without a step that was dispatched before its provider went down', async () => {
  roles = await startJobRoles({ circuit: { failures: 1, openMs: 3_600_000 } });
  const { store, commits, transport } = roles;
  const fail = await failingStep(roles);
  const jobId = await reportedJob(roles, roles.test.another());
  await fail();
  // Nobody asks this process about the other step, so that it remembers a job without a report.
  await transport.consume({ kind: 'step', provider: 'provider-a' }, 8, ({ ack }) => Promise.resolve(ack()));
  await roles.startWorker();
  await commits.until(jobId, 'JobCompleted');
  expect((await jobState(store, jobId)).steps).toMatchObject([{ status: 'completed' }, { status: 'skipped', failure: 'circuit_open' }]);
});

it('any number of jobs that have a report go on without a provider that goes down', async () => {
  roles = await startJobRoles({ circuit: { failures: 1, openMs: 3_600_000 } });
  const { store, commits } = roles;
  const fail = await failingStep(roles);
  const jobs = await Promise.all(Array.from({ length: 250 }, () => reportedJob(roles, store)));
  await store.pool.query(`update agenda set waiting = true, look_at = 'infinity' where kind = 'dispatch step'`);
  await fail();
  // Of those that were let go meanwhile it asks whether they may start.
  await roles.startWorker();
  await Promise.all(jobs.map((jobId) => commits.until(jobId, 'JobCompleted')));
  expect(commits.of(jobs[0] ?? '')).toContain('StepSkipped');
});

const JOBS = 300;

it('no queued job fails for five answers that say overloaded, if the provider is healthy at once', async () => {
  roles = await startJobRoles({ circuit: { failures: 5, openMs: 300 } });
  const { store, commits, providers } = roles;
  void answer(providers['provider-a'], 5);
  const jobs = await Promise.all(Array.from({ length: JOBS }, () => createJob(store, { candidates: [candidate('provider-a')] })));
  await roles.startWorker();
  roles.startSweeper();
  await Promise.all(jobs.map(({ jobId }) => Promise.race(['JobCompleted', 'JobFailed'].map((type) => commits.until(jobId, type)))));
  const statuses = await Promise.all(jobs.map(async ({ jobId }) => (await jobState(store, jobId)).status));
  expect(statuses.filter((status) => status === 'failed')).toHaveLength(0);
});
