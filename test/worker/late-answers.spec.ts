import { setTimeout as sleep } from 'node:timers/promises';
import { reservedMicros } from '@lib/domain/job/reservations';
import type { SagaPort } from '../../src/saga/saga-port';
import { eventually } from '../messaging/eventually';
import { faulty } from '../support/faulty-saga';
import { candidate, createJob } from '../support/store';
import { jobState, pursue } from '../support/streams';
import { startJobRoles, type JobRoles, type JobRolesOptions } from '../support/job-roles';
import { HOLD } from '../support/hold';

jest.setTimeout(60_000);

let roles: JobRoles;
afterEach(() => roles.stop());

const CENTS_40 = 400_000;
/** Longer than a worker waits for an answer before it asks again. */
const LATE_MS = 5_600;

async function start(options: JobRolesOptions) {
  roles = await startJobRoles({ remote: true, ...options });
  return { ...roles, provider: roles.providers['provider-a'] };
}

/** Whose one step may cost a third of the cap, and does not fit where three runs are lost. */
const jobOfOneStep = () =>
  createJob(roles.store, { candidates: [candidate('provider-a', { min: CENTS_40, max: CENTS_40 })], budgetCapCents: 120 });

describe('a claim that takes long', () => {
  it('holds up none of the nineteen that travelled with it', async () => {
    const { provider, store, startWorker } = await start({ limits: { concurrency: 32 } });
    const { threadId, jobId } = await jobOfOneStep();
    await Promise.all(Array.from({ length: 18 }, () => jobOfOneStep()));
    await pursue(store, threadId, jobId);
    const blocker = await store.pool.connect();
    // What a pursued job is told of its thread waits for this lock, and nothing else does.
    await blocker.query(HOLD);
    await blocker.query('lock table message in access exclusive mode');
    await startWorker();
    const blocked = async () => (await store.pool.query('select from pg_locks where not granted')).rows.length > 0;
    await eventually(true, blocked);
    await eventually(19, async () => provider.paid);
    expect([await blocked(), provider.paid]).toEqual([true, 19]);
    await blocker.query('commit');
    blocker.release();
    await eventually(20, async () => provider.paid, 25_000);
  });
});

describe('a saga that always answers late', () => {
  it('grants once and is told once: nothing is frozen', async () => {
    const later = <Reply>(call: () => Promise<Reply>) => call().then((reply) => sleep(LATE_MS, reply));
    const behind = faulty((saga) => ({
      claim: (request) => later(() => saga.claim(request)),
      report: (request) => later(() => saga.report(request)),
    }));
    const { provider, commits, store, startWorker, startSweeper } = await start({ behind });
    startSweeper();
    const { jobId } = await jobOfOneStep();
    await startWorker();
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect(commits.of(jobId)).toEqual(['JobRequested', 'StepStarted', 'StepCompleted', 'SynthesisStarted', 'JobCompleted']);
    expect([provider.paid, (await jobState(store, jobId)).totals?.lostMicros]).toEqual([1, 0]);
  });
});

describe.each([
  ['over the transport', true],
  ['in the same process', false],
])('a grant that comes too late %s', (_, remote) => {
  it('is given back: its reservation is free, and the step is tried again', async () => {
    const answers: (() => void)[] = [];
    let isLate = true;
    const claim =
      (saga: SagaPort): SagaPort['claim'] =>
      async (request, until) => {
        const reply = await saga.claim(request, until);
        if (isLate && reply.granted) await new Promise<void>((resolve) => answers.push(resolve));
        return reply;
      };
    const late = faulty((saga) => ({ claim: claim(saga) }));
    const { provider, commits, store, logged, startWorker, startSweeper } = await start({
      ...(remote ? { remote, behind: late } : { remote, between: late }),
      claimMs: 300,
    });
    startSweeper();
    const { jobId } = await jobOfOneStep();
    await startWorker();
    await eventually(true, async () => logged.some(({ reason }) => reason === 'claim_unanswered'));
    isLate = false;
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await commits.until(jobId, 'StepFailed');
    const state = await jobState(store, jobId);
    expect(state.steps[0]?.runs[0]).toMatchObject({ held: false, submitted: false, committedMicros: 0 });
    expect([provider.paid, reservedMicros(state)]).toEqual([0, CENTS_40]);
    (await provider.submits.next()).finish();
    await commits.until(jobId, 'JobCompleted');
    expect([provider.paid, (await jobState(store, jobId)).totals?.lostMicros]).toEqual([1, 0]);
  });
});
