import { pino } from 'pino';
import { HOUR_MS } from '@lib/domain/durations';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import { openStore, type Store } from '@lib/store/store';
import { Expiry } from '../../src/saga/expiry';
import { Saga } from '../../src/saga/saga';
import { eventually } from '../messaging/eventually';
import { Commits } from '../support/commits';
import { databaseClock, type DatabaseClock } from '../support/database-clock';
import { claimSynthesis, failure, report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, DEADLINES, type TestStore } from '../support/store';
import { eventTypes, onJob } from '../support/streams';

/** More than the second that the process may be busy for. */
const LEASE_MS = 1_500;

let test: TestStore;
let clock: DatabaseClock;
/** On a database whose clock the test sets. */
let store: Store;
let commits: Commits;
let transport: Transport;
let logged: { reason: string; milliseconds?: number }[];
let running: (() => Promise<void>)[];
beforeEach(async () => {
  test = await createTestStore();
  clock = await databaseClock(test);
  const { masterKey } = test;
  store = openStore({ databaseUrl: clock.url, connections: 6, masterKeys: [masterKey], leaseMs: LEASE_MS, redispatchFirstMs: 10_000 });
  commits = new Commits(store);
  transport = createMemoryTransport();
  logged = [];
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  const settings = { sweepMs: 5, leaseMs: LEASE_MS, reportsMs: LEASE_MS, redispatchMs: 50 };
  running = [new Expiry(store, transport, settings, logger).start(), new Expiry(store, transport, settings, logger).start()];
  await lost();
});
afterEach(async () => {
  await Promise.all(running.map((end) => end()));
  await transport.close();
  await store.close();
  await test.close();
});

const jumps = () => logged.filter(({ reason }) => reason === 'database_clock_jumped');

async function startedJob(): Promise<{ jobId: string; stepId: string }> {
  const { jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
  const [stepId = ''] = stepIds;
  await onJob(store, jobId, start(stepId));
  return { jobId, stepId };
}

/** An attempt that nobody renews is lost: whoever ends leases is steady. */
async function lost(): Promise<void> {
  const { jobId } = await startedJob();
  await commits.until(jobId, 'StepAttemptLost');
}

/** For how many milliseconds an entry still has time, by the database's clock. */
async function leftMs(jobId: string, kind: string): Promise<number> {
  const { rows } = await store.pool.query<{ ms: number }>(
    `select (extract(epoch from least(due_at, look_at) - clock_timestamp()) * 1000)::float8 as ms from agenda where job_id = $1 and kind = $2`,
    [jobId, kind],
  );
  return rows[0]?.ms ?? NaN;
}

it('a clock that jumps ahead ends no attempt that is renewed, and no deadline that had time left', async () => {
  const { jobId, stepId } = await startedJob();
  const { jobId: synthesized, stepIds } = await createJob(store, { synthesisReserveMicros: 10_000, candidates: [candidate('provider-a')] });
  await onJob(store, synthesized, start(stepIds[0] ?? ''), report(stepIds[0] ?? '', 1, success()));
  await onJob(store, synthesized, claimSynthesis());
  const saga = new Saga(store, LEASE_MS, runHere);
  const renewed: unknown[] = [];
  const beat = () => void saga.heartbeat({ jobId, stepId, attempt: 1 }).then((answer) => renewed.push(answer));
  const heart = setInterval(beat, 50);
  await clock.set(HOUR_MS);
  const jumpedAt = performance.now();
  await lost();
  clearInterval(heart);

  expect(performance.now() - jumpedAt).toBeGreaterThanOrEqual(LEASE_MS);
  expect(jumps()).toHaveLength(2);
  expect(renewed).not.toContainEqual({ goOn: false });
  expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted']);
  expect(await eventTypes(store, synthesized)).not.toContain('SynthesisAttemptLost');
  // Either process has noticed the jump, and the time is given back once.
  for (const [job, kind, all] of [
    [jobId, 'job deadline', DEADLINES.jobMs],
    [synthesized, 'synthesis lease', DEADLINES.synthesisMs / 2],
  ] as const) {
    const left = await leftMs(job, kind);
    expect(left).toBeGreaterThan(all / 2);
    expect(left).toBeLessThanOrEqual(all);
  }
});

it('a clock that is set back keeps nothing from being lost or dispatched again for as long', async () => {
  const { jobId } = await startedJob();
  const { jobId: failed, stepId } = await startedJob();
  await onJob(store, failed, report(stepId, 1, failure({ retryAfterMs: 200 })));
  const { jobId: waiting } = await createJob(store);
  await store.pool.query(`update agenda set waiting = true, look_at = 'infinity' where job_id = $1`, [waiting]);
  await clock.set(-HOUR_MS);
  await commits.until(jobId, 'StepAttemptLost');
  await eventually(true, async () => (await leftMs(failed, 'retry')) <= LEASE_MS);
  await eventually(true, async () => (await leftMs(waiting, 'dispatch step')) <= LEASE_MS);
  const { rows } = await store.pool.query(`select from agenda where job_id = $1 and kind = 'dispatch step' and look_at < 'infinity'`, [
    waiting,
  ]);
  // It waits for its turn.
  expect(rows).toEqual([]);
  expect(jumps().map(({ milliseconds = 0 }) => Math.round(milliseconds / HOUR_MS))).toEqual([-1, -1]);
});
