import { pino } from 'pino';
import { DAY_MS } from '@lib/domain/durations';
import type { RunCancellation } from '@lib/domain/job/facts';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { READERS } from '@lib/messaging/read-requests';
import type { Transport } from '@lib/messaging/transport';
import { ProviderError, type ResearchProvider } from '@lib/providers/research-provider';
import type { Store } from '@lib/store/store';
import { GivenUpRuns } from '../../src/saga/given-up-runs';
import { Saga } from '../../src/saga/saga';
import { RunCanceller } from '../../src/worker/run-canceller';
import { eventually } from '../messaging/eventually';
import { Commits } from '../support/commits';
import { ControlledProvider } from '../support/controlled-provider';
import { externalId, start } from '../support/job-history';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { onJob, passTime } from '../support/streams';

const silent = pino({ level: 'silent' });

let test: TestStore;
let store: Store;
let saga: Saga;
let commits: Commits;
let transport: Transport;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  saga = new Saga(store, 30_000, runHere);
  commits = new Commits(store);
  transport = createMemoryTransport();
});
afterEach(async () => {
  await transport.close();
  await test.close();
});

/** Of a job that was cancelled while its provider worked. */
async function unneededRun(): Promise<{ jobId: string; stepId: string; run: number }> {
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store, { candidates: [candidate('provider-a')] });
  await onJob(store, jobId, start(stepId), externalId(stepId, 1), { type: 'CancelJob' });
  return { jobId, stepId, run: 1 };
}

async function recordedOf({ jobId }: { jobId: string }): Promise<{ outcome: RunCancellation; actor: string; why: string } | undefined> {
  const text = `select facts ->> 'outcome' as outcome, meta ->> 'actor' as actor, meta ->> 'correlationId' as why
    from event where stream_id = $1 and type = 'StepRunCancelled'`;
  return (await store.pool.query<{ outcome: RunCancellation; actor: string; why: string }>(text, [jobId])).rows[0];
}

const outcomeOf = async (run: { jobId: string }): Promise<string | undefined> => (await recordedOf(run))?.outcome;

const agendaRows = async (): Promise<number | undefined> =>
  (await store.pool.query<{ count: number }>('select count(*)::int as count from agenda')).rows[0]?.count;

describe('a provider that is asked to stop a run', () => {
  const refusal = new ProviderError('invalid_request', 'No.');
  it.each<[RunCancellation, ResearchProvider['cancel']]>([
    ['agreed', async () => undefined],
    ['refused', () => Promise.reject(refusal)],
    ['not_offered', async () => 'not_offered'],
  ])('%s: the history says so', async (outcome, cancel) => {
    const run = await unneededRun();
    const provider = Object.assign(new ControlledProvider(), { cancel });
    const canceller = new RunCanceller(transport, saga, new Map([['provider-a', provider]]), silent);
    await canceller.start(['provider-a']);
    await transport.dispatch({ kind: 'cancel', provider: 'provider-a', ...run });
    await commits.until(run.jobId, 'StepRunCancelled');
    expect([await outcomeOf(run), await agendaRows()]).toEqual([outcome, 0]);
    await canceller.stop();
  });
});

describe('a run that nobody knows', () => {
  it('leaves no entry on the work queue', async () => {
    const run = { ...(await unneededRun()), run: 7 };
    const canceller = new RunCanceller(transport, saga, new Map([['provider-a', new ControlledProvider()]]), silent);
    await canceller.start(['provider-a']);
    const dispatch = () => transport.dispatch({ kind: 'cancel', provider: 'provider-a', ...run });
    expect(await dispatch()).toBe('queued');
    // Only what was acknowledged makes room for another entry of its subject.
    await eventually('queued', dispatch);
    await canceller.stop();
  });
});

describe('a run that cannot be cancelled', () => {
  it('is given up after twenty tries, however many processes made them', async () => {
    const run = await unneededRun();
    const sagas = [saga, new Saga(test.another(), 30_000, runHere)];
    for (let tries = 1; tries <= 20; tries += 1) expect((await sagas[tries % 2]?.abandonedRun(run))?.externalId).toBe('run-1');
    expect([await outcomeOf(run), await agendaRows()]).toEqual([undefined, 1]);
    expect(await saga.abandonedRun(run)).toEqual({ externalId: null });
    expect([await outcomeOf(run), await agendaRows()]).toEqual(['given_up', 0]);
  });

  it('is given up after a day, though no worker ever asked for it', async () => {
    const old = await unneededRun();
    const stop = new GivenUpRuns(store, silent, 5).start();
    await passTime(store, DAY_MS - 60_000);
    const young = await unneededRun();
    await passTime(store, 60_000);
    await commits.until(old.jobId, 'StepRunCancelled');
    expect(await recordedOf(old)).toEqual({ outcome: 'given_up', actor: 'role:saga', why: 'agenda:cancel run' });
    expect([await outcomeOf(young), await agendaRows()]).toEqual([undefined, 1]);
    await stop();
  });

  it('is given up though many older ones cannot be, which are not looked at again at once', async () => {
    const old = await unneededRun();
    // Of jobs that a newer build has written to, or that nobody knows; as many as one look takes at a time.
    await store.pool.query(`insert into agenda (job_id, kind, ref, step_id, run, provider, due_at, look_at)
      select 'job_' || n, 'cancel run', 'stp_' || n || '#1', 'stp_' || n, 1, 'provider-a', now() - interval '1 day', now() from generate_series(1, 200) as n`);
    await passTime(store, DAY_MS);
    const logged: string[] = [];
    const stop = new GivenUpRuns(store, pino({}, { write: (line) => void logged.push(line) })).start();
    await commits.until(old.jobId, 'StepRunCancelled');
    await stop();
    expect(logged.filter((line) => line.includes('run_not_given_up'))).toHaveLength(200);
    expect([await outcomeOf(old), await agendaRows()]).toEqual(['given_up', 200]);
  });

  it('of which a worker of the release before says nothing more is recorded as unknown', async () => {
    const run = await unneededRun();
    await saga.runCancelled(READERS.runCancelled({ ...run }));
    expect(await outcomeOf(run)).toBe('unknown');
    expect(() => READERS.runCancelled({ ...run, outcome: 'maybe' })).toThrow('outcome "maybe" is none of');
  });
});
