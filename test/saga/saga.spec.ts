import { committedMicros, reservedMicros } from '@lib/domain/job/reservations';
import { writtenReport } from '@lib/domain/job/recorded-report';
import { PLAUSIBLE_CHARGE_MICROS } from '@lib/domain/money';
import type { ClaimReply } from '@lib/messaging/saga-messages';
import { RowLocked } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { recentEvents } from '@lib/store/views/status-reads';
import { Saga } from '../../src/saga/saga';
import { eventually } from '../messaging/eventually';
import { HOLD } from '../support/hold';
import { complete, externalId, failure, lose, report, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, eventTypes, jobState, loseAttempt, onJob, passTime, pursue, refusal } from '../support/streams';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
let saga: Saga;
/** The saga of another process on the same database. */
let otherSaga: Saga;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
  saga = new Saga(store, LEASE_MS, runHere);
  otherSaga = new Saga(test.another(), LEASE_MS, runHere);
});
afterAll(() => test.close());

/** A job with two steps of which each reserves 40 cents. */
async function job() {
  const candidates = [candidate('provider-a', { max: 400_000 }), candidate('provider-c', { max: 400_000 })];
  const created = await createJob(store, { query: 'How high is it?', candidates });
  const [one = '', two = ''] = created.stepIds;
  return { ...created, one, two };
}

const withoutTime = (reply: ClaimReply) => ({ ...reply, deadlineMs: 'some' });
const stepOf = async (jobId: string, place: number) => (await jobState(store, jobId)).steps[place];

describe('a claim', () => {
  it('is granted with everything that the worker needs', async () => {
    const { jobId, one } = await job();
    const reply = await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    expect(reply).toMatchObject({
      ...{ granted: true, attempt: 1, provider: 'provider-a', adapter: 'simulated', model: null },
      ...{ query: 'How high is it?', brief: null, context: null },
      ...{ mode: 'fast', reservedMicros: 400_000, externalId: null },
    });
    expect((reply as { deadlineMs: number }).deadlineMs).toBeLessThanOrEqual(120_000);
    expect((reply as { deadlineMs: number }).deadlineMs).toBeGreaterThan(110_000);
  });

  it('that is repeated gets the same answer from every process, and opens one attempt', async () => {
    const { jobId, one } = await job();
    const request = { jobId, stepId: one, claimId: 'mine' };
    const first = await saga.claim(request);
    const repeated = await Promise.all([saga, otherSaga, saga, otherSaga].map((either) => either.claim(request)));
    for (const reply of repeated) expect(withoutTime(reply)).toEqual(withoutTime(first));
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted']);
  });

  it('that resumes a run gets its reservation and its id, each time it is repeated', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'first' });
    await saga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId: 'run-1' });
    await onJob(store, jobId, lose(one, 1));
    const request = { jobId, stepId: one, claimId: 'second' };
    const replies = [await saga.claim(request), await otherSaga.claim(request), await saga.claim(request)];
    for (const reply of replies) expect(reply).toMatchObject({ granted: true, attempt: 2, externalId: 'run-1', reservedMicros: 400_000 });
    expect(reservedMicros(await jobState(store, jobId))).toBe(800_000);
  });

  it('of several at once is granted to one', async () => {
    const { jobId, one } = await job();
    const claims = Array.from({ length: 6 }, (_, place) =>
      (place % 2 ? saga : otherSaga).claim({ jobId, stepId: one, claimId: `claim-${place}` }),
    );
    const replies = await Promise.all(claims);
    expect(replies.filter(({ granted }) => granted)).toHaveLength(1);
    expect(replies.filter(({ granted }) => !granted)).toEqual(Array(5).fill({ granted: false, reason: 'claimed_by_another' }));
  });

  it('is refused by an id that was used, when the step has settled, and before its turn', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    await onJob(store, jobId, lose(one, 1));
    expect(await saga.claim({ jobId, stepId: one, claimId: 'mine' })).toEqual({ granted: false, reason: 'claim_used' });
    await onJob(store, jobId, report(one, 1, success()));
    expect(await otherSaga.claim({ jobId, stepId: one, claimId: 'again' })).toEqual({ granted: false, reason: 'step_settled' });
    const methodical = await createJob(store, { researchMode: 'methodical' });
    const later = { jobId: methodical.jobId, stepId: methodical.stepIds[1] ?? '', claimId: 'mine' };
    expect(await saga.claim(later)).toEqual({ granted: false, reason: 'not_due' });
  });

  it.each<[string, (place: Awaited<ReturnType<typeof job>>) => Promise<unknown>]>([
    ['was cancelled', ({ jobId }) => onJob(store, jobId, { type: 'CancelJob' })],
    ['failed', ({ jobId }) => onJob(store, jobId, { type: 'ReachDeadline', phase: 'queue' })],
    ['was deleted with its thread', ({ threadId }) => deleteThread(store, threadId)],
  ])('is never granted once the job %s', async (_, end) => {
    const place = await job();
    await end(place);
    for (const either of [saga, otherSaga]) {
      const claim = { jobId: place.jobId, stepId: place.one, claimId: 'mine' };
      expect(await either.claim(claim)).toEqual({ granted: false, reason: 'job_final' });
    }
    expect(await eventTypes(store, place.jobId)).not.toContain('StepStarted');
  });

  it('that was granted is not granted again once the job has ended', async () => {
    const { jobId, one } = await job();
    const request = { jobId, stepId: one, claimId: 'mine' };
    await saga.claim(request);
    await onJob(test.another(), jobId, { type: 'CancelJob' });
    expect(await saga.claim(request)).toEqual({ granted: false, reason: 'job_final' });
  });

  it('of a step or a job that does not exist is refused', async () => {
    const { jobId, one } = await job();
    expect(await refusal(saga.claim({ jobId, stepId: 'stp_unknown', claimId: 'mine' }))).toBe('step_not_found');
    expect(await refusal(saga.claim({ jobId: 'job_unknown', stepId: one, claimId: 'mine' }))).toBe('job_not_found');
  });

  it('of a pursued job carries what its parent and the thread have said', async () => {
    const { threadId, jobId, one, two } = await job();
    const evidence = { provider: 'provider-a' as const, stepId: one, quote: 'q', start: 0, end: 1, citationIndexes: [] };
    const claims = [{ id: 'c1', claim: 'It is 324 m high.', confidence: 'high' as const, supporting: [evidence], contradicting: [] }];
    for (const stepId of [one, two]) {
      await saga.claim({ jobId, stepId, claimId: stepId });
      await saga.report({ jobId, stepId, attempt: 1, result: success() });
    }
    await onJob(store, jobId, {
      type: 'CompleteJob',
      synthesizer: 'test',
      report: writtenReport({ markdown: '#', claims, followOnTopics: [] }),
    });
    await passTime(store, 2);
    await addMessage(store, threadId, 'In winter, please.');
    await addMessage(store, threadId, 'x'.repeat(2_001));
    const child = await pursue(store, threadId, jobId, 'Its weight');
    const [step] = (await jobState(store, child)).steps;
    expect(await saga.claim({ jobId: child, stepId: step?.stepId ?? '', claimId: 'mine' })).toMatchObject({
      query: 'Its weight',
      context: {
        question: 'How high is it?',
        claims: ['It is 324 m high.'],
        laterMessages: ['In winter, please.', `${'x'.repeat(2_000)}…`],
      },
    });
  });

  it('of a pursued job carries the last ten of the later messages, in their order, and none from before its parent', async () => {
    const { threadId, jobId } = await job();
    await addMessage(store, threadId, 'Before.');
    const parent = await pursue(store, threadId, jobId, 'Its weight');
    const { createdAt } = await jobState(store, parent);
    await eventually(true, () => Promise.resolve(store.now().toISOString() > createdAt));
    const later = Array.from({ length: 12 }, (_, place) => `Message ${place}.`);
    for (const messages of [later.slice(0, 2), later.slice(2)]) {
      for (const content of messages) await addMessage(store, threadId, content);
      const child = await pursue(store, threadId, parent, 'Its height');
      const [step] = (await jobState(store, child)).steps;
      const reply = await saga.claim({ jobId: child, stepId: step?.stepId ?? '', claimId: 'mine' });
      expect(reply).toMatchObject({ context: { question: 'Its weight', laterMessages: messages } });
    }
  });
});

describe('a worker whose LEASE_MS is longer than that of a saga', () => {
  const leaseMs = 3 * LEASE_MS;
  const isOver = async (jobId: string) =>
    (await store.agenda.takeExpired(500, 1)).due.some((entry) => entry.jobId === jobId && entry.kind === 'lease');

  it('keeps its attempt for as long as it takes its lease to be, from the claim on and after each heartbeat', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine', leaseMs });
    await passTime(store, leaseMs - 5_000);
    expect(await isOver(jobId)).toBe(false);
    expect(await otherSaga.heartbeat({ jobId, stepId: one, attempt: 1, leaseMs })).toEqual({ goOn: true });
    await passTime(store, leaseMs - 5_000);
    expect(await isOver(jobId)).toBe(false);
    await passTime(store, 6_000);
    expect(await isOver(jobId)).toBe(true);
  });

  it('claims again, and is granted the same attempt, if somebody holds its row when it is to get that length', async () => {
    const { jobId, one } = await job();
    const holder = await store.pool.connect();
    const agenda = Object.create(store.agenda, {
      renewLeases: {
        async value(...leases: Parameters<typeof store.agenda.renewLeases>) {
          await holder.query(HOLD);
          await holder.query('select from agenda where job_id = $1 for update', [jobId]);
          return store.agenda.renewLeases(...leases);
        },
      },
    }) as typeof store.agenda;
    const held = new Saga({ ...store, agenda }, LEASE_MS, runHere);
    const claim = { jobId, stepId: one, claimId: 'mine', leaseMs };
    try {
      await expect(held.claim(claim)).rejects.toThrow(RowLocked);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await otherSaga.claim(claim)).toMatchObject({ granted: true, attempt: 1 });
    await passTime(store, leaseMs - 5_000);
    expect(await isOver(jobId)).toBe(false);
  });

  it('and one whose is shorter, or that does not say, has the saga’s', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine', leaseMs: 1_000 });
    await passTime(store, LEASE_MS - 5_000);
    await saga.heartbeat({ jobId, stepId: one, attempt: 1 });
    await passTime(store, LEASE_MS - 5_000);
    expect(await isOver(jobId)).toBe(false);
  });

  it('is told in the log, once', async () => {
    const { jobId, one } = await job();
    const told: unknown[] = [];
    const warning = new Saga(store, LEASE_MS, runHere, undefined, (fields) => void told.push(fields));
    await warning.claim({ jobId, stepId: one, claimId: 'mine', leaseMs });
    await warning.heartbeat({ jobId, stepId: one, attempt: 1, leaseMs });
    await warning.heartbeat({ jobId, stepId: one, attempt: 1, leaseMs: LEASE_MS });
    expect(told).toEqual([{ reason: 'lease_differs', leaseMs: LEASE_MS, workerLeaseMs: leaseMs, jobId, stepId: one }]);
  });
});

describe('a result', () => {
  it('is committed however often it is reported, and counts once', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    const request = { jobId, stepId: one, attempt: 1, result: success(100_000) };
    const replies = await Promise.all([saga, otherSaga, saga, otherSaga].map((either) => either.report(request)));
    expect(replies).toEqual(Array(4).fill({ committed: true }));
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepCompleted']);
    expect(committedMicros(await jobState(store, jobId))).toBe(100_000);
  });

  it('of a lost attempt completes the step that is still open, and the newer attempt is told to stop', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'first' });
    await passTime(store, LEASE_MS + 1);
    await loseAttempt(store, jobId, one, 1);
    await otherSaga.claim({ jobId, stepId: one, claimId: 'second' });
    await saga.report({ jobId, stepId: one, attempt: 1, result: success(5) });
    expect(await stepOf(jobId, 0)).toMatchObject({ status: 'completed' });
    expect(await otherSaga.heartbeat({ jobId, stepId: one, attempt: 2 })).toEqual({ goOn: false, run: 'cancel' });
  });

  it('that comes after another costs what it costs, and its content is dropped', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'first' });
    await onJob(store, jobId, lose(one, 1));
    await saga.claim({ jobId, stepId: one, claimId: 'second' });
    await saga.report({ jobId, stepId: one, attempt: 2, result: success(100_000) });
    await saga.report({ jobId, stepId: one, attempt: 1, result: success(250_000) });
    expect((await eventTypes(store, jobId)).at(-1)).toBe('StepResultLate');
    expect(committedMicros(await jobState(store, jobId))).toBe(350_000);
    const { rows } = await store.pool.query(`select 1 from event where stream_id = $1 and type = 'StepResultLate' and sealed is not null`, [
      jobId,
    ]);
    expect(rows).toEqual([]);
  });

  it('that comes after the end changes neither what the job shows nor what it is charged for', async () => {
    const { threadId, jobId, one, two } = await job();
    for (const stepId of [one, two]) await saga.claim({ jobId, stepId, claimId: stepId });
    await saga.report({ jobId, stepId: one, attempt: 1, result: success(100_000) });
    await onJob(store, jobId, { type: 'ReachDeadline', phase: 'running' }, complete);
    const shown = await store.views.getJob(TENANT, threadId, jobId);
    expect((await jobState(store, jobId)).totals).toEqual({ chargedMicros: 100_000, lostMicros: 400_000, overrunMicros: 0 });
    await saga.report({ jobId, stepId: two, attempt: 1, result: success(900_000) });
    const state = await jobState(store, jobId);
    expect(state.totals).toEqual({ chargedMicros: 100_000, lostMicros: 400_000, overrunMicros: 0 });
    expect(committedMicros(state)).toBe(500_000);
    expect(await store.views.getJob(TENANT, threadId, jobId)).toEqual(shown);
  });

  it('of a deleted thread is counted and leaves no content', async () => {
    const { threadId, jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    await deleteThread(store, threadId);
    expect(await otherSaga.report({ jobId, stepId: one, attempt: 1, result: success(7) })).toEqual({ committed: true });
    expect(await saga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId: 'run-9' })).toEqual({ recorded: true });
    expect((await eventTypes(store, jobId)).slice(-2)).toEqual(['ContentErased', 'StepResultLate']);
    // For an operator both are what a customer did, and no fault.
    const { counts } = await recentEvents(store.pool);
    for (const type of ['StepFailed', 'StepResultLate'])
      expect(counts).toContainEqual(expect.objectContaining({ type, reason: 'cancelled' }));
    const { rows } = await store.pool.query('select 1 from event where stream_id = $1 and sealed is not null', [jobId]);
    expect(rows).toEqual([]);
    expect(await store.views.getJob(TENANT, threadId, jobId)).toBeNull();
  });

  it('that is doubtful is recorded as far as it can be, and the log is told of which attempt that was and what was doubtful', async () => {
    const { jobId, one } = await job();
    const told: unknown[] = [];
    const warning = new Saga(store, LEASE_MS, runHere, undefined, (fields, message) => void told.push([fields, message]));
    await warning.claim({ jobId, stepId: one, claimId: 'mine' });
    const micros = PLAUSIBLE_CHARGE_MICROS + 1;
    const doubtful = { ...success(micros), reportMarkdown: 'x'.repeat(4 * 1024 * 1024 + 1) };
    expect(await warning.report({ jobId, stepId: one, attempt: 1, result: doubtful })).toEqual({ committed: true });
    const ids = { jobId, stepId: one, attempt: 1 };
    const message = 'a worker said what cannot be recorded as it is';
    const refused = expect.stringMatching(/^The report has 4194305 characters/) as string;
    expect(told).toEqual([
      [{ reason: 'charge_large', ...ids, detail: micros }, message],
      [{ reason: 'report_refused', ...ids, detail: refused }, message],
    ]);
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepFailed']);
  });

  it('of an attempt that never was is refused', async () => {
    const { jobId, one } = await job();
    expect(await refusal(saga.report({ jobId, stepId: one, attempt: 1, result: success() }))).toBe('attempt_not_found');
    expect(await refusal(saga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId: 'run-1' }))).toBe('attempt_not_found');
  });

  it('that was never called gives the reservation back', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    await saga.report({ jobId, stepId: one, attempt: 1, result: failure({ errorClass: 'not_called' }) });
    expect(await stepOf(jobId, 0)).toMatchObject({ status: 'queued', runs: [{ held: false, submitted: false }, { held: true }] });
    expect(reservedMicros(await jobState(store, jobId))).toBe(800_000);
  });
});

describe('the id of a run', () => {
  it('is recorded once, sealed, and the first one stays', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    await Promise.all(
      ['run-1', 'run-1', 'run-1'].map((externalId) => otherSaga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId })),
    );
    await saga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId: 'run-2' });
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepExternalIdRecorded']);
    const { rows } = await store.pool.query<{ facts: string }>('select facts::text from event where stream_id = $1', [jobId]);
    expect(rows.map(({ facts }) => facts).join()).not.toContain('run-1');
  });
});

describe('a job that this build cannot read', () => {
  /** A running job, of which something else stands in its history now, and a saga that remembers nothing of it. */
  const unreadable = async (change: string) => {
    const { jobId, one, two } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'mine' });
    const session = await store.pool.connect();
    await session.query('set session_replication_role = replica');
    await session.query(change, [jobId]);
    await session.query('set session_replication_role = origin');
    session.release();
    const stranger = new Saga(test.another(), LEASE_MS, runHere);
    return {
      heartbeat: () => stranger.heartbeat({ jobId, stepId: one, attempt: 1 }),
      claim: () => stranger.claim({ jobId, stepId: two, claimId: 'other' }),
    };
  };

  it.each([
    [
      'because a newer build has written to it',
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, version + 1, 'evt_' || md5(random()::text), 'StepDreamt', 1, '{}', meta, hash, hash
        from event where stream_id = $1 order by version desc limit 1`,
      'UnknownEvent',
    ],
    ['because its history is corrupt', `update event set facts = '{}' where stream_id = $1`, 'job_not_found'],
  ])('%s keeps its lease and is not decided about', async (_, change, refused) => {
    const { heartbeat, claim } = await unreadable(change);
    expect(await heartbeat()).toEqual({ goOn: true });
    expect(await refusal(claim())).toBe(refused);
  });

  it('because the database cannot tell its history has no lease renewed by whoever does not know its holder', async () => {
    const { heartbeat } = await unreadable('select $1::text');
    await store.pool.query('alter table event rename to event_away');
    const answer = await refusal(heartbeat());
    await store.pool.query('alter table event_away rename to event');
    expect(answer).not.toBe('nothing was refused');
  });
});

describe('a heartbeat', () => {
  it('says to go on while the lease is held, and why not when it is not', async () => {
    const { jobId, one, two } = await job();
    for (const stepId of [one, two]) await saga.claim({ jobId, stepId, claimId: stepId });
    expect(await otherSaga.heartbeat({ jobId, stepId: one, attempt: 1 })).toEqual({ goOn: true });
    await onJob(store, jobId, lose(one, 1));
    // The next try waits, and would pay for another run.
    expect(await saga.heartbeat({ jobId, stepId: one, attempt: 1 })).toEqual({ goOn: false, run: 'leave', unfollowed: true });
    await passTime(store, LEASE_MS);
    await saga.claim({ jobId, stepId: one, claimId: 'next' });
    expect(await saga.heartbeat({ jobId, stepId: one, attempt: 1 })).toEqual({ goOn: false, run: 'leave' });
    await onJob(store, jobId, externalId(two, 1), lose(two, 1));
    // The next try goes on with this very run.
    expect(await saga.heartbeat({ jobId, stepId: two, attempt: 1 })).toEqual({ goOn: false, run: 'leave' });
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(await saga.heartbeat({ jobId, stepId: two, attempt: 1 })).toEqual({ goOn: false, run: 'cancel' });
    expect(await saga.heartbeat({ jobId: 'job_unknown', stepId: two, attempt: 1 })).toEqual({ goOn: false, run: 'cancel' });
  });

  it('of a lost attempt keeps its step from being paid for again: no other attempt is granted until it has been silent for a lease', async () => {
    const { jobId, one, two } = await job();
    // It remembers the job as it is before the first attempt.
    await otherSaga.claim({ jobId, stepId: two, claimId: 'of two' });
    await saga.claim({ jobId, stepId: one, claimId: 'first' });
    await onJob(store, jobId, lose(one, 1));
    await saga.heartbeat({ jobId, stepId: one, attempt: 1 });
    const claims = (claimId: string) => Promise.all([saga, otherSaga].map((either) => either.claim({ jobId, stepId: one, claimId })));
    const admitted = async () => {
      const windows = new Map([['provider-a' as const, { size: 1000, paceMs: 0 }]]);
      const all = await store.admission.admit(windows, 30_000, 30_000);
      return all.get('provider-a')?.steps.some(({ stepId }) => stepId === one);
    };
    const notDue = { granted: false, reason: 'not_due' };
    expect([await claims('second'), await admitted()]).toEqual([[notDue, notDue], false]);
    await passTime(store, LEASE_MS / 2);
    await otherSaga.heartbeat({ jobId, stepId: one, attempt: 1 });
    await passTime(store, LEASE_MS / 2);
    expect([await claims('third'), await admitted()]).toEqual([[notDue, notDue], false]);
    await passTime(store, LEASE_MS / 2);
    expect(await admitted()).toBe(true);
    expect(await saga.claim({ jobId, stepId: one, claimId: 'fourth' })).toMatchObject({ granted: true, attempt: 2 });
  });

  it('of a lost attempt changes nothing once its answer is there', async () => {
    const { jobId, one } = await job();
    await saga.claim({ jobId, stepId: one, claimId: 'first' });
    await onJob(store, jobId, lose(one, 1));
    await saga.heartbeat({ jobId, stepId: one, attempt: 1 });
    await onJob(store, jobId, report(one, 1, success()));
    expect(await saga.heartbeat({ jobId, stepId: one, attempt: 1 })).toEqual({ goOn: false, run: 'cancel' });
    expect((await stepOf(jobId, 0))?.runs.filter(({ submitted }) => submitted)).toHaveLength(1);
    expect(await otherSaga.claim({ jobId, stepId: one, claimId: 'second' })).toEqual({ granted: false, reason: 'step_settled' });
  });

  it('is no event, and of many at once each gets its own answer', async () => {
    const { jobId, one, two } = await job();
    for (const stepId of [one, two]) await saga.claim({ jobId, stepId, claimId: stepId });
    await onJob(store, jobId, lose(two, 1));
    const version = (await jobState(store, jobId)).version;
    const replies = await Promise.all([one, two, one, two, one].map((stepId) => saga.heartbeat({ jobId, stepId, attempt: 1 })));
    expect(replies.map(({ goOn }) => goOn)).toEqual([true, false, true, false, true]);
    expect((await jobState(store, jobId)).version).toBe(version);
  });
});
