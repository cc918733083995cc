import { committedMicros } from '@lib/domain/job/reservations';
import { SagaRefused } from '../../src/worker/saga-client';
import { eventually } from '../messaging/eventually';
import { faulty, lost } from '../support/faulty-saga';
import { TENANT, candidate, createJob } from '../support/store';
import { jobState } from '../support/streams';
import { startJobRoles, type JobRoles, type JobRolesOptions } from '../support/job-roles';

let roles: JobRoles;
afterEach(() => roles.stop());

const CENTS_40 = 400_000;

async function start(options: JobRolesOptions) {
  roles = await startJobRoles(options);
  const worker = await roles.startWorker();
  const job = await createJob(roles.store, {
    candidates: [candidate('provider-a', { min: CENTS_40, max: CENTS_40 })],
    budgetCapCents: 50,
  });
  return { ...roles, worker, ...job, provider: roles.providers['provider-a'] };
}

it('a claim outlives a short silence of the saga', async () => {
  let firstAt = 0;
  const between = faulty((saga) => ({
    claim: (request) => {
      firstAt ||= performance.now();
      return performance.now() - firstAt < 50 ? lost() : saga.claim(request);
    },
  }));
  const { provider, logged } = await start({ between });
  await provider.submits.next();
  expect(logged.filter(({ reason }) => reason === 'claim_unanswered')).toHaveLength(1);
});

describe('a report', () => {
  it('that the saga cannot read is a failed step with its reason, and what it cost is accounted', async () => {
    const between = faulty((saga) => ({
      report: async (request) => {
        if (request.result.outcome === 'completed') throw new SagaRefused('citations is not a list');
        return saga.report(request);
      },
    }));
    const { provider, store, commits, threadId, jobId } = await start({ between });
    (await provider.submits.next()).finish({ charge: { micros: 123_456, provenance: 'computed' } });
    await commits.until(jobId, 'JobFailed');
    const { steps } = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { steps: object[] };
    const errorMessage = expect.stringMatching(/^The report could not be recorded: citations is not a list/) as string;
    expect(steps).toMatchObject([{ status: 'failed', errorMessage }]);
    const state = await jobState(store, jobId);
    expect([state.steps[0]?.failure, committedMicros(state), state.totals?.lostMicros]).toEqual(['malformed', 123_456, 0]);
    expect(provider.paid).toBe(1);
  });

  it('that is refused altogether is given up', async () => {
    let tries = 0;
    const between = faulty(() => ({
      report: async () => {
        tries += 1;
        throw new SagaRefused('thread_not_found');
      },
    }));
    const { provider, worker, logged } = await start({ between });
    (await provider.submits.next()).finish();
    await eventually(2, async () => tries);
    await worker.stop(10_000);
    expect(logged.filter(({ reason }) => reason === 'report_refused')).toMatchObject([{ outcome: 'completed' }, { outcome: 'failed' }]);
  });

  it('that cannot be committed keeps a worker no longer than its time; it is tried once more before that', async () => {
    let tries = 0;
    let isBack = false;
    const between = faulty((saga) => ({
      report: (request) => {
        tries += 1;
        return isBack ? saga.report(request) : lost();
      },
    }));
    const { provider, worker, commits, jobId } = await start({ between });
    (await provider.submits.next()).finish();
    // By now it waits for longer than this test may take.
    await eventually(5, async () => tries);
    isBack = true;
    const stopping = performance.now();
    await worker.stop(1);
    expect(performance.now() - stopping).toBeLessThan(2_000);
    expect(commits.of(jobId)).toContain('StepCompleted');
  });
});
