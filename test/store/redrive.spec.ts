import { ADAPTERS } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';
import { stuckJobs } from '@lib/store/agenda/stuck-jobs';
import type { Unit } from '@lib/store/commit/unit';
import type { Store } from '@lib/store/store';
import { verifyHistories } from '../../src/audit/verify-histories';
import type { PlanSettings } from '../../src/threads/plan';
import { redrive } from '../../src/threads/redrive';
import { complete, failure, report, start, success } from '../support/job-history';
import { settingsOfPlan } from '../support/plan-settings';
import { candidate, createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { deleteThread, eventTypes, loseAttempt, onJob, passTime, refusal } from '../support/streams';

const OPERATOR = { ...META, actor: 'command:ada' };
const refusedKey = failure({ errorClass: 'auth', charge: { micros: 0, provenance: 'reported' }, runEnded: true });

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  ({ store } = test);
});
afterAll(async () => {
  expect((await verifyHistories(store.pool, {}, () => undefined)).faults).toEqual([]);
  for await (const { differences } of store.viewRepair.compare()) expect(differences).toEqual([]);
  await test.close();
});

/** One step failed, the other still has to come. */
async function open(balanceReservedCents?: number) {
  const candidates = (['provider-a', 'provider-c'] as const).map((provider) => candidate(provider, { max: 500_000 }));
  const job = await createJob(store, { candidates, balanceReservedCents });
  const [failed = '', other = ''] = job.stepIds;
  await onJob(store, job.jobId, start(failed), report(failed, 1, refusedKey));
  return { ...job, failed, other };
}

/** With a report of the other provider. */
async function ended(balanceReservedCents?: number) {
  const job = await open(balanceReservedCents);
  await onJob(store, job.jobId, start(job.other), report(job.other, 1, success(250_000)), complete);
  return job;
}

const settings = settingsOfPlan();
const redriven = (
  jobId: string,
  { from = store, settings: own = settings, limits }: { from?: Store; settings?: PlanSettings; limits?: Unit['limits'] } = {},
) => redrive(from, own, { jobId, stepIds: null, meta: OPERATOR, limits });

describe('a failed step of an open job', () => {
  it('gets another try in the job itself, recorded with who asked for it', async () => {
    const { jobId, failed } = await open();
    expect(await redriven(jobId)).toEqual({ jobId, stepIds: [failed], capCents: null, uncovered: [] });
    const { rows } = await store.pool.query(
      `select meta ->> 'actor' as actor, facts ->> 'stepId' as step from event where stream_id = $1 and type = 'StepRedriven'`,
      [jobId],
    );
    expect(rows).toEqual([{ actor: 'command:ada', step: failed }]);
    await onJob(store, jobId, start(failed, 'again'), report(failed, 2, success()));
    expect((await store.jobs.load(jobId)).steps[0]).toMatchObject({ status: 'completed' });
  });

  it('gets one try, whoever asks at the same time', async () => {
    const { jobId } = await open();
    const outcomes = await Promise.all([store, test.another(), test.another()].map((from) => refusal(redriven(jobId, { from }))));
    expect(outcomes.sort()).toEqual(['conflict', 'conflict', 'nothing was refused']);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'StepRedriven')).toHaveLength(1);
  });
});

describe('a job that has ended', () => {
  it('stays as it is, and another job asks its failed provider again for what is left of its budget', async () => {
    const { jobId, threadId, failed } = await ended();
    const before = await test.another().views.getJob(TENANT, threadId, jobId);
    const again = await redriven(jobId);
    expect(again).toEqual({ jobId: expect.stringMatching(/^job_/) as string, stepIds: [failed], capCents: 1475, uncovered: [] });
    const child = await store.jobs.load(again.jobId);
    expect(child).toMatchObject({ status: 'pending', parentJobId: jobId, threadId, budgetCapCents: 1475, budgetTier: 'M' });
    expect(child.steps.map(({ entry }) => entry.provider)).toEqual(['provider-a']);
    expect(await store.contents.ofJob(again.jobId, threadId).question()).toBe('How?');
    expect(await test.another().views.getJob(TENANT, threadId, jobId)).toEqual(before);
    expect((await eventTypes(store, jobId)).slice(-2)).toEqual(['JobCompleted', 'JobRedriven']);
  });

  it('tells whom the rest of its budget does not cover as well, and these can be asked once the other job has ended', async () => {
    const candidates = (['provider-a', 'provider-b', 'provider-c'] as const).map((provider) => candidate(provider, { max: 100_000 }));
    const { jobId, stepIds } = await createJob(store, { candidates, budgetTier: 'XL', budgetCapCents: 60 });
    const refusedKey = failure({ errorClass: 'auth', charge: { micros: 0, provenance: 'reported' }, runEnded: true });
    await onJob(store, jobId, ...stepIds.flatMap((stepId) => [start(stepId), report(stepId, 1, refusedKey)]));
    expect(await redriven(jobId)).toMatchObject({ stepIds, uncovered: ['provider-b', 'provider-c'] });
  });

  it('is not asked again of the local documents for want of a key, and can be once the key is there', async () => {
    const { jobId, failed } = await ended();
    const keyless = { ...settings, providers: readProvidersFile(undefined, ADAPTERS, {}) };
    await expect(redriven(jobId, { settings: keyless })).rejects.toThrow(
      'The job asked provider-a by simulated (now corpus); with the settings of this command a free adapter would answer instead',
    );
    expect(await redriven(jobId)).toMatchObject({ stepIds: [failed] });
  });

  it('is asked again once, whoever asks at the same time', async () => {
    const { jobId, threadId } = await ended();
    const outcomes = await Promise.all([store, test.another(), test.another()].map((from) => refusal(redriven(jobId, { from }))));
    expect(outcomes.sort()).toEqual(['conflict', 'conflict', 'nothing was refused']);
    expect((await store.pool.query('select from job where thread_id = $1', [threadId])).rowCount).toBe(2);
  });

  it('takes its reservation of the balance again, once, and is refused where it is not covered', async () => {
    const { jobId, threadId } = await ended();
    const needsBalance = settingsOfPlan({ needsBalance: true });
    expect(await refusal(redriven(jobId, { settings: needsBalance }))).toBe('insufficient_balance');
    expect((await store.pool.query('select from job where thread_id = $1', [threadId])).rowCount).toBe(1);
    await store.balances.change({ tenantId: TENANT, kind: 'top_up', cents: 1_500, reference: 'top-up' });
    const { jobId: child } = await redriven(jobId, { settings: needsBalance });
    expect((await store.jobs.load(child)).balanceReservedCents).toBe(1475);
    const { rows } = await store.pool.query<{ cents: string }>(
      `select reserved_cents::text as cents from balance_transaction where job_id = $1`,
      [child],
    );
    expect(rows).toEqual([{ cents: '1475' }]);
  });

  it('is not asked again at another markup, or without holding the balance that it held itself', async () => {
    const { jobId } = await ended();
    await expect(redriven(jobId, { settings: settingsOfPlan({ markupBasisPoints: 2_000 }) })).rejects.toThrow(
      'The job was asked for with MARKUP_PERCENT=0, and this command has 20: give it the same.',
    );
    await store.balances.change({ tenantId: TENANT, kind: 'top_up', cents: 3_000, reference: 'top-up of two jobs' });
    const paid = await ended(1_500);
    await expect(redriven(paid.jobId)).rejects.toThrow('The job held a balance, but BALANCE is not `required` here');
    expect(await redriven(paid.jobId, { settings: settingsOfPlan({ needsBalance: true }) })).toMatchObject({ stepIds: [paid.failed] });
  });

  it('counts in the limits of its tenant', async () => {
    const { jobId } = await ended();
    const limits = [{ keyId: null, openJobs: 0, dailyCents: null, warningCents: null }];
    expect(await refusal(redriven(jobId, { limits }))).toBe('too_many_open_jobs');
    expect((await eventTypes(store, jobId)).at(-1)).toBe('JobCompleted');
  });

  it('is not asked again once its thread is deleted', async () => {
    const { jobId, threadId } = await ended();
    await deleteThread(store, threadId);
    expect(await refusal(redriven(jobId))).toBe('thread_not_found');
    const running = await open();
    await deleteThread(store, running.threadId);
    expect(await refusal(redriven(running.jobId))).toBe('thread_not_found');
  });

  it('has an answer for a job that is not there', async () => {
    expect(await refusal(redriven('job_01jd6xw8k2e4zvq7h3m5n9p0rs'))).toBe('job_not_found');
  });
});

describe('the list of jobs that are stuck', () => {
  const reasons = async (id: string) =>
    (await stuckJobs(store.pool, null, 1_000)).filter((stuck) => stuck.id === id).map(({ reason }) => reason);

  it('has none that gets on', async () => {
    const { jobId, other } = await open();
    await onJob(store, jobId, start(other));
    expect(await reasons(jobId)).toEqual([]);
  });

  it.each<[string, string]>([
    [
      'deadline_over',
      `update agenda set due_at = now() - interval '2 minutes', look_at = now() where job_id = $1 and kind = 'job deadline'`,
    ],
    ['set_aside', `update agenda set look_at = now() + interval '1 hour' where job_id = $1`],
    ['no_deadline', `delete from agenda where job_id = $1 and kind = 'job deadline'`],
    ['lease_over', `update agenda set due_at = now() - interval '2 minutes', look_at = now() where job_id = $1 and kind = 'lease'`],
    ['step_without_lease', `delete from agenda where job_id = $1 and kind = 'lease'`],
    ['not_looked_at', `update agenda set kind = 'retry', look_at = now() - interval '2 minutes' where job_id = $1 and kind = 'lease'`],
    [
      'waits_for_provider',
      `update agenda set kind = 'retry', waiting = true, due_at = now() - interval '16 minutes' where job_id = $1 and kind = 'lease'`,
    ],
    [
      'run_not_stopped',
      `insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'cancel run', 'x', now() - interval '61 minutes', now())`,
    ],
    [
      'synthesis_tried_again',
      `insert into agenda (job_id, kind, ref, tries, due_at, look_at) values ($1, 'dispatch synthesis', '', 2, now(), now())`,
    ],
    [
      'not_erased',
      `insert into agenda (job_id, kind, ref, due_at, look_at) values ($1, 'erase thread', '', now() - interval '11 minutes', now())`,
    ],
  ])('names %s', async (reason, change) => {
    const { jobId, other } = await open();
    await onJob(store, jobId, start(other));
    expect((await store.pool.query(change, [jobId])).rowCount).toBeGreaterThan(0);
    const found = await reasons(jobId);
    await store.viewRepair.repair(jobId, [], () => undefined);
    await store.pool.query(`delete from agenda where job_id = $1 and ref in ('x', '')`, [jobId]);
    expect(found).toContain(reason);
  });

  it('names attempts that were lost more than once', async () => {
    const { jobId, stepIds } = await createJob(store);
    const [stepId = ''] = stepIds;
    for (const attempt of [1, 2]) {
      await onJob(store, jobId, start(stepId, `claim ${attempt}`));
      await passTime(store, 31_000);
      await loseAttempt(store, jobId, stepId, attempt);
    }
    const [stuck] = (await stuckJobs(store.pool, TENANT, 1_000)).filter(({ id, reason }) => id === jobId && reason === 'attempts_lost');
    expect(stuck).toMatchObject({ stepId, tries: 2, status: 'running', tenantId: TENANT });
    expect(await stuckJobs(store.pool, 'another', 1_000)).toEqual([]);
  });
});
