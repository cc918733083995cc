import type { ProviderId } from '@lib/domain/vocabulary';
import type { Admitted, Window } from '@lib/store/agenda/admission-table';
import type { Store } from '@lib/store/store';
import { failure, report, start } from '../support/job-history';
import { candidate, createJob, createTestStore, DEADLINES, TENANT, type TestStore } from '../support/store';
import { jobState, onJob, passGateTime, passTime } from '../support/streams';

const PROVIDER: ProviderId = 'provider-a';
const OPEN_MS = 30_000;
const AGAIN_MS = 30_000;

let test: TestStore;
let store: Store;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
});
afterEach(() => test.close());

async function admit(window: Partial<Window> = {}): Promise<Admitted> {
  const all = await store.admission.admit(new Map([[PROVIDER, { size: 8, paceMs: 0, ...window }]]), OPEN_MS, AGAIN_MS);
  return all.get(PROVIDER) as Admitted;
}

/** A job with one step at the provider. */
const ask = (tenantId = 'tenant') => createJob(store, { tenantId, candidates: [candidate(PROVIDER)] });

const fail = async (times: number): Promise<void> => {
  for (let failures = 1; failures <= times; failures += 1) await store.admission.recordFailure(PROVIDER, 5, OPEN_MS);
};

const admittedJobs = ({ steps }: Admitted): string[] => steps.map(({ jobId }) => jobId);

describe('a provider that has failed five times in a row for one tenant', () => {
  const failFor = async (tenantId: string, times: number): Promise<void> => {
    for (let failures = 1; failures <= times; failures += 1) await store.admission.recordFailure(PROVIDER, 5, OPEN_MS, tenantId);
  };
  const isDownFor = async (tenantId?: string) => (await store.admission.gates(tenantId)).get(PROVIDER)?.down ?? false;

  it('is there for others, and for that one lets one step through in each time', async () => {
    await failFor('poison', 5);
    const own = [(await ask('poison')).jobId, (await ask('poison')).jobId];
    const other = await ask('other');
    await store.pool.query('update agenda set waiting = true');
    expect(admittedJobs(await admit())).toEqual([other.jobId]);
    expect([await isDownFor('poison'), await isDownFor('other'), await isDownFor()]).toEqual([true, false, true]);
    await passGateTime(store, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([own[0]]);
    expect(admittedJobs(await admit())).toEqual([]);
    await passGateTime(store, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([own[1]]);
  });

  it('is there for that one again an hour after its last failure, should a build that does not know such gates have taken over', async () => {
    await failFor('poison', 5);
    const jobs = [(await ask('poison')).jobId, (await ask('poison')).jobId];
    await store.pool.query('update agenda set waiting = true');
    await passGateTime(store, 3_600_001);
    expect(admittedJobs(await admit())).toEqual(jobs);
  });

  it('takes back a step of that one that was dispatched, and none of others', async () => {
    const [own, other] = [await ask('poison'), await ask('other')];
    await failFor('poison', 5);
    const returned = ({ jobId, stepIds: [stepId = ''] }: Awaited<ReturnType<typeof ask>>) => store.admission.returnStep({ jobId, stepId });
    expect([await returned(own), await returned(other)]).toEqual([PROVIDER, null]);
  });

  it('is down for all once a step of another one fails as well, and for nobody after one answer', async () => {
    await failFor('poison', 5);
    await failFor('other', 1);
    const { jobId } = await ask('third');
    expect(await admit()).toMatchObject({ steps: [], down: true });
    await store.admission.recordAnswer(PROVIDER, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([jobId]);
    expect([await isDownFor('poison'), await isDownFor()]).toEqual([false, false]);
    // Every look reads all gates: those of tenants must not pile up, nor count once it has answered.
    expect((await store.pool.query('select provider from provider_gate where provider like $1', [`${PROVIDER}%`])).rows).toEqual([
      { provider: PROVIDER },
    ]);
    await failFor('poison', 5);
    expect([await isDownFor('poison'), await isDownFor('other')]).toEqual([true, false]);
  });
});

describe('a provider that has failed five times in a row', () => {
  it('gets no steps for its time, and then one in each such time', async () => {
    await fail(5);
    const jobs = [(await ask()).jobId, (await ask()).jobId];
    expect(await admit()).toMatchObject({ steps: [], waiting: true, down: true, failures: 5 });
    await passGateTime(store, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([jobs[0]]);
    expect(admittedJobs(await admit())).toEqual([]);
    await passGateTime(store, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([jobs[1]]);
  });

  it('is open to all again after one answer', async () => {
    await fail(5);
    const jobs = [(await ask()).jobId, (await ask()).jobId];
    await store.admission.recordAnswer(PROVIDER, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual(jobs);
    expect(await admit()).toMatchObject({ failures: 0, down: false, heldMs: 0 });
  });

  it('is not held for longer by a clock that was set back by an hour', async () => {
    await fail(5);
    const { jobId } = await ask();
    await passGateTime(store, -3_600_000);
    expect(admittedJobs(await admit())).toEqual([jobId]);
  });

  it('gets none of the steps that were dispatched before but the one that tries it', async () => {
    const before = await ask();
    await fail(5);
    const trial = await ask();
    await passGateTime(store, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([trial.jobId]);
    const returned = ({ jobId, stepIds: [stepId = ''] }: typeof trial) => store.admission.returnStep({ jobId, stepId });
    expect([await returned(trial), await returned(before)]).toEqual([null, PROVIDER]);
    await store.admission.recordAnswer(PROVIDER, OPEN_MS);
    expect(admittedJobs(await admit())).toEqual([before.jobId]);
  });
});

describe('a step that waits for a provider that is down', () => {
  const take = async () => (await store.admission.takeImpatient(10, AGAIN_MS)).map(({ jobId, ends }) => ({ jobId, ends }));
  /** What a build without admission does to every row. */
  const wake = () => store.pool.query('update agenda set look_at = clock_timestamp()');
  const giveUp = () => store.pool.query('update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp()');

  it('comes again until it has ended', async () => {
    await fail(5);
    const { jobId } = await ask();
    await giveUp();
    expect(await take()).toEqual([{ jobId, ends: true }]);
    expect(await take()).toEqual([]);
    await passTime(store, AGAIN_MS);
    expect(await take()).toEqual([{ jobId, ends: true }]);
  });

  it('does not end before its time, whoever woke it', async () => {
    await fail(5);
    const { jobId } = await ask();
    await wake();
    expect(await take()).toEqual([{ jobId, ends: false }]);
    await giveUp();
    expect(await take()).toEqual([{ jobId, ends: true }]);
  });

  it('does not end at all once its provider is open again', async () => {
    await fail(5);
    const { jobId } = await ask();
    await store.admission.recordAnswer(PROVIDER, OPEN_MS);
    await giveUp();
    expect(await take()).toEqual([{ jobId, ends: false }]);
    await fail(5);
    expect(await take()).toEqual([]);
    await wake();
    expect(await take()).toEqual([{ jobId, ends: false }]);
  });

  it('does not end if it began to wait when its time to give up was over, whoever woke it', async () => {
    const returned = await ask();
    await store.pool.query('update agenda set gives_up_at = clock_timestamp()');
    await fail(5);
    const late = await createJob(store, { candidates: [candidate(PROVIDER)], deadlines: { ...DEADLINES, jobMs: -60_000 } });
    const [stepId = ''] = returned.stepIds;
    expect(await store.admission.returnStep({ jobId: returned.jobId, stepId })).toBe(PROVIDER);
    expect(await take()).toEqual([]);
    await wake();
    const both = [returned, late].map(({ jobId }) => ({ jobId, ends: false }));
    expect(await take()).toEqual(expect.arrayContaining(both));
    expect(await take()).toEqual([]);
  });
});

it('four failures, and an answer between others, close nothing', async () => {
  await fail(4);
  await store.admission.recordAnswer(PROVIDER, OPEN_MS);
  await fail(4);
  expect(await admit()).toMatchObject({ failures: 4, down: false, heldMs: 0 });
});

it('a provider that asked for time gets nothing until it is over, and the longest of its wishes counts', async () => {
  await store.admission.hold(PROVIDER, 20_000);
  await store.admission.hold(PROVIDER, 5_000);
  const { jobId } = await ask();
  const held = await admit();
  expect(held).toMatchObject({ steps: [], waiting: true });
  expect(held.nextMs).toBeGreaterThan(10_000);
  await passGateTime(store, 20_000);
  expect(admittedJobs(await admit())).toEqual([jobId]);
});

it('a provider that an operator drains while it is down stays drained when it answers', async () => {
  await fail(5);
  await store.admission.hold(PROVIDER, 7_200_000);
  const { jobId } = await ask();
  expect(await store.admission.recordAnswer(PROVIDER, OPEN_MS)).toMatchObject({ failures: 0, down: false });
  const drained = await admit();
  expect(drained).toMatchObject({ steps: [], waiting: true });
  expect(drained.heldMs).toBeGreaterThan(7_000_000);
  await store.admission.release(PROVIDER);
  expect(admittedJobs(await admit())).toEqual([jobId]);
});

describe('steps that wait for room', () => {
  it('are admitted the tenants in turn, each tenant’s oldest first, and go on where the turn was', async () => {
    await store.admission.hold(PROVIDER, 60_000);
    const names = new Map<string, string>();
    for (const name of ['one 1', 'one 2', 'one 3', 'one 4', 'two 1', 'three 1', 'three 2']) {
      names.set((await ask(`tenant-${name.split(' ')[0]}`)).jobId, name);
    }
    await passGateTime(store, 60_000);
    const next = async (size: number) => admittedJobs(await admit({ size })).map((jobId) => names.get(jobId));
    expect(await next(1)).toEqual(['one 1']);
    expect(await next(1)).toEqual([]);
    expect(await next(4)).toEqual(['three 1', 'two 1', 'one 2']);
    expect(await next(7)).toEqual(['three 2', 'one 3', 'one 4']);
  });

  it('make those of a writer wait behind them, and where nobody waits a writer’s go at once as far as there is room', async () => {
    const few = test.another({ windowOf: () => 2 });
    const askFew = () => createJob(few, { candidates: [candidate(PROVIDER)] });
    const waiting = async () => {
      const { rows } = await store.pool.query<{ waiting: boolean }>(
        `select waiting from agenda where kind = 'dispatch step' order by due_at`,
      );
      return rows.map((row) => row.waiting);
    };
    await askFew();
    await askFew();
    const third = await askFew();
    expect(await waiting()).toEqual([false, false, true]);
    await ask(TENANT);
    expect(await waiting()).toEqual([false, false, true, true]);
    expect(admittedJobs(await admit({ size: 3 }))).toEqual([third.jobId]);
  });

  it('at a distance are admitted one by one', async () => {
    await store.admission.hold(PROVIDER, 60_000);
    await ask();
    await ask();
    await passGateTime(store, 60_000);
    expect(await admit({ paceMs: 10_000 })).toMatchObject({ steps: [{}], waiting: true });
    const { steps, nextMs } = await admit({ paceMs: 10_000 });
    expect([steps.length, nextMs > 1_000]).toEqual([0, true]);
    await passGateTime(store, 10_000);
    expect(await admit({ paceMs: 10_000 })).toMatchObject({ steps: [{}], waiting: false });
  });

  it('are admitted once by several that look at the same time', async () => {
    await store.admission.hold(PROVIDER, 60_000);
    for (let count = 1; count <= 12; count += 1) await ask(`tenant-${count % 3}`);
    await passGateTime(store, 60_000);
    const all = await Promise.all(Array.from({ length: 8 }, () => admit({ size: 9 })));
    const jobs = all.flatMap(admittedJobs);
    expect([jobs.length, new Set(jobs).size]).toEqual([9, 9]);
  });
});

it('a wake-up that comes twice does not begin a retry before its time', async () => {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await ask();
  await onJob(store, jobId, start(stepId), report(stepId, 1, failure({ errorClass: 'rate_limited', retryAfterMs: 60_000 })));
  await onJob(store, jobId, start(stepId, 'duplicate'));
  expect((await jobState(store, jobId)).steps[0]).toMatchObject({ status: 'queued', attempts: [{ attempt: 1 }] });
  await passTime(store, 60_000);
  await onJob(store, jobId, start(stepId, 'in time'));
  expect((await jobState(store, jobId)).steps[0]).toMatchObject({ status: 'running', attempts: [{ attempt: 1 }, { attempt: 2 }] });
});
