import { pino } from 'pino';
import { HOUR_MS } from '@lib/domain/durations';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { STEPS_WAIT_SUBJECT, type Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { Window } from '@lib/store/agenda/admission-table';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { Admission } from '../../src/saga/admission';
import { eventually } from '../messaging/eventually';
import { Arrivals } from '../messaging/arrivals';
import { failure, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { eventTypes, jobState, onJob, passGateTime } from '../support/streams';

const OPEN_MS = 60_000;
const BUSY = report('', 1, failure());

let test: TestStore;
let store: Store;
let transport: Transport;
let dispatched: Arrivals<Work>;
let logged: { reason: string; provider?: string }[];
let admission: Admission | null;
/** How many steps of a provider may be on their way; by their writer none is dispatched. */
let window: Window;
beforeEach(async () => {
  test = await createTestStore({ windowOf: () => 0 });
  store = test.store;
  transport = createMemoryTransport();
  dispatched = new Arrivals();
  transport.dispatch = async (work) => {
    dispatched.push(work);
    return 'queued';
  };
  logged = [];
  admission = null;
  window = { size: 8, paceMs: 0 };
});
afterEach(async () => {
  await admission?.stop();
  await transport.close();
  await test.close();
});

async function startAdmission(on = store, { sweepMs = HOUR_MS, sweeps = false } = {}): Promise<Admission> {
  const logger = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  const settings = { sweepMs, redispatchMs: 30_000, windowOf: () => window, circuit: { failures: 2, openMs: OPEN_MS } };
  admission = new Admission(on, transport, settings, logger);
  await admission.listen();
  if (sweeps) admission.start();
  return admission;
}

/** A job with one step at provider-a, and what its dispatch looks like. */
async function ask(...others: 'provider-c'[]) {
  const { jobId, stepIds } = await createJob(store, { candidates: ['provider-a' as const, ...others].map((name) => candidate(name)) });
  const [stepId = ''] = stepIds;
  return { jobId, stepId, stepIds, work: { kind: 'step', provider: 'provider-a', jobId, stepId, resumes: false } };
}

/** What other processes say when steps begin to wait. */
const told = (payload: unknown) => transport.publish(STEPS_WAIT_SUBJECT, payload);
const reasons = () => logged.map(({ reason }) => reason);

/** Two jobs whose submits failed, heard by this process. */
async function goDown(): Promise<void> {
  for (const { jobId, stepId } of [await ask(), await ask()]) {
    await onJob(store, jobId, start(stepId), { ...BUSY, stepId } as typeof BUSY);
  }
  await eventually(true, async () => reasons().includes('circuit_opened'));
}

describe('steps that wait', () => {
  it('are let go as soon as another process says so', async () => {
    const { work } = await ask();
    await startAdmission();
    told({ providers: ['provider-a'] });
    expect(await dispatched.next()).toEqual(work);
  });

  it.each([
    null,
    7,
    'provider-a',
    {},
    { providers: null },
    { providers: 'provider-a' },
    { providers: [7, null, 'nobody', {}] },
    { providers: [] },
  ])('are let go by nothing that is said like this: %j', async (payload) => {
    await ask();
    await startAdmission();
    await Promise.resolve()
      .then(() => told(payload))
      .catch(() => undefined);
    const { work } = await ask('provider-c');
    told({ providers: ['provider-c'] });
    expect(await dispatched.next()).toMatchObject({ provider: 'provider-c', jobId: work.jobId });
    expect(dispatched.unseen).toEqual([]);
  });

  it('are let go by a look, whoever was not heard', async () => {
    const jobs = [await ask(), await ask()];
    await startAdmission(store, { sweeps: true });
    expect([await dispatched.next(), await dispatched.next()]).toEqual(jobs.map(({ work }) => work));
  });

  it('for room are let go by the claim of another one', async () => {
    window = { size: 1, paceMs: 0 };
    const [first, second] = [await ask(), await ask()];
    await startAdmission();
    told({ providers: ['provider-a'] });
    expect(await dispatched.next()).toEqual(first.work);
    expect(dispatched.unseen).toEqual([]);
    await onJob(store, first.jobId, start(first.stepId));
    expect(await dispatched.next()).toEqual(second.work);
  });

  it('for a distance are let go when it is over', async () => {
    window = { size: 8, paceMs: 150 };
    const [first, second] = [await ask(), await ask()];
    await startAdmission();
    const begun = performance.now();
    told({ providers: ['provider-a'] });
    expect([await dispatched.next(), await dispatched.next()]).toEqual([first.work, second.work]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(149);
  });

  it('are all let go where there are more than one statement takes', async () => {
    window = { size: 1_000, paceMs: 0 };
    await Promise.all(Array.from({ length: 101 }, () => ask()));
    await startAdmission();
    told({ providers: ['provider-a'] });
    for (let count = 0; count < 101; count += 1) await dispatched.next();
    expect(dispatched.unseen).toEqual([]);
  });

  it('stay where they are once the process stops', async () => {
    const stopping = await startAdmission();
    await stopping.stop();
    await ask();
    told({ providers: ['provider-a'] });
    await onJob(store, (await ask()).jobId, { type: 'CancelJob' });
    expect(dispatched.unseen).toEqual([]);
  });

  it('are with the next look after one that the database did not answer', async () => {
    const { work } = await ask();
    await store.pool.query('alter table agenda rename to agenda_away');
    await startAdmission(store, { sweeps: true, sweepMs: 20 });
    await eventually(true, async () => reasons().includes('admission_failed'));
    await store.pool.query('alter table agenda_away rename to agenda');
    expect(await dispatched.next()).toEqual(work);
  });
});

it('neither a look that finds nobody who has waited for too long nor an admission is repeated at once', async () => {
  const looked = { times: 0, admissions: 0 };
  const table = Object.create(store.admission) as Store['admission'];
  table.admit = async (...wanted) => {
    looked.admissions += 1;
    return store.admission.admit(...wanted);
  };
  table.takeImpatient = async (limit, againMs) => {
    looked.times += 1;
    return store.admission.takeImpatient(limit, againMs);
  };
  const { work } = await ask();
  await startAdmission({ ...store, admission: table }, { sweeps: true });
  expect(await dispatched.next()).toEqual(work);
  for (let more = 0; more < 5; more += 1) {
    const { work: next } = await ask();
    told({ providers: ['provider-a'] });
    expect(await dispatched.next()).toEqual(next);
  }
  expect(looked.times).toBe(1);
  // The look's own, and one each time that somebody said so.
  expect(looked.admissions).toBeLessThanOrEqual(1 + 5);
});

it('steps that wait for room are asked about when somebody says so, and not again and again', async () => {
  window = { size: 1, paceMs: 0 };
  let admissions = 0;
  const table = Object.create(store.admission) as Store['admission'];
  table.admit = async (...wanted) => {
    admissions += 1;
    return store.admission.admit(...wanted);
  };
  const first = await ask();
  await ask();
  await startAdmission({ ...store, admission: table });
  told({ providers: ['provider-a'] });
  expect(await dispatched.next()).toEqual(first.work);
  // Far more time than an admission takes.
  for (let more = 0; more < 50; more += 1) await store.pool.query('select 1');
  expect(admissions).toBe(1);
});

describe('a provider that fails', () => {
  it('is said to be down once, with how often it failed, and open again with its first answer', async () => {
    await startAdmission();
    await goDown();
    expect(logged).toMatchObject([{ reason: 'circuit_opened', provider: 'provider-a', failures: 2, errorClass: 'overloaded' }]);
    const { jobId, stepId } = await ask();
    await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    await eventually(true, async () => reasons().includes('circuit_closed'));
    expect(reasons()).toEqual(['circuit_opened', 'circuit_closed']);
  });

  it('lets the waiting steps go with its first answer', async () => {
    await startAdmission();
    await goDown();
    const [waiting, other] = [await ask(), await ask()];
    await onJob(store, other.jobId, start(other.stepId), report(other.stepId, 1, success()));
    // Beside it those that failed are tried again, once their time has come.
    let released = await dispatched.next();
    while ('stepId' in released && released.stepId !== waiting.stepId) released = await dispatched.next();
    expect(released).toEqual(waiting.work);
  });

  it('gets no step that was on its way, which waits again and goes when the time is over', async () => {
    window = { size: 8, paceMs: 0 };
    const held = await startAdmission();
    const before = await ask();
    told({ providers: ['provider-a'] });
    expect(await dispatched.next()).toEqual(before.work);
    expect(await held.mayStart(before)).toBe(true);
    await goDown();
    expect(await held.mayStart(before)).toBe(false);
    expect((await jobState(store, before.jobId)).steps[0]?.status).toBe('queued');
    await passGateTime(store, OPEN_MS);
    told({ providers: ['provider-a'] });
    expect(await dispatched.next()).toMatchObject({ provider: 'provider-a' });
  });

  it('is tried by all steps of a tenant again once its last failure there is an hour old', async () => {
    const held = await startAdmission();
    await goDown();
    await passGateTime(store, HOUR_MS);
    const steps = [await ask(), await ask()];
    told({ providers: ['provider-a'] });
    for (const step of steps) {
      expect(await dispatched.next()).toEqual(step.work);
      expect(await held.mayStart(step)).toBe(true);
    }
    expect((await store.admission.gates()).get('provider-a')).toMatchObject({ down: false });
  });

  it('is done without by a job whose other steps are done', async () => {
    await startAdmission();
    const { jobId, stepIds } = await ask('provider-c');
    await onJob(store, jobId, start(stepIds[1] ?? ''));
    await goDown();
    await onJob(store, jobId, report(stepIds[1] ?? '', 1, success()));
    await eventually(true, async () => (await eventTypes(store, jobId)).includes('StepSkipped'));
    const { steps } = await jobState(store, jobId);
    expect(steps[0]).toMatchObject({ status: 'skipped', failure: 'circuit_open', attempts: [] });
    const { rows } = await store.pool.query<{ meta: object }>(`select meta from event where stream_id = $1 and type = 'StepSkipped'`, [
      jobId,
    ]);
    expect(rows).toMatchObject([{ meta: { actor: 'role:saga', correlationId: `${stepIds[0]} waits` } }]);
  });

  it('is done without by a job whose other steps were done before', async () => {
    await startAdmission();
    const { jobId, stepIds } = await ask('provider-c');
    await onJob(store, jobId, start(stepIds[1] ?? ''), report(stepIds[1] ?? '', 1, success()));
    expect(await eventTypes(store, jobId)).not.toContain('StepSkipped');
    await goDown();
    await eventually(true, async () => (await eventTypes(store, jobId)).includes('StepSkipped'));
  });

  it('ends the steps that have waited for it for too long, each by itself', async () => {
    const waiting = [await ask(), await ask()];
    const [unwell = ''] = waiting.map(({ jobId }) => jobId);
    const jobs = Object.create(store.jobs) as Store['jobs'];
    jobs.execute = (jobId, ...rest) => {
      if (jobId === unwell) return Promise.reject(new TypeError('a mistake'));
      return store.jobs.execute(jobId, ...rest);
    };
    await startAdmission({ ...store, jobs });
    await goDown();
    await store.pool.query(`update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp() where job_id = any($1)`, [
      waiting.map(({ jobId }) => jobId),
    ]);
    admission?.start();
    await eventually(true, async () => (await eventTypes(store, waiting[1]?.jobId ?? '')).includes('JobFailed'));
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'step_not_skipped', jobId: unwell }));
  });

  it('is left for the next look by an outage', async () => {
    const { jobId } = await ask();
    let outages = 1;
    const jobs = Object.create(store.jobs) as Store['jobs'];
    jobs.execute = (...given) => (outages-- > 0 ? Promise.reject(new StoreUnavailable(new Error('away'))) : store.jobs.execute(...given));
    await startAdmission({ ...store, jobs });
    await goDown();
    await store.pool.query(`update agenda set look_at = clock_timestamp(), gives_up_at = clock_timestamp() where job_id = $1`, [jobId]);
    admission?.start();
    await eventually(true, async () => outages <= 0 && reasons().includes('admission_failed'));
    expect(reasons()).not.toContain('step_not_skipped');
  });
});

it('an event that cannot be looked at is said to be, and the next one of its provider is heard', async () => {
  let outages = 1;
  const jobs = Object.create(store.jobs) as Store['jobs'];
  jobs.recall = (...given) => (outages-- > 0 ? Promise.reject(new StoreUnavailable(new Error('away'))) : store.jobs.recall(...given));
  await startAdmission({ ...store, jobs });
  const { jobId, stepId } = await ask();
  await onJob(store, jobId, start(stepId), { ...BUSY, stepId } as typeof BUSY);
  await eventually(true, async () => reasons().includes('admission_failed'));
  await goDown();
  expect(reasons()).toEqual(['admission_failed', 'circuit_opened']);
});

it('a provider that wants time gets no step until it is over', async () => {
  const held = await startAdmission();
  const waiting = await ask();
  const { jobId, stepId } = await ask();
  await onJob(store, jobId, start(stepId), report(stepId, 1, failure({ errorClass: 'rate_limited', retryAfterMs: 300 })));
  await eventually(false, async () => held.mayStart(waiting));
  // Nobody tells it: it goes by itself once the time is over.
  expect(await dispatched.next()).toMatchObject({ provider: 'provider-a' });
  expect(reasons()).toEqual([]);
});
