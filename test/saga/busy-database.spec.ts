import { pino, type Logger } from 'pino';
import { RowLocked, StoreBusy, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { GivenUpRuns } from '../../src/saga/given-up-runs';
import { SkippedSteps } from '../../src/saga/skipped-steps';
import { Commits } from '../support/commits';
import { externalId, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { eventTypes, onJob, passTime } from '../support/streams';

let test: TestStore;
let store: Store;
let reasons: string[];
let logger: Logger;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  reasons = [];
  logger = pino({ level: 'warn' }, { write: (line) => void reasons.push((JSON.parse(line) as { reason: string }).reason) });
});
afterEach(() => test.close());

/** The same, but what is decided about one job fails. */
function failingFor(refused: string, error: Error): Store {
  const execute: Store['jobs']['execute'] = async (jobId, ...rest) => {
    if (jobId === refused) throw error;
    return store.jobs.execute(jobId, ...rest);
  };
  return { ...store, jobs: Object.assign(Object.create(store.jobs) as Store['jobs'], { execute }) };
}

const ONLY_THIS_JOB = [new StoreBusy(), new RowLocked()];
const AWAY = new StoreUnavailable(new Error('away'));

describe('jobs that wait for a provider that is down', () => {
  /** Two of them, which have the report of another provider. */
  async function waitingJobs(): Promise<[string, string]> {
    const jobs = [await createJob(store), await createJob(store)] as const;
    for (const { jobId, stepIds } of jobs) await onJob(store, jobId, start(stepIds[0] ?? ''), report(stepIds[0] ?? '', 1, success()));
    await store.pool.query(`update agenda set waiting = true, look_at = 'infinity' where kind = 'dispatch step'`);
    return [jobs[0].jobId, jobs[1].jobId];
  }
  const skippedOf = async (jobId: string): Promise<number> =>
    (await eventTypes(store, jobId)).filter((type) => type === 'StepSkipped').length;

  it.each(ONLY_THIS_JOB)('go on without it though one cannot be decided about at once: %s', async (error) => {
    const [refused, other] = await waitingJobs();
    await new SkippedSteps(failingFor(refused, error), logger, () => true).goOnWithout('provider-c');
    expect([await skippedOf(refused), await skippedOf(other), reasons]).toEqual([0, 1, ['step_not_skipped']]);
  });

  it('are left alone in an outage', async () => {
    const [refused, other] = await waitingJobs();
    await expect(new SkippedSteps(failingFor(refused, AWAY), logger, () => true).goOnWithout('provider-c')).rejects.toBe(AWAY);
    expect([await skippedOf(other), reasons]).toEqual([0, []]);
  });
});

describe('a run that is given up', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  async function oldRun(): Promise<string> {
    const { jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
    await onJob(store, jobId, start(stepIds[0] ?? ''), externalId(stepIds[0] ?? '', 1), { type: 'CancelJob' });
    return jobId;
  }

  it.each(ONLY_THIS_JOB)('is not kept from it by one that cannot be at once: %s', async (error) => {
    const [refused, other] = [await oldRun(), await oldRun()];
    await passTime(store, DAY_MS);
    const commits = new Commits(store);
    const stop = new GivenUpRuns(failingFor(refused, error), logger).start();
    await commits.until(other, 'StepRunCancelled');
    await stop();
    expect(reasons).toEqual(['run_not_given_up']);
  });
});
