import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { HOUR_MS } from '@lib/domain/durations';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { openStore, type Store } from '@lib/store/store';
import { dispatchCommits } from '../../src/dispatch/dispatch';
import { Admission } from '../../src/saga/admission';
import { Saga } from '../../src/saga/saga';
import { Expiry, type ExpirySettings } from '../../src/saga/expiry';
import { Sweeper } from '../../src/saga/sweeper';
import { Arrivals } from '../messaging/arrivals';
import { eventually } from '../messaging/eventually';
import { Commits } from '../support/commits';
import { claimSynthesis, complete, report, start, success } from '../support/job-history';
import { startPostgresProxy } from '../support/postgres-proxy';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, DEADLINES, TENANT, type TestStore } from '../support/store';
import { addMessage, eventTypes, jobState, onJob, passTime, pursue } from '../support/streams';
import { HOLD } from '../support/hold';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
let commits: Commits;
let transport: Transport;
let connectedMs: number | null;
let reconnect: () => void;
let logged: { reason: string; queued?: number; already_queued?: number }[];
/** The job of each dispatch. */
let dispatched: string[];
let running: (() => Promise<void>)[];
beforeEach(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
  commits = new Commits(store);
  connectedMs = Infinity;
  const reconnected: (() => void)[] = [];
  reconnect = () => reconnected.forEach((callback) => callback());
  dispatched = [];
  const memory = createMemoryTransport();
  const dispatch = memory.dispatch.bind(memory);
  transport = Object.assign(memory, {
    dispatch: (work: Work) => {
      dispatched.push(work.jobId);
      return dispatch(work);
    },
    connectedForMs: () => connectedMs,
    onReconnect: (callback: () => void) => void reconnected.push(callback),
  });
  logged = [];
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((stop) => stop()));
  await transport.close();
  await test.close();
});

function startSweeper(settings: Partial<ExpirySettings> = {}, on = store): void {
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  const given = { sweepMs: 5, leaseMs: 20, reportsMs: 20, redispatchMs: HOUR_MS, ...settings };
  for (const loop of [new Sweeper(on, transport, given, logger), new Expiry(on, transport, given, logger)]) {
    running.push(loop.start());
  }
}

/** A store whose wire to the database can be cut, and what it commits. */
async function storeBehindProxy() {
  const proxy = await startPostgresProxy(test.databaseUrl);
  const { masterKey } = test;
  const behind = openStore({
    databaseUrl: proxy.url,
    connections: 2,
    masterKeys: [masterKey],
    leaseMs: LEASE_MS,
    redispatchFirstMs: 10_000,
  });
  return { proxy, behind, lost: new Commits(behind) };
}

async function stopBehindProxy({ proxy, behind }: Pick<Awaited<ReturnType<typeof storeBehindProxy>>, 'proxy' | 'behind'>): Promise<void> {
  await Promise.all(running.splice(0).map((stop) => stop()));
  await behind.close();
  await proxy.close();
}

const saying = (reason: string) => logged.filter((line) => line.reason === reason).length;
const outages = () => saying('sweep_failed') + saying('expiry_failed');
const countedInLogs = () => logged.reduce((sum, { queued = 0, already_queued: waiting = 0 }) => sum + queued + waiting, 0);
const dispatchesOf = (jobId: string) => dispatched.filter((other) => other === jobId).length;

/** A job whose first step runs under a lease that has run out. */
async function overdueJob(): Promise<string> {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store);
  await onJob(store, jobId, start(stepId));
  await passTime(store, LEASE_MS + 1);
  return jobId;
}

/** Another job is dispatched with every look: so many more looks have been taken when this resolves. */
async function looks(count: number): Promise<void> {
  const wanted = dispatched.length + count;
  await eventually(true, async () => dispatched.length >= wanted);
}

describe('an attempt whose lease has run out', () => {
  it('is lost once the sweeper has been steady for one lease', async () => {
    const jobId = await overdueJob();
    startSweeper();
    await commits.until(jobId, 'StepAttemptLost');
    expect((await jobState(store, jobId)).steps[0]).toMatchObject({ status: 'queued', retry: { delayMs: 0 } });
    const { rows } = await store.pool.query(`select meta from event where stream_id = $1 and type = 'StepAttemptLost'`, [jobId]);
    expect(rows).toMatchObject([{ meta: { actor: 'role:saga', correlationId: 'agenda:lease' } }]);
  });

  it('is not lost while the sweeper itself is younger than a lease', async () => {
    const jobId = await overdueJob();
    startSweeper({ leaseMs: HOUR_MS, redispatchMs: 1 });
    await looks(10);
    expect(commits.of(jobId)).not.toContain('StepAttemptLost');
  });

  it.each([
    ['down', null],
    ['back for less than a lease', 19],
  ])('is not lost while the transport is %s', async (_, milliseconds) => {
    const jobId = await overdueJob();
    connectedMs = milliseconds;
    startSweeper({ redispatchMs: 1 });
    await looks(20);
    expect(commits.of(jobId)).not.toContain('StepAttemptLost');
    connectedMs = 20;
    await commits.until(jobId, 'StepAttemptLost');
  });

  it('is not lost because the database was away: a whole lease has to pass after that', async () => {
    const { proxy, behind, lost } = await storeBehindProxy();
    const leaseMs = 300;
    startSweeper({ leaseMs }, behind);
    // Steady by then: what is overdue is lost at once.
    await lost.until(await overdueJob(), 'StepAttemptLost');
    proxy.interrupt();
    await eventually(true, async () => saying('expiry_failed') > 0);
    const jobId = await overdueJob();
    const back = performance.now();
    proxy.resume();
    await lost.until(jobId, 'StepAttemptLost');
    expect(performance.now() - back).toBeGreaterThanOrEqual(leaseMs);
    await stopBehindProxy({ proxy, behind });
  });

  it('is not lost because this process stood still: a whole lease has to pass after that', async () => {
    const leaseMs = 300;
    // A look that is sent in the moment of the standstill may take the lease, and leaves it to a later one.
    startSweeper({ leaseMs, redispatchMs: 50 });
    await commits.until(await overdueJob(), 'StepAttemptLost');
    let back = 0;
    const jobId = await overdueJobWhile(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
      // Here, and not once the job is known: a busy machine may take some of the lease until then.
      back = performance.now();
    });
    await commits.until(jobId, 'StepAttemptLost');
    expect(performance.now() - back).toBeGreaterThanOrEqual(leaseMs - 10);
  });

  it('is not lost because a look of the sweeper hung in the database: a whole lease has to pass after that', async () => {
    const leaseMs = 300;
    startSweeper({ leaseMs, redispatchMs: 50 });
    await commits.until(await overdueJob(), 'StepAttemptLost');
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await onJob(store, jobId, start(stepId));
    const holder = await test.another().pool.connect();
    await holder.query('begin; lock table agenda in access exclusive mode');
    await sleep(1_200);
    // It ran out meanwhile, and no heartbeat could have been recorded.
    await holder.query("update agenda set due_at = clock_timestamp(), look_at = clock_timestamp() where kind = 'lease'");
    const back = performance.now();
    await holder.query('commit');
    holder.release();
    await commits.until(jobId, 'StepAttemptLost');
    expect(performance.now() - back).toBeGreaterThanOrEqual(leaseMs - 10);
  });
});

it('a synthesis whose holder says nothing for its share of the time is lost, and offered to others', async () => {
  const { jobId, stepIds } = await createJob(store, { synthesisReserveMicros: 10_000 });
  for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
  await onJob(store, jobId, claimSynthesis());
  await passTime(store, DEADLINES.synthesisMs / 2);
  startSweeper();
  await commits.until(jobId, 'SynthesisAttemptLost');
  expect(await jobState(store, jobId)).toMatchObject({ status: 'synthesizing', syntheses: [{ attempt: 1 }] });
});

describe('a lease that is renewed', () => {
  it('after the look that found it, but before its attempt is lost, is kept', async () => {
    const { proxy, behind, lost } = await storeBehindProxy();
    startSweeper({}, behind);
    await lost.until(await overdueJob(), 'StepAttemptLost');
    const { jobId, stepIds } = await createJob(store);
    const [stepId = ''] = stepIds;
    await onJob(store, jobId, start(stepId));
    // Between the look, which reads the agenda alone, and the loss.
    const holder = await test.another().pool.connect();
    await holder.query('begin; lock table event in access exclusive mode');
    await passTime(store, LEASE_MS + 1);
    await eventually(true, async () => isTaken(jobId));
    expect(await new Saga(store, LEASE_MS, runHere).heartbeat({ jobId, stepId, attempt: 1 })).toEqual({ goOn: true });
    await holder.query('commit');
    holder.release();
    // The next look begins when the one that found it is over.
    proxy.delayAnswerOf('agenda_take_expired', 1);
    await eventually(1, async () => proxy.delayed());
    expect(await eventTypes(store, jobId)).not.toContain('StepAttemptLost');
    await stopBehindProxy({ proxy, behind });
  });
});

/** Whether a sweeper has taken the job's lease to end it: its next look is some seconds away. */
async function isTaken(jobId: string): Promise<boolean> {
  const { rows } = await store.pool.query(
    `select from agenda where job_id = $1 and kind = 'lease' and due_at < clock_timestamp() and look_at > clock_timestamp()`,
    [jobId],
  );
  return rows.length === 1;
}

/** The lease runs out in the very moment in which `stall` begins, so no look can have found it before. */
async function overdueJobWhile(stall: () => void): Promise<string> {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store);
  await onJob(store, jobId, start(stepId));
  const passing = passTime(store, LEASE_MS + 1);
  await new Promise((resolve) => setImmediate(resolve));
  stall();
  await passing;
  return jobId;
}

describe('a deadline', () => {
  it('fails a job of which nothing has started, with every step skipped', async () => {
    const { jobId } = await createJob(store);
    startSweeper();
    await passTime(store, 24 * HOUR_MS + 1);
    await commits.until(jobId, 'JobFailed');
    expect(commits.of(jobId)).toEqual(['JobRequested', 'DeadlineReached', 'StepSkipped', 'StepSkipped', 'JobFailed']);
    const { rows } = await store.pool.query(`select facts ->> 'reason' as reason from event where type = 'JobFailed'`);
    expect(rows).toEqual([{ reason: 'not_started' }]);
  });

  it('of a job that runs ends its steps and lets what there is be synthesized', async () => {
    const {
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store);
    await onJob(store, jobId, start(one), report(one, 1, success()), start(two));
    // Heartbeats keep the lease, the deadline passes.
    await store.pool.query(`update agenda set due_at = now(), look_at = now() where kind = 'job deadline'`);
    startSweeper();
    await commits.until(jobId, 'SynthesisStarted');
    expect(commits.of(jobId).slice(-3)).toEqual(['DeadlineReached', 'StepFailed', 'SynthesisStarted']);
  });

  it('ends soon after an outage, long before any lease does', async () => {
    const { jobId, stepIds } = await createJob(store);
    const [one = ''] = stepIds;
    await onJob(store, jobId, start(one));
    const other = await overdueJob();
    await store.pool.query(`update agenda set due_at = now(), look_at = now() where kind = 'job deadline' and job_id = $1`, [jobId]);
    startSweeper({ leaseMs: HOUR_MS, reportsMs: 500 });
    const began = performance.now();
    await commits.until(jobId, 'DeadlineReached');
    expect(performance.now() - began).toBeGreaterThan(490);
    expect(commits.of(other)).not.toContain('StepAttemptLost');
  });

  it('alone is looked for through everything once, and then through what has become due since', async () => {
    const { agenda } = store;
    const reads: (number | null | undefined)[] = [];
    const spied = Object.assign(Object.create(agenda) as typeof agenda, {
      takeExpired: (...given: Parameters<typeof agenda.takeExpired>) => {
        if (given[0] > 0) reads.push(given[2]);
        return agenda.takeExpired(...given);
      },
    });
    startSweeper({ leaseMs: HOUR_MS, reportsMs: 50 }, { ...store, agenda: spied });
    await eventually(true, async () => reads.length >= 10);
    expect(reads.slice(0, 10)).toEqual([null, ...Array.from({ length: 9 }, () => 15_000)]);
  });

  it('of a synthesis or of a queue waits for as long as a lease after an outage: its next try may come later than a report', async () => {
    const { jobId, stepIds } = await createJob(store);
    await onJob(store, jobId, start(stepIds[0] ?? ''));
    const queued = await createJob(store);
    const late = await synthesizing(1);
    const due = `update agenda set due_at = now(), look_at = now() - interval '1 second' where kind = 'job deadline'`;
    await store.pool.query(due);
    startSweeper({ leaseMs: HOUR_MS });
    await commits.until(jobId, 'DeadlineReached');
    const { rows } = await store.pool.query(`select job_id from agenda where kind = 'job deadline' and look_at < now() order by due_at`);
    expect(rows.map(({ job_id: id }) => id as string).sort()).toEqual([queued.jobId, late].sort());
  });

  it('that a look found which then hung in the database ends soon after it', async () => {
    startSweeper({ leaseMs: 300 });
    await commits.until(await overdueJob(), 'StepAttemptLost');
    const { jobId } = await createJob(store);
    const holder = await test.another().pool.connect();
    await holder.query('begin; lock table agenda in access exclusive mode');
    await sleep(1_200);
    // The look that hangs takes it.
    const due = `update agenda set due_at = now(), look_at = now() - interval '3 seconds' where kind = 'job deadline' and job_id = $1`;
    await holder.query(due, [jobId]);
    await holder.query('commit');
    holder.release();
    const began = performance.now();
    await commits.until(jobId, 'DeadlineReached');
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 30_000);

  /** A job that has waited for a synthesizer for so long. */
  const synthesizing = async (hours: number): Promise<string> => {
    const { jobId, stepIds } = await createJob(store);
    for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    await passTime(store, hours * HOUR_MS);
    return jobId;
  };

  it('of a synthesis fails the job five minutes after its time began, however long it had waited, and whatever is tried after that', async () => {
    const [tried, untried] = [await synthesizing(20), await synthesizing(3)];
    await store.agenda.beginSynthesisDeadline(tried, DEADLINES.synthesisMs);
    await passTime(store, DEADLINES.synthesisMs - 60_000);
    await store.agenda.beginSynthesisDeadline(tried, DEADLINES.synthesisMs);
    await passTime(store, 60_001);
    startSweeper();
    await commits.until(tried, 'JobFailed');
    expect((await onJob(store, tried, complete)).appended).toEqual([]);
    expect((await onJob(store, untried, complete)).appended).not.toEqual([]);
  });

  it('of a synthesis that nobody has begun fails the job after a day', async () => {
    const jobId = await synthesizing(24);
    startSweeper();
    await commits.until(jobId, 'JobFailed');
    expect(commits.of(jobId).slice(-2)).toEqual(['DeadlineReached', 'JobFailed']);
  });
});

describe('what waits to be dispatched', () => {
  it('is dispatched again at its look, and then at each next one', async () => {
    const { jobId } = await createJob(store);
    const dispatched = new Arrivals<string>();
    await transport.consume({ kind: 'step', provider: 'provider-a' }, 1, async ({ work, ack }) => {
      dispatched.push(work.jobId);
      ack();
    });
    startSweeper({ redispatchMs: 1 });
    await passTime(store, 10_001);
    expect([await dispatched.next(), await dispatched.next(), await dispatched.next()]).toEqual([jobId, jobId, jobId]);
  });

  it('is dispatched as well if it has been due for longer than a usual look reads back', async () => {
    const { jobId } = await createJob(store);
    await passTime(store, HOUR_MS);
    const { jobId: locked } = await createJob(store);
    await passTime(store, HOUR_MS);
    const holder = await test.another().pool.connect();
    await holder.query('begin');
    await holder.query('select from agenda where job_id = $1 for update', [locked]);
    startSweeper();
    // The first look reads everything, but passes over what somebody holds.
    await eventually(true, async () => dispatchesOf(jobId) > 0);
    expect(dispatchesOf(locked)).toBe(0);
    await holder.query('rollback');
    holder.release();
    await eventually(true, async () => dispatchesOf(locked) > 0);
  });

  it('is dispatched at once when the sweeper starts, and when the transport is back', async () => {
    const first = await createJob(store);
    startSweeper();
    await eventually(2, async () => dispatched.length);
    const second = await createJob(store);
    // Other looks go on meanwhile, and leave the new rows to their writer.
    const third = await overdueJob();
    await store.pool.query(`update agenda set look_at = now() + interval '1 hour' where job_id = $1 and kind <> 'lease'`, [third]);
    await store.pool.query(`update agenda set look_at = now() + interval '1 hour' where job_id = $1`, [second.jobId]);
    await commits.until(third, 'StepAttemptLost');
    expect(dispatchesOf(second.jobId)).toBeLessThanOrEqual(2);
    const earlier = dispatched.length;
    dispatched.length = 0;
    reconnect();
    await eventually(2, async () => dispatchesOf(second.jobId));
    expect(dispatchesOf(first.jobId)).toBe(2);
    await eventually(earlier + dispatched.length, async () => countedInLogs());
  });

  it('is counted by its kind and by what became of it', async () => {
    await createJob(store);
    const counted = new Arrivals<[string, string]>();
    const measure = (...row: [string, string]) => counted.push(row);
    const sweeper = new Sweeper(store, transport, { sweepMs: 5, redispatchMs: HOUR_MS }, pino({ level: 'silent' }), measure);
    running.push(sweeper.start());
    expect(await counted.next()).toEqual(['dispatch step', 'queued']);
  });

  it('survives a transport that takes nothing', async () => {
    await createJob(store);
    transport.dispatch = async ({ jobId }) => {
      dispatched.push(jobId);
      return 'not_dispatched';
    };
    startSweeper({ redispatchMs: 1 });
    await looks(6);
    expect(outages()).toBe(0);
  });
});

describe('an entry that cannot be done', () => {
  it('keeps no other from being done', async () => {
    await store.pool.query(
      `insert into agenda values ('job_unknown', 'lease', 'stp_unknown#1', 'stp_unknown', 1, 'provider-a', now() - interval '1 hour', now() - interval '1 hour')`,
    );
    const jobId = await overdueJob();
    startSweeper();
    await commits.until(jobId, 'StepAttemptLost');
    await eventually(1, async () => saying('agenda_entry_failed'));
    expect(outages()).toBe(0);
  });
});

it('an outage is told once with what to do, and so is its end, however many rounds it lasts', async () => {
  const { proxy, behind, lost } = await storeBehindProxy();
  startSweeper({ sweepMs: 5 }, behind);
  await lost.until(await overdueJob(), 'StepAttemptLost');
  let rounds = 0;
  const takeDue = behind.agenda.takeDue.bind(behind.agenda);
  behind.agenda.takeDue = (...given) => {
    rounds += 1;
    return takeDue(...given);
  };
  proxy.interrupt();
  await eventually(true, async () => rounds > 20);
  proxy.resume();
  await eventually(2, async () => saying('works_again'));
  for (const reason of ['sweep_failed', 'expiry_failed']) {
    const lines = logged.filter((line) => line.reason === reason);
    expect(lines[0]).toMatchObject({ times: 1, remedy: expect.stringContaining('research doctor') });
    // A connection that breaks, and one that is refused.
    expect(lines.length).toBeLessThanOrEqual(4);
  }
  await stopBehindProxy({ proxy, behind });
});

describe('an outage between the look and the end of what it found', () => {
  it('ends the look, and is no failure of that entry', async () => {
    const { proxy, behind, lost } = await storeBehindProxy();
    startSweeper({}, behind);
    await lost.until(await overdueJob(), 'StepAttemptLost');
    const holder = await test.another().pool.connect();
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await onJob(store, jobId, start(stepId));
    await holder.query('begin; lock table event in access exclusive mode');
    await passTime(store, LEASE_MS + 1);
    await eventually(true, async () => isTaken(jobId));
    proxy.interrupt();
    await eventually(true, async () => saying('expiry_failed') > 0);
    await holder.query('commit');
    holder.release();
    expect(saying('agenda_entry_failed')).toBe(0);
    await stopBehindProxy({ proxy, behind });
  });
});

it('an outage while an entry is ended fails the look, and is not told as a trouble of that entry', async () => {
  const jobId = await overdueJob();
  let outages = 1;
  const jobs = Object.create(store.jobs) as Store['jobs'];
  jobs.execute = (...given) => (outages-- > 0 ? Promise.reject(new StoreUnavailable(new Error('away'))) : store.jobs.execute(...given));
  startSweeper({}, { ...store, jobs });
  await eventually(1, async () => saying('expiry_failed'));
  expect([saying('agenda_entry_waits'), saying('agenda_entry_failed')]).toEqual([0, 0]);
  expect(commits.of(jobId)).not.toContain('StepAttemptLost');
});

describe('a lease of a job of which somebody holds a row', () => {
  it('keeps no other from ending, is no outage, and ends once the row is free', async () => {
    const held = await overdueJob();
    const holder = await test.another().pool.connect();
    await holder.query(HOLD);
    await holder.query('select from job where id = $1 for update', [held]);
    startSweeper({ redispatchMs: 500 });
    await eventually(1, async () => saying('agenda_entry_waits'));
    await commits.until(await overdueJob(), 'StepAttemptLost');
    expect([outages(), commits.of(held).includes('StepAttemptLost')]).toEqual([0, false]);
    await holder.query('commit');
    holder.release();
    await commits.until(held, 'StepAttemptLost');
  });
});

describe('a lease of a job that a newer build has written to', () => {
  it('is left to a newer build, which meets it soon', async () => {
    const jobId = await overdueJob();
    await store.pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, version + 1, 'evt_newer', 'StepDreamt', 1, '{}', meta, hash, hash from event where stream_id = $1 and version = 2`,
      [jobId],
    );
    // Chance makes it twice as long at most, so that processes do not meet at it for ever.
    const chance = jest.spyOn(Math, 'random').mockReturnValue(1);
    startSweeper();
    await eventually(1, async () => saying('newer_history'));
    const soon = `select count(*)::int as count from agenda
      where kind = 'lease' and look_at > now() + interval '2 s' and look_at < now() + interval '5 s'`;
    await eventually(1, async () => (await store.pool.query<{ count: number }>(soon)).rows[0]?.count);
    chance.mockRestore();
    expect(commits.of(jobId)).not.toContain('StepAttemptLost');
    expect(outages()).toBe(0);
  });
});

describe('a deleted thread', () => {
  it('of which a process that died left something is erased by the next look', async () => {
    const { threadId, jobId } = await createJob(store);
    for (let more = 0; more < 45; more += 1) await pursue(store, threadId, jobId);
    const dying = test.another();
    await dying.threads.delete(threadId, TENANT, { actor: 'test', correlationId: 'req_test' });
    await dying.erasure.stop();
    const left = async () => {
      const { rows } = await store.pool.query<{ jobs: number }>('select count(*)::int as jobs from job where thread_id = $1', [threadId]);
      return rows[0]?.jobs;
    };
    expect(await left()).toBeGreaterThan(0);
    await passTime(store, 10_001);
    startSweeper();
    await eventually(0, left);
  });
});

describe('behind 40,000 waiting steps and a broker that takes 100 ms', () => {
  const WAITING = 40_000;

  it('a lease that has run out ends while they are still being dispatched', async () => {
    await store.pool.query(
      `insert into agenda (job_id, kind, ref, step_id, provider, due_at, look_at)
        select 'job_' || lpad(n::text, 26, '0'), 'dispatch step', 'stp#1', 'stp_' || lpad(n::text, 26, '0'), 'provider-a', now(), now()
        from generate_series(1, ${WAITING}) as n`,
    );
    const jobId = await overdueJob();
    transport.dispatch = async (work) => {
      await sleep(100);
      dispatched.push(work.jobId);
      return 'queued';
    };
    startSweeper({ sweepMs: 1_000, leaseMs: 1_000, redispatchMs: 30_000 });
    await commits.until(jobId, 'StepAttemptLost');
    // All of them take 20 s.
    expect(dispatched.length).toBeLessThan(WAITING);
  });
});

describe('two sweepers beside busy writers', () => {
  it('act on every row that is due, and nobody waits for ever', async () => {
    const saga = new Saga(store, LEASE_MS, runHere);
    const other = test.another();
    const otherCommits = new Commits(other);
    const logger = pino({ level: 'silent' });
    const jobs = await Promise.all(Array.from({ length: 40 }, () => createJob(store)));
    await Promise.all(jobs.slice(0, 20).map(({ jobId, stepIds }) => onJob(store, jobId, start(stepIds[0] ?? '', 'gone'))));
    await passTime(store, LEASE_MS + 1);
    for (const each of [store, other]) dispatchCommits(each, { transport });
    for (const provider of ['provider-a', 'provider-c'] as const) {
      await transport.consume({ kind: 'step', provider }, 16, async ({ work, ack }) => {
        if (work.kind !== 'step') return;
        const { jobId, stepId } = work;
        const claimed = await saga.claim({ jobId, stepId, claimId: `${stepId} ${performance.now()}` });
        ack();
        if (!claimed.granted) return;
        await Promise.all([saga.heartbeat({ jobId, stepId, attempt: claimed.attempt }), addMessage(other, threadOf(jobId))]);
        await saga.report({ jobId, stepId, attempt: claimed.attempt, result: success() });
      });
    }
    const threadOf = (jobId: string) => jobs.find((job) => job.jobId === jobId)?.threadId ?? '';
    startSweeper({ redispatchMs: 50 });
    startSweeper({ redispatchMs: 50 }, other);
    const admission = new Admission(store, transport, { sweepMs: 5, redispatchMs: 50, windowOf: () => ({ size: 8, paceMs: 0 }) }, logger);
    admission.start();
    const synthesizing = (jobId: string) => Promise.race([commits, otherCommits].map((each) => each.until(jobId, 'SynthesisStarted')));
    await Promise.all(jobs.map(({ jobId }) => synthesizing(jobId)));
    await Promise.all([...running.splice(0), () => admission.stop()].map((stop) => stop()));
    expect(outages() + saying('agenda_entry_failed')).toBe(0);
    for (const { jobId } of jobs.slice(0, 20)) expect((await jobState(store, jobId)).steps[0]?.attempts).toHaveLength(2);
    expect((await viewDifferences(store.pool, LEASE_MS)).differences).toEqual([]);
  });
});
