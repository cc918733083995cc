import type { AgendaKind } from '@lib/domain/job/agenda';
import type { JobState } from '@lib/domain/job/state';
import type { Lease } from '@lib/store/agenda/agenda-table';
import type { Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { externalId, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { deleteThread, eventTypes, jobState, loseAttempt, onJob, passTime } from '../support/streams';
import { HOLD } from '../support/hold';

const LEASE_MS = 30_000;
const DISPATCHES: AgendaKind[] = ['dispatch step', 'retry', 'dispatch synthesis'];

let test: TestStore;
let store: Store;
let other: Store;
beforeEach(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
  other = test.another();
});
afterEach(() => test.close());

/** A job whose first step runs. */
async function runningJob(): Promise<Lease & { leaseMs: number }> {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store);
  await onJob(store, jobId, start(stepId));
  return { jobId, stepId, attempt: 1, leaseMs: LEASE_MS };
}

const agendaOf = async (jobId: string): Promise<string[]> => {
  const { rows } = await store.pool.query<{ kind: string }>('select kind from agenda where job_id = $1 order by kind, ref', [jobId]);
  return rows.map(({ kind }) => kind);
};

describe('a lease', () => {
  it('that was renewed between taking the row and ending it is not ended', async () => {
    const lease = await runningJob();
    await passTime(store, LEASE_MS + 1);
    expect(await other.agenda.takeDue(['lease'], 10, 1000)).toMatchObject([{ jobId: lease.jobId, stepId: lease.stepId, attempt: 1 }]);
    expect(await store.agenda.renewLeases([lease])).toEqual([true]);
    const { appended } = await loseAttempt(other, lease.jobId, lease.stepId, 1);
    expect(appended).toEqual([]);
    expect(await eventTypes(store, lease.jobId)).toEqual(['JobRequested', 'StepStarted']);
    expect(await agendaOf(lease.jobId)).toContain('lease');
  });

  it('that was renewed keeps nobody else in the batch from theirs', async () => {
    const leases = [await runningJob(), await runningJob(), await runningJob()];
    await passTime(store, LEASE_MS + 1);
    await store.agenda.renewLeases(leases.slice(1, 2));
    const outcomes = await Promise.all(leases.map(({ jobId, stepId }) => loseAttempt(other, jobId, stepId, 1)));
    expect(outcomes.map(({ appended }) => appended.map(({ record }) => record.type))).toEqual([
      ['StepAttemptLost'],
      [],
      ['StepAttemptLost'],
    ]);
  });

  it('that has run out is ended once, however many try', async () => {
    const { jobId, stepId } = await runningJob();
    await passTime(store, LEASE_MS + 1);
    await Promise.all([store, other, store].map((process) => loseAttempt(process, jobId, stepId, 1)));
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepAttemptLost']);
    expect((await jobState(store, jobId)).steps[0]).toMatchObject({ status: 'queued' } satisfies Partial<JobState['steps'][0]>);
  });

  it('is told apart from one that is not held, or of another attempt', async () => {
    const held = await runningJob();
    const finished = await runningJob();
    await onJob(store, finished.jobId, report(finished.stepId, 1, success()));
    const leases = [finished, held, { ...held, attempt: 2 }, { ...held, jobId: finished.jobId }, held];
    expect(await other.agenda.renewLeases(leases)).toEqual([false, true, false, false, true]);
    expect(await other.agenda.renewLeases([])).toEqual([]);
  });

  it('of which somebody holds the row keeps no other from being renewed, and is not taken for one that is not held', async () => {
    const [held, free, gone] = [await runningJob(), await runningJob(), await runningJob()];
    await onJob(store, gone.jobId, report(gone.stepId, 1, success()));
    const holder = await test.another().pool.connect();
    await holder.query(HOLD);
    await holder.query(`select 1 from agenda where job_id = $1 and kind = 'lease' for update`, [held.jobId]);
    // It would wait for ever.
    expect(await other.agenda.renewLeases([free, held, gone, held])).toEqual([true, 'locked', false, 'locked']);
    await holder.query('commit');
    holder.release();
    expect(await other.agenda.renewLeases([free, held, gone])).toEqual([true, true, false]);
  });

  it('is renewed from the database’s now', async () => {
    const lease = await runningJob();
    await passTime(store, LEASE_MS + 1);
    await store.agenda.renewLeases([lease]);
    expect(await store.agenda.takeDue(['lease'], 10, 1)).toEqual([]);
    await passTime(store, LEASE_MS - 5_000);
    expect(await store.agenda.takeDue(['lease'], 10, 1)).toEqual([]);
    await passTime(store, 5_001);
    expect(await store.agenda.takeDue(['lease'], 10, 1)).toMatchObject([{ jobId: lease.jobId }]);
  });

  it('is not waited for by a batch that ends it: what else is in the batch commits, and nobody waits for ever', async () => {
    const [early, late] = [await runningJob(), await runningJob()];
    await passTime(store, LEASE_MS + 1);
    // Nobody would notice a deadlock before the test has failed.
    await store.pool.query(`do $$ begin execute format('alter database %I set deadlock_timeout = ''10min''', current_database()); end $$`);
    const [writer, holding] = [test.another(), test.another()];
    const holder = await holding.pool.connect();
    await holder.query(HOLD);
    await holder.query(`select 1 from agenda where job_id = $1 and kind = 'lease' for update`, [early.jobId]);
    const reported = onJob(writer, early.jobId, report(early.stepId, 1, success()));
    await loseAttempt(writer, late.jobId, late.stepId, 1);
    expect(await eventTypes(store, late.jobId)).toContain('StepAttemptLost');
    expect(await eventTypes(store, early.jobId)).not.toContain('StepCompleted');
    await holder.query('commit');
    holder.release();
    await reported;
    expect(await eventTypes(store, early.jobId)).toContain('StepCompleted');
  });
});

describe('a row that is due', () => {
  it('is first looked at when its writer’s own dispatch has had its time, and later at the given distance', async () => {
    const { jobId } = await createJob(store);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toEqual([]);
    await passTime(store, 9_000);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toEqual([]);
    await passTime(store, 1_001);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toMatchObject([{ jobId }, { jobId }]);
    await passTime(store, 29_000);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toEqual([]);
    await passTime(store, 1_001);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toHaveLength(2);
  });

  it('is found without reading what an old transaction keeps of rows that were taken before', async () => {
    const MOVED = 400;
    const { jobId } = await createJob(store);
    const backup = await test.another().pool.connect();
    await backup.query('begin isolation level repeatable read');
    await backup.query('select from agenda');
    const look = (seconds: number) =>
      store.pool.query(`update agenda set look_at = clock_timestamp() - $1::int4 * interval '1 second' where kind = 'dispatch step'`, [
        seconds,
      ]);
    for (let seconds = 3600; seconds > 3600 - MOVED; seconds -= 1) await look(seconds);
    await look(1);
    /** How many entries of the index a look has read. */
    const readBy = async (lookBackMs: number | null): Promise<number> => {
      const before = await entriesRead();
      expect((await store.agenda.takeDue(DISPATCHES, 10, -1_000, lookBackMs)).map((due) => due.jobId)).toContain(jobId);
      return (await entriesRead()) - before;
    };
    expect(await readBy(120_000)).toBeLessThan(MOVED);
    expect(await readBy(null)).toBeGreaterThan(MOVED);
    await backup.query('rollback');
    backup.release();
  });

  async function entriesRead(): Promise<number> {
    // Of the session that the pool has used last, and uses next.
    await store.pool.query('select pg_stat_force_next_flush()');
    await store.pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await store.pool.query<{ read: number }>(
      `select idx_tup_read::int4 as read from pg_stat_user_indexes where indexrelname = 'agenda_by_look'`,
    );
    return rows[0]?.read ?? 0;
  }

  it('is looked at now after a wake, but a retry not before its time', async () => {
    const waiting = await createJob(store);
    const { jobId, stepId } = await runningJob();
    await onJob(store, jobId, report(stepId, 1, { ...overloaded, retryAfterMs: 60_000 }));
    await store.agenda.wakeDispatches();
    const due = await store.agenda.takeDue(DISPATCHES, 10, 30_000);
    expect(due.filter((entry) => entry.jobId === waiting.jobId)).toHaveLength(2);
    expect(due.filter((entry) => entry.stepId === stepId)).toEqual([]);
    await passTime(store, 60_001);
    const admitted = await store.admission.admit(new Map([['provider-a', { size: 8, paceMs: 0 }]]), 30_000, 30_000);
    expect(admitted.get('provider-a')?.steps).toEqual([{ jobId, stepId }]);
    await passTime(store, 30_001);
    expect((await store.agenda.takeDue(['retry'], 10, 30_000)).map((entry) => entry.stepId)).toEqual([stepId]);
  });

  it('that was taken by a process that died comes again with the next look', async () => {
    await createJob(store);
    await passTime(store, 10_001);
    expect(await other.agenda.takeDue(DISPATCHES, 10, 30_000)).toHaveLength(2);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toEqual([]);
    await passTime(store, 30_001);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toHaveLength(2);
  });

  it('is taken by one of several that look at the same time, at most as many as asked for, oldest first', async () => {
    const jobs = [];
    for (let place = 0; place < 10; place += 1) jobs.push((await createJob(store)).jobId);
    await passTime(store, 10_001);
    expect((await store.agenda.takeDue(DISPATCHES, 4, 30_000)).map(({ jobId }) => jobId).sort()).toEqual(
      [jobs[0], jobs[0], jobs[1], jobs[1]].sort(),
    );
    const taken = (
      await Promise.all(Array.from({ length: 8 }, (_, place) => (place % 2 ? store : other).agenda.takeDue(DISPATCHES, 5, 30_000)))
    ).flat();
    expect(new Set(taken.map(({ stepId }) => stepId)).size).toBe(taken.length);
    const rest = await store.agenda.takeDue(DISPATCHES, 100, 30_000);
    expect(taken.length + rest.length).toBe(16);
  });

  it('is left where it is by a look that finds it locked', async () => {
    const { jobId } = await createJob(store);
    await passTime(store, 10_001);
    const writer = await other.pool.connect();
    await writer.query(HOLD);
    await writer.query('select 1 from agenda where job_id = $1 for update', [jobId]);
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toEqual([]);
    await store.agenda.wakeDispatches();
    await writer.query('rollback');
    writer.release();
    expect(await store.agenda.takeDue(DISPATCHES, 10, 30_000)).toHaveLength(2);
  });

  it('goes with the state that put it there', async () => {
    const {
      jobId,
      threadId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    expect(await agendaOf(jobId)).toEqual(['dispatch step', 'dispatch step', 'job deadline']);
    await onJob(store, jobId, start(stepId));
    expect(await agendaOf(jobId)).toEqual(['dispatch step', 'job deadline', 'lease']);
    await deleteThread(store, threadId);
    expect(await agendaOf(jobId)).toEqual([]);
  });
});

describe('tries of a synthesis', () => {
  it('are counted while it is due, and only then', async () => {
    const { jobId, stepIds } = await createJob(store);
    expect(await store.agenda.beginSynthesis(jobId)).toBeNull();
    for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    expect([await store.agenda.beginSynthesis(jobId), await other.agenda.beginSynthesis(jobId)]).toEqual([1, 2]);
    await onJob(store, jobId, { type: 'FailSynthesis' });
    expect(await store.agenda.beginSynthesis(jobId)).toBeNull();
  });
});

const overloaded = {
  outcome: 'failed',
  errorClass: 'overloaded',
  errorMessage: 'Too busy.',
  charge: { micros: 0, provenance: 'reported' },
  runEnded: true,
} as const;

describe('a row that keeps a run, of which the build that ends the job knows nothing', () => {
  /** A build removes the rows that it would write itself: to this one another ref is what the kind is to the release before. */
  const unknownRow = async (): Promise<{ jobId: string; threadId: string; stepId: string }> => {
    const {
      jobId,
      threadId,
      stepIds: [stepId = ''],
    } = await createJob(store, { candidates: [candidate('provider-a')] });
    await onJob(store, jobId, start(stepId), externalId(stepId, 1));
    await store.pool.query(`update agenda set ref = ref || ' of another build' where kind = 'run'`);
    expect(await agendaOf(jobId)).toContain('run');
    return { jobId, threadId, stepId };
  };

  it('stays while the job goes on, though its step has ended', async () => {
    const { jobId, stepId } = await unknownRow();
    await onJob(store, jobId, report(stepId, 1, success()));
    expect(await agendaOf(jobId)).toEqual(['dispatch synthesis', 'job deadline', 'run']);
  });

  it('goes when the job is cancelled', async () => {
    const { jobId } = await unknownRow();
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(await agendaOf(jobId)).toEqual(['cancel run']);
  });

  it('goes when the job fails', async () => {
    const { jobId } = await unknownRow();
    await onJob(store, jobId, { type: 'ReachDeadline', phase: 'running' });
    expect(await agendaOf(jobId)).toEqual(['cancel run']);
  });

  it('goes when the thread is deleted', async () => {
    const { jobId, threadId } = await unknownRow();
    await deleteThread(store, threadId);
    await eventually(0, async () => (await store.pool.query('select from job')).rowCount);
    expect(await agendaOf(jobId)).toEqual(['cancel run']);
  });
});

describe('the turn of a synthesis', () => {
  async function dueOf(tenantId: string): Promise<string> {
    const { jobId, stepIds } = await createJob(store, { tenantId, candidates: [candidate('provider-a')] });
    for (const stepId of stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
    return jobId;
  }
  const shift = (jobId: string, interval: string) =>
    store.pool.query(`update agenda set taken_at = taken_at + $2::interval where job_id = $1 and kind = 'dispatch synthesis'`, [
      jobId,
      interval,
    ]);

  it('goes to the next tenant, and to the one of it that has waited longest; only once until its process was silent for ten seconds', async () => {
    const [own, oldest, later] = [await dueOf('tenant-b'), await dueOf('tenant-c'), await dueOf('tenant-c')];
    expect(await store.agenda.takeTurn(own, 'tenant-b')).toEqual({ jobId: oldest, tenantId: 'tenant-c', isFirst: true, othersWait: true });
    expect(await other.agenda.takeTurn(own, 'tenant-b')).toMatchObject({ jobId: later });
    expect(await other.agenda.takeTurn(later, 'tenant-b')).toBeNull();
    await shift(oldest, '-9 seconds');
    expect(await other.agenda.takeTurn(own, 'tenant-b')).toEqual({ jobId: own, tenantId: 'tenant-b', isFirst: true, othersWait: false });
    await store.agenda.keepTaken(oldest);
    await shift(oldest, '-9 seconds');
    expect(await other.agenda.takeTurn(oldest, '')).toBeNull();
    await shift(oldest, '-1 seconds');
    expect(await other.agenda.takeTurn(oldest, '')).toMatchObject({ jobId: oldest, isFirst: false });
  });

  it('is kept from nobody by a clock that was set back', async () => {
    const jobId = await dueOf('tenant-b');
    await store.agenda.takeTurn(jobId, '');
    await shift(jobId, '1 hour');
    expect(await other.agenda.takeTurn(jobId, '')).toMatchObject({ jobId });
  });

  it('does not come for a job that was postponed, unless its own wake-up comes', async () => {
    const [own, postponed] = [await dueOf('tenant-b'), await dueOf('tenant-c')];
    await store.agenda.postpone(postponed, 3_600_000);
    expect(await store.agenda.takeTurn(own, 'tenant-b')).toMatchObject({ jobId: own, othersWait: false });
    expect(await store.agenda.takeTurn(postponed, '')).toMatchObject({ jobId: postponed });
  });
});
