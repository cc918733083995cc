import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { ProviderError } from '@lib/providers/research-provider';
import { TENANT, candidate, createJob } from '../support/store';
import { jobState, loseAttempt, onJob, passGateTime, passTime } from '../support/streams';
import { eventually } from '../messaging/eventually';
import { startJobRoles, type JobRoles, type JobRolesOptions } from '../support/job-roles';

let roles: JobRoles;
afterEach(() => roles.stop());

const CENTS_40 = 400_000;
const FREE = { micros: 0, provenance: 'reported' } as const;
const RATE_LIMITED = (retryAfterMs: number) => new ProviderError('rate_limited', 'Later.', { retryAfterMs, charge: FREE });
const OVERLOADED = new ProviderError('overloaded', 'The provider answered 500', { charge: FREE });

async function start(options: JobRolesOptions): Promise<JobRoles['providers']['provider-a']> {
  roles = await startJobRoles(options);
  await roles.startWorker();
  return roles.providers['provider-a'];
}

/** A job with one step at provider-a, or with one at each of those named. */
const ask = (...providers: ('provider-a' | 'provider-c')[]) => {
  const names = providers.length > 0 ? providers : (['provider-a'] as const);
  return createJob(roles.store, { candidates: names.map((provider) => candidate(provider, { max: CENTS_40 })) });
};
const stepsOf = async (jobId: string) => (await jobState(roles.store, jobId)).steps;

describe('a provider with a concurrency', () => {
  it('has that many steps in hand; the others wait unclaimed for the next to end', async () => {
    const provider = await start({ limits: { concurrency: 2 } });
    const { commits, providers } = roles;
    const jobs = [await ask(), await ask(), await ask()];
    const [first] = [await provider.submits.next(), await provider.submits.next()];
    // By the time that a later job has ended, the third would have been claimed.
    const later = await ask('provider-c');
    (await providers['provider-c'].submits.next()).finish();
    await commits.until(later.jobId, 'JobCompleted');
    expect(jobs.filter(({ jobId }) => commits.of(jobId).includes('StepStarted'))).toHaveLength(2);
    first?.finish();
    const third = await provider.submits.next();
    expect(jobs.map(({ stepIds: [stepId] }) => stepId)).toContain(third.request.stepId);
    expect(provider.paid).toBe(3);
  });
});

describe('a provider with a limit of requests', () => {
  /** One submit in half a second. */
  const DISTANCE_MS = 500;
  const limits = { requestsPerMinute: 60_000 / DISTANCE_MS };

  it('gets them one after the other; a step that waits is neither claimed nor lost', async () => {
    const provider = await start({ limits, leaseMs: 150, heartbeatMs: 20, redispatchMs: 10 });
    const { commits, startSweeper } = roles;
    const begun = performance.now();
    const jobs = [await ask(), await ask(), await ask()];
    startSweeper();
    for (let submit = 1; submit <= jobs.length; submit += 1) {
      (await provider.submits.next()).finish();
      const claimed = jobs.filter(({ jobId }) => commits.of(jobId).includes('StepStarted'));
      expect(claimed).toHaveLength(submit);
    }
    // From before the first one was admitted: how late each is noticed on a busy machine shortens nothing.
    expect(performance.now() - begun).toBeGreaterThan((jobs.length - 1) * DISTANCE_MS);
    await Promise.all(jobs.map(({ jobId }) => commits.until(jobId, 'JobCompleted')));
    expect(provider.paid).toBe(3);
    for (const { jobId } of jobs) expect(commits.of(jobId)).not.toContain('StepAttemptLost');
  });

  it('does not keep a job beyond its deadline', async () => {
    const provider = await start({ limits: { requestsPerMinute: 1 } });
    const { commits, providers } = roles;
    await ask();
    await provider.submits.next();
    const { jobId } = await ask('provider-a', 'provider-c');
    (await providers['provider-c'].submits.next()).finish();
    await commits.until(jobId, 'StepCompleted');
    await onJob(roles.store, jobId, { type: 'ReachDeadline', phase: 'running' });
    await commits.until(jobId, 'JobCompleted');
    expect((await stepsOf(jobId)).map(({ status, failure }) => [status, failure])).toEqual([
      ['skipped', 'deadline'],
      ['completed', null],
    ]);
    expect(provider.paid).toBe(1);
  });

  it('does not hold up a step that goes on with a run', async () => {
    const provider = await start({ limits: { requestsPerMinute: 1 } });
    const { store, commits } = roles;
    const { jobId, stepIds } = await ask();
    const submitted = await provider.submits.next();
    await submitted.started('run-1');
    await passTime(store, 60_000);
    await loseAttempt(store, jobId, stepIds[0] ?? '', 1);
    const resumed = await provider.polls.next();
    expect(resumed).toMatchObject({ externalId: 'run-1', request: { attempt: 2 } });
    resumed.finish();
    await commits.until(jobId, 'JobCompleted');
  });
});

describe('a run whose id arrives after its attempt was lost', () => {
  it('is resumed by the retry that waits, instead of being paid twice', async () => {
    const provider = await start({ limits: { requestsPerMinute: 30 } });
    const { store, commits } = roles;
    const { jobId, stepIds } = await ask();
    const submitted = await provider.submits.next();
    await passTime(store, 60_000);
    await loseAttempt(store, jobId, stepIds[0] ?? '', 1);
    // The second submit may not leave before the limit allows it.
    await submitted.started('run-1');
    await commits.until(jobId, 'StepExternalIdRecorded');
    const resumed = await Promise.race([provider.polls.next(), provider.submits.next()]);
    expect([provider.paid, resumed.externalId]).toEqual([1, 'run-1']);
    const [{ runs } = { runs: [] }] = await stepsOf(jobId);
    expect(runs.map(({ held, submitted: paid }) => [held, paid])).toEqual([
      [true, true],
      [false, false],
    ]);
    resumed.finish();
    await commits.until(jobId, 'JobCompleted');
    expect((await jobState(store, jobId)).totals).toEqual({ chargedMicros: 10_000, lostMicros: 0, overrunMicros: 0 });
  });
});

describe('a provider that asks for time', () => {
  it('gets no submit of any job until it is over, while others work on', async () => {
    const provider = await start({});
    const { providers, commits } = roles;
    const first = await ask();
    const refused = await provider.submits.next();
    const refusedAt = performance.now();
    refused.fail(RATE_LIMITED(700));
    await commits.until(first.jobId, 'StepFailed');
    const second = await ask('provider-a', 'provider-c');
    await providers['provider-c'].submits.next();
    expect([provider.paid, (await stepsOf(second.jobId))[0]?.status]).toEqual([1, 'queued']);
    await provider.submits.next();
    expect(performance.now() - refusedAt).toBeGreaterThanOrEqual(700);
  });
});

describe('a provider that is down', () => {
  const circuit = { failures: 2, openMs: 60_000 };

  /** Two jobs whose submits failed: their retries wait. */
  async function down(): Promise<JobRoles['providers']['provider-a']> {
    const provider = await start({ circuit });
    for (const { jobId } of [await ask(), await ask()]) {
      (await provider.submits.next()).fail(OVERLOADED);
      await roles.commits.until(jobId, 'StepFailed');
    }
    await eventually(true, async () => roles.logged.some(({ reason }) => reason === 'circuit_opened'));
    return provider;
  }

  it('is left alone: the step of another job waits unclaimed and free of charge, and the job goes on without it once the others are done', async () => {
    const provider = await down();
    const { store, commits, providers, logged } = roles;
    const { threadId, jobId } = await ask('provider-a', 'provider-c');
    const other = await providers['provider-c'].submits.next();
    expect((await stepsOf(jobId))[0]).toMatchObject({ status: 'queued', attempts: [] });
    other.finish();
    await commits.until(jobId, 'JobCompleted');
    const { steps } = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { steps: object[] };
    expect(steps[0]).toMatchObject({
      status: 'skipped',
      errorMessage: expect.stringMatching(/^Skipped: provider unavailable\. Its last calls/),
    });
    const state = await jobState(store, jobId);
    expect([state.steps[0]?.attempts.length, state.steps[0]?.runs.length]).toEqual([0, 1]);
    expect([committedMicros(state), reservedMicros(state), state.totals?.lostMicros]).toEqual([10_000, 0, 0]);
    expect(provider.paid).toBe(2);
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'circuit_opened', provider: 'provider-a', failures: 2 }));
  });

  it('ends the steps that wait for it when nine tenths of the mode’s time are over, retries too', async () => {
    const provider = await down();
    const { store, commits } = roles;
    const { jobId } = await ask();
    roles.startSweeper();
    const waiting = () =>
      store.pool.query<{ job_id: string; seconds: number }>(
        `select job_id, round(extract(epoch from look_at - clock_timestamp()))::int as seconds from agenda where waiting order by job_id`,
      );
    // The last one was dispatched, and waits again once a worker has asked for it.
    await eventually(3, async () => (await waiting()).rowCount);
    const { rows } = await waiting();
    for (const { seconds } of rows) expect(Math.abs(seconds - 98)).toBeLessThanOrEqual(10);
    expect(commits.of(jobId)).toEqual(['JobRequested']);
    await store.pool.query(`update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp() where waiting`);
    await Promise.all(rows.map((row) => commits.until(row.job_id, 'JobFailed')));
    expect(provider.paid).toBe(2);
    for (const row of rows) {
      const state = await jobState(store, row.job_id);
      expect(state.steps[0]).toMatchObject({ status: 'skipped', failure: 'circuit_open' });
      expect([committedMicros(state), reservedMicros(state), state.totals?.lostMicros]).toEqual([0, 0, 0]);
    }
  });

  it('is still asked about runs that it has accepted', async () => {
    const provider = await start({ circuit });
    const { store, commits } = roles;
    const accepted = await ask();
    await (await provider.submits.next()).started('run-1');
    for (const { jobId } of [await ask(), await ask()]) {
      (await provider.submits.next()).fail(OVERLOADED);
      await commits.until(jobId, 'StepFailed');
    }
    await passTime(store, 60_000);
    await loseAttempt(store, accepted.jobId, accepted.stepIds[0] ?? '', 1);
    const poll = await provider.polls.next();
    expect(poll.externalId).toBe('run-1');
    poll.finish();
    await commits.until(accepted.jobId, 'JobCompleted');
    expect(provider.paid).toBe(3);
  });

  it('is tried with one submit after a while, of all workers, and used again as soon as that was accepted', async () => {
    const provider = await down();
    const { commits, logged, store } = roles;
    await roles.startWorker();
    await passGateTime(store, circuit.openMs - 5_000);
    const early = await ask();
    await passGateTime(store, 5_000);
    const jobs = [early, await ask(), await ask()];
    const trial = await provider.submits.next();
    expect(jobs.filter(({ jobId }) => commits.of(jobId).includes('StepStarted'))).toHaveLength(1);
    expect(provider.paid).toBe(3);
    // The research goes on for long, but the provider has accepted it. Whatever waits may come now, the two retries too.
    await trial.started('run-1');
    await provider.submits.next();
    await provider.submits.next();
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'circuit_closed', provider: 'provider-a' }));
  });

  it('is not taken to be so for what is wrong with a job’s own question', async () => {
    const provider = await start({ circuit });
    for (const errorClass of ['invalid_request', 'content_filtered', 'auth', 'quota', 'model_gone'] as const) {
      const { jobId } = await ask();
      (await provider.submits.next()).fail(new ProviderError(errorClass, 'No.', { charge: FREE }));
      await roles.commits.until(jobId, 'JobFailed');
    }
    expect(provider.paid).toBe(5);
  });
});

it('each of two providers has limits of its own', async () => {
  const provider = await start({ limits: { requestsPerMinute: 1 } });
  const other = roles.providers['provider-c'];
  await ask('provider-a', 'provider-c');
  await Promise.all([provider.submits.next(), other.submits.next()]);
  expect([provider.paid, other.paid]).toEqual([1, 1]);
});
