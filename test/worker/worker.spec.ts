import { setTimeout as sleep } from 'node:timers/promises';
import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { NO_CHARGE } from '@lib/domain/money';
import { ProviderError } from '@lib/providers/research-provider';
import type { SagaPort } from '../../src/saga/saga-port';
import { eventually } from '../messaging/eventually';
import { ControlledProvider, type ProviderCall } from '../support/controlled-provider';
import { faulty, lost } from '../support/faulty-saga';
import { DEADLINES, TENANT, candidate, createJob } from '../support/store';
import { deleteThread, jobState, loseAttempt, onJob, passTime } from '../support/streams';
import { startJobRoles, type JobRoles, type JobRolesOptions } from '../support/job-roles';

let roles: JobRoles;
afterEach(() => roles.stop());

const CENTS_40 = 400_000;

/** Starts the roles and a job with one step at a provider that may charge 40 cents. */
async function start(options: JobRolesOptions = {}) {
  roles = await startJobRoles(options);
  const worker = await roles.startWorker();
  const job = await createJob(roles.store, { candidates: [candidate('provider-a', { max: CENTS_40 })] });
  return { ...roles, worker, ...job, stepId: job.stepIds[0] ?? '', provider: roles.providers['provider-a'] };
}

const stepOf = async (jobId: string) => (await jobState(roles.store, jobId)).steps[0];

describe.each([
  ['in the same process', false],
  ['over the transport', true],
])('a worker whose saga is reached %s', (_, remote) => {
  it('claims, calls once, reports, and the job is synthesized', async () => {
    const { store, commits, provider, threadId, jobId, stepId } = await start({ remote });
    const call = await provider.submits.next();
    expect(call.request).toMatchObject({
      stepId,
      attempt: 1,
      provider: 'provider-a',
      query: 'How?',
      mode: 'fast',
      brief: null,
      context: null,
    });
    expect(call.request.limits).toMatchObject({ reservedMicros: CENTS_40 });
    call.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId)).toEqual(['JobRequested', 'StepStarted', 'StepCompleted', 'SynthesisStarted', 'JobCompleted']);
    const document = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as object;
    expect(document).toMatchObject({
      status: 'completed',
      totalCustomerCostCents: 1,
      steps: [{ reportMarkdown: 'The bridge was opened in 1932 [1].' }],
    });
    expect(provider.paid).toBe(1);
  });

  it('records the run’s id before it asks about the run, and a next attempt resumes it with its reservation', async () => {
    const { store, commits, provider, jobId, stepId } = await start({ remote });
    const submitted = await provider.submits.next();
    await submitted.started('run-1');
    expect(commits.of(jobId)).toContain('StepExternalIdRecorded');
    submitted.goOn('run-1');
    expect((await provider.polls.next()).externalId).toBe('run-1');
    await passTime(store, 60_000);
    await loseAttempt(store, jobId, stepId, 1);

    const resumed = await provider.polls.next();
    expect(resumed).toMatchObject({ externalId: 'run-1', request: { attempt: 2, limits: { reservedMicros: CENTS_40 } } });
    const state = await jobState(store, jobId);
    expect([reservedMicros(state), state.steps[0]?.runs.length]).toEqual([CENTS_40, 1]);
    resumed.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(1);
  });

  it('gives a step back that was planned with another adapter, and one that has it takes it', async () => {
    roles = await startJobRoles({ remote });
    const { store, commits, startWorker, providers } = roles;
    const other = await startWorker({ adapter: 'corpus' });
    const job = await createJob(store, { candidates: [candidate('provider-a', { max: CENTS_40 })] });
    await commits.until(job.jobId, 'StepFailed');
    const failed = (await stepOf(job.jobId))?.attempts[0];
    expect(failed).toMatchObject({ returned: true });
    expect(providers['provider-a'].paid).toBe(0);
    await startWorker();
    await other.stop(0);
    roles.startSweeper();
    (await providers['provider-a'].submits.next()).finish();
    await commits.until(job.jobId, 'JobCompleted');
    expect(providers['provider-a'].paid).toBe(1);
  });

  it('that alone cannot connect to the provider costs no job while another one can', async () => {
    roles = await startJobRoles({ remote, circuit: { failures: 1_000, openMs: 1_000 } });
    const { store, commits, startWorker, providers } = roles;
    const cutOff = new ControlledProvider();
    await Promise.all([startWorker({ provider: cutOff }), startWorker()]);
    roles.startSweeper();
    const serve = async (provider: ControlledProvider, answer: (call: ProviderCall) => void) => {
      for (;;) answer(await provider.submits.next());
    };
    void serve(providers['provider-a'], (call) => call.finish());
    void serve(cutOff, (call) => call.fail(new ProviderError('unavailable', 'The connection broke (ENETUNREACH)', { charge: NO_CHARGE })));
    const jobs = await Promise.all(
      Array.from({ length: 24 }, () => createJob(store, { candidates: [candidate('provider-a', { max: CENTS_40 })] })),
    );
    const endings = () =>
      jobs.flatMap(({ jobId }) => commits.of(jobId).find((type) => type === 'JobCompleted' || type === 'JobFailed') ?? []);
    await eventually(jobs.length, async () => endings().length, 50_000);
    expect(cutOff.paid).toBeGreaterThan(0);
    expect(endings().filter((type) => type === 'JobFailed')).toEqual([]);
  });

  it('repeats its report until it is committed', async () => {
    let tries = 0;
    const between = faulty((saga) => ({ report: (request) => ((tries += 1) < 3 ? lost() : saga.report(request)) }));
    const { commits, provider, jobId } = await start({ remote, between });
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect([tries, provider.paid]).toEqual([3, 1]);
  });

  it('reports once what was committed although the answer was lost', async () => {
    let tries = 0;
    const between = faulty((saga) => ({
      report: async (request) => {
        const reply = await saga.report(request);
        return (tries += 1) < 3 ? lost() : reply;
      },
    }));
    const { commits, provider, jobId } = await start({ remote, between });
    (await provider.submits.next()).finish();
    await eventually(3, async () => tries);
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId).filter((type) => type === 'StepCompleted')).toHaveLength(1);
  });

  it('pays once when the answer to its claim was lost', async () => {
    let tries = 0;
    const between = faulty((saga) => ({
      claim: async (request) => {
        const reply = await saga.claim(request);
        return (tries += 1) < 3 ? lost() : reply;
      },
    }));
    const { commits, provider, jobId } = await start({ remote, between });
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId).filter((type) => type === 'StepStarted')).toHaveLength(1);
    expect([tries, provider.paid]).toEqual([3, 1]);
  });
});

describe('an old grant', () => {
  const realNow = performance.now.bind(performance);
  afterEach(() => {
    performance.now = realNow;
  });
  /** More than two seconds pass between the claim and its answer. */
  const slowClaim = (heartbeat?: SagaPort['heartbeat']) =>
    faulty((saga) => ({
      claim: async (request) => {
        const reply = await saga.claim(request);
        const behind = 2_001;
        performance.now = () => realNow() + behind;
        return reply;
      },
      ...(heartbeat ? { heartbeat } : {}),
    }));

  it('is asked about once more before anything is paid', async () => {
    const asked: number[] = [];
    const heartbeat = async () => {
      asked.push(roles.providers['provider-a'].paid);
      return { goOn: true, run: null } as const;
    };
    const { provider, commits, jobId } = await start({ between: slowClaim(heartbeat) });
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect(asked).toEqual([0]);
  });

  it('that no longer holds is not used, and what it reserved is free again', async () => {
    const refuse = async () => ({ goOn: false, run: 'leave' }) as const;
    const { provider, commits, store, jobId } = await start({ between: slowClaim(refuse) });
    await commits.until(jobId, 'StepFailed');
    expect(provider.paid).toBe(0);
    expect((await jobState(store, jobId)).steps[0]?.runs[0]).toMatchObject({ held: false, submitted: false });
  });

  it('about which nobody can be asked is given back: not called, nothing kept, and another attempt', async () => {
    const { provider, commits, store, jobId } = await start({ between: slowClaim(lost) });
    await commits.until(jobId, 'StepFailed');
    expect(provider.paid).toBe(0);
    const state = await jobState(store, jobId);
    expect(state.steps[0]).toMatchObject({ status: 'queued', runs: [{ held: false, submitted: false }, { held: true }] });
    expect([committedMicros(state), reservedMicros(state)]).toEqual([0, CENTS_40]);
  });
});

describe('a worker that nobody answers', () => {
  it('calls nothing, and hands the work back', async () => {
    let tries = 0;
    const between = faulty(() => ({
      claim: () => {
        tries += 1;
        return lost();
      },
    }));
    const { provider, logged, commits, jobId, worker } = await start({ between });
    await eventually(3, async () => tries);
    await worker.stop(1000);
    expect([provider.paid, tries, commits.of(jobId)]).toEqual([0, 3, ['JobRequested']]);
    expect(logged.filter(({ reason }) => reason === 'claim_unanswered')).toHaveLength(3);
  });
});

describe('a wake-up', () => {
  it('stays in its queue until its claim is answered, so that it comes again if its worker dies before', async () => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const between = faulty((saga) => ({
      claim: async (request) => {
        asked.resolve();
        await released.promise;
        return saga.claim(request);
      },
    }));
    const { transport, provider, commits, jobId, stepId } = await start({ between });
    await asked.promise;
    expect(await transport.dispatch({ kind: 'step', provider: 'provider-a', jobId, stepId, resumes: false })).toBe('already_queued');
    released.resolve();
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(1);
  });
});

describe('a worker that stops', () => {
  it('gives back what it was granted while it stopped', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const between = faulty((saga) => ({
      claim: async (request) => {
        answer();
        await released;
        return saga.claim(request);
      },
    }));
    const { provider, worker, commits, jobId } = await start({ between });
    await asked;
    const stopped = worker.stop(10_000);
    release();
    await stopped;
    expect(provider.paid).toBe(0);
    expect(commits.of(jobId)).toEqual(['JobRequested', 'StepStarted', 'StepFailed']);
    expect((await stepOf(jobId))?.retry).toMatchObject({ run: 2, reservedMicros: CENTS_40 });
  });

  it('ends though a grant comes after its time and no report is answered', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let reports = 0;
    const between = faulty((saga) => ({
      claim: async (request) => {
        answer();
        await released;
        return saga.claim(request);
      },
      report: () => {
        reports += 1;
        return lost();
      },
    }));
    const { provider, worker } = await start({ between });
    await asked;
    const stopped = worker.stop(1);
    await sleep(50);
    release();
    await stopped;
    expect([provider.paid, reports]).toEqual([0, 1]);
  });

  it('finishes what it has in hand within its time', async () => {
    const { provider, worker, commits, jobId } = await start();
    const call = await provider.submits.next();
    const stopped = worker.stop(10_000);
    // Without a time of grace the run would have been left by now.
    await sleep(50);
    expect(call.request.signal.aborted).toBe(false);
    call.finish();
    await stopped;
    expect(commits.of(jobId)).toContain('StepCompleted');
  });

  it('leaves a run that takes longer to be resumed by another worker', async () => {
    const { provider, worker, commits, store, jobId, stepId } = await start();
    const call = await provider.submits.next();
    await call.started('run-1');
    await worker.stop(1);
    expect(provider.cancels.unseen).toEqual([]);
    await passTime(store, 60_000);
    await loseAttempt(store, jobId, stepId, 1);
    await roles.startWorker();
    const resumed = await provider.polls.next();
    expect(resumed.externalId).toBe('run-1');
    resumed.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(1);
  });
});

describe('a heartbeat', () => {
  it('that is refused because the job has ended cancels the run at the provider', async () => {
    const { provider, store, jobId } = await start({ heartbeatMs: 5 });
    const call = await provider.submits.next();
    await call.started('run-1');
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(await provider.cancels.next()).toBe('run-1');
    expect(call.request.signal.aborted).toBe(true);
  });

  it('that is refused because the thread was deleted does so too', async () => {
    const { provider, store, threadId } = await start({ heartbeatMs: 5 });
    await (await provider.submits.next()).started('run-1');
    await deleteThread(store, threadId);
    expect(await provider.cancels.next()).toBe('run-1');
  });

  it('that is refused because the lease was lost leaves the run to the next attempt', async () => {
    const { provider, store, commits, jobId, stepId } = await start({ heartbeatMs: 5 });
    const call = await provider.submits.next();
    await call.started('run-1');
    // Only that attempt: its lease is moved into the past while nobody renews it.
    await expireLease(jobId, stepId);
    await new Promise<void>((resolve) => call.request.signal.addEventListener('abort', () => resolve()));
    const resumed = await provider.polls.next();
    expect(provider.cancels.unseen).toEqual([]);
    resumed.finish();
    await commits.until(jobId, 'JobCompleted');
    expect([provider.paid, (await jobState(store, jobId)).steps[0]?.attempts.length]).toEqual([1, 2]);
  });

  it('that is refused because the lease was lost breaks off no call while nobody has begun another: its answer is the step’s', async () => {
    let refused = 0;
    const between = faulty((saga) => ({
      heartbeat: async (request) => {
        const reply = await saga.heartbeat(request);
        if (!reply.goOn) refused += 1;
        return reply;
      },
    }));
    const { provider, store, commits, jobId, stepId } = await start({ heartbeatMs: 5, between });
    const call = await provider.submits.next();
    await onJob(store, jobId, { type: 'LoseAttempt', stepId, attempt: 1 });
    await eventually(true, async () => refused > 3);
    expect(call.request.signal.aborted).toBe(false);
    call.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId).slice(1, 4)).toEqual(['StepStarted', 'StepAttemptLost', 'StepCompleted']);
    const state = await jobState(store, jobId);
    expect([provider.paid, reservedMicros(state), state.totals?.lostMicros]).toEqual([1, 0, 0]);
  });

  it('that nobody answers stops nothing', async () => {
    let unanswered = 0;
    const between = faulty(() => ({
      heartbeat: () => {
        unanswered += 1;
        return lost();
      },
    }));
    const { provider, commits, jobId } = await start({ heartbeatMs: 5, between });
    const call = await provider.submits.next();
    await eventually(true, async () => unanswered > 2);
    expect(call.request.signal.aborted).toBe(false);
    call.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(1);
  });

  it('keeps the lease while the provider works', async () => {
    const { provider, commits, jobId } = await start({ leaseMs: 150, heartbeatMs: 10 });
    roles.startSweeper();
    const call = await provider.submits.next();
    const begun = performance.now();
    await eventually(true, async () => performance.now() - begun > 500);
    call.finish();
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId)).not.toContain('StepAttemptLost');
  });
});

describe('what a provider answers', () => {
  it('badly is a failed step, with its reason, its charge and no second call where none would help', async () => {
    const { provider, store, commits, jobId, threadId } = await start();
    const charge = { micros: 7, provenance: 'computed' as const };
    (await provider.submits.next()).fail(new ProviderError('content_filtered', 'It refuses to say.', { charge, runEnded: true }));
    await commits.until(jobId, 'JobFailed');
    const { steps } = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { steps: object[] };
    expect(steps).toMatchObject([{ status: 'failed', errorMessage: 'It refuses to say.', reportMarkdown: '', citations: [] }]);
    expect([provider.paid, committedMicros(await jobState(store, jobId))]).toEqual([1, 7]);
  });

  it.each([
    ['the name of a model that is far too long', { model: 'm'.repeat(5_000) }],
    ['the name of a model with NUL and half a character', { model: 'm\0\ud800' }],
    ['text with NUL and half a character', { markdown: 'It\0 is \ud800 so.' }],
  ])('with %s is still recorded', async (_, report) => {
    const { provider, commits, jobId } = await start({ remote: true });
    (await provider.submits.next()).finish(report);
    await commits.until(jobId, 'JobCompleted');
    expect(provider.paid).toBe(1);
  });

  it.each([Number.NaN, -5, 1.5, 1e300, Infinity])('with a wish to wait %d milliseconds is recorded as a failure', async (retryAfterMs) => {
    const { provider, commits, jobId } = await start({ remote: true });
    const charge = { micros: 0, provenance: 'reported' as const };
    (await provider.submits.next()).fail(new ProviderError('rate_limited', 'Later.', { retryAfterMs, charge }));
    await commits.until(jobId, 'StepFailed');
    // A wish beyond the job's deadline is no retry at all.
    const delayMs = (await stepOf(jobId))?.retry?.delayMs ?? 0;
    expect(delayMs).toBeGreaterThanOrEqual(0);
    expect(delayMs).toBeLessThan(DEADLINES.jobMs);
  });

  it('at greater length than a message may have is cut at a paragraph, and says so', async () => {
    const { provider, store, commits, jobId, threadId } = await start({ remote: true, maxReportBytes: 3_000 });
    const paragraph = 'The bridge was opened in 1932. ';
    (await provider.submits.next()).finish({ markdown: Array.from({ length: 50 }, () => paragraph.repeat(4).trim()).join('\n\n') });
    await commits.until(jobId, 'JobCompleted');
    const { steps } = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { steps: { reportMarkdown: string }[] };
    expect(steps[0]?.reportMarkdown).toMatch(/opened in 1932\.\n\n\*\[The rest of this report is left out/);
    const { rows } = await store.pool.query(`select facts ->> 'truncated' as truncated from event where type = 'StepCompleted'`);
    expect(rows).toEqual([{ truncated: 'true' }]);
  });
});

async function expireLease(jobId: string, stepId: string): Promise<void> {
  const { store } = roles;
  for (;;) {
    await passTime(store, 60_000);
    const { appended } = await loseAttempt(store, jobId, stepId, 1);
    if (appended.length > 0) return;
  }
}
