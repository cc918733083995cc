import { pino } from 'pino';
import { HOUR_MS } from '@lib/domain/durations';
import type { StepResult } from '@lib/domain/job/commands';
import { MAX_TOPICS } from '@lib/domain/job/exploration';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import type { StoreAlert } from '@lib/store/alert';
import type { Store } from '@lib/store/store';
import { dispatchCommits } from '../../src/dispatch/dispatch';
import { Sweeper } from '../../src/saga/sweeper';
import type { RunTask } from '../../src/reports/report-pool';
import { PoolBusy } from '../../src/reports/pool-busy';
import { Explorer } from '../../src/synthesizer/explorer';
import { Commits } from '../support/commits';
import { report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, PROCESS, TENANT, type TestStore } from '../support/store';
import { deleteThread, eventTypes, jobState, onJob, passTime } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const silent = pino({ level: 'silent' });
/** Both reports mention the mercury gauge, which the question does not. */
const mentioning = (sentence: string): StepResult => ({ ...success(), ...{ reportMarkdown: `${sentence}\n` } });
const REPORTS = [
  mentioning('The keeper trims the harbour lamps after the mercury gauge was read.'),
  mentioning('Harbour lamps are trimmed every evening beside the mercury gauge.'),
];
/** Of those who were asked about the gauge. */
const FURTHER_REPORTS = [
  mentioning('The keeper trims the harbour lamps after the brass barometer was read.'),
  mentioning('Harbour lamps are trimmed every evening beside the brass barometer.'),
];

let test: TestStore;
let store: Store;
let transport: Transport;
let commits: Commits;
let stopping: (() => Promise<void>)[];
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  commits = new Commits(store);
  transport = createMemoryTransport();
  stopping = [];
});
afterEach(async () => {
  await Promise.all(stopping.map((stop) => stop()));
  await transport.close();
  await test.close();
});

async function startExplorer(): Promise<void> {
  const explorer = new Explorer({ store, transport, process: PROCESS, runTask: runHere, logger: silent });
  await explorer.start();
  stopping.push(() => explorer.stop(0));
}

function startSweeper(): void {
  const sweeper = new Sweeper(store, transport, { sweepMs: 5, redispatchMs: HOUR_MS }, silent);
  stopping.push(sweeper.start());
}

async function reportedJob(): Promise<{ threadId: string; jobId: string }> {
  const { threadId, jobId, stepIds } = await createJob(store, { query: 'When are harbour lamps trimmed?', spideringEnabled: true });
  for (const [place, stepId] of stepIds.entries()) await onJob(store, jobId, start(stepId), report(stepId, 1, REPORTS[place] ?? success()));
  return { threadId, jobId };
}

/** Its steps have reported and its first round waits for topics; nobody was told. */
async function exploringJob(): Promise<{ threadId: string; jobId: string }> {
  const job = await reportedJob();
  expect((await jobState(store, job.jobId)).exploration.open).toBe(true);
  return job;
}

/** Hands a wake-up to a synthesizer of its own and says what became of it. */
async function wake(jobId: string, on = store, runTask = runHere): Promise<string> {
  const { ended } = await wakeUp(jobId, on, runTask);
  return ended;
}

/** The same, of a synthesizer that can be told to stop meanwhile. */
async function wakeUp(jobId: string, on: Store, runTask: RunTask) {
  let outcome = 'nothing';
  let inHand = Promise.resolve();
  const consume: Transport['consume'] = async (_queue, _slots, handle) => {
    const work = { kind: 'explore', jobId } as const;
    inHand = handle({
      work,
      deliveries: 1,
      ack: () => (outcome = 'acknowledged'),
      retryAfter: (milliseconds) => (outcome = `again after ${milliseconds} ms`),
    });
    return { stop: () => inHand };
  };
  const explorer = new Explorer({ store: on, transport: { ...transport, consume }, process: PROCESS, runTask, logger: silent });
  await explorer.start();
  return { ended: inHand.then(() => outcome), stop: (graceMs: number) => explorer.stop(graceMs) };
}

/** What the last round of the job came to. */
async function lastRound(jobId: string): Promise<{ facts: unknown; meta: unknown } | undefined> {
  const text = `select facts, meta from event where stream_id = $1 and type = 'TopicsPlanned' order by version desc limit 1`;
  return (await store.pool.query<{ facts: unknown; meta: unknown }>(text, [jobId])).rows[0];
}

describe('a round of topics', () => {
  it('is found in the reports, each topic with steps of its own, and the views agree with the history', async () => {
    const { threadId, jobId } = await exploringJob();
    expect(await wake(jobId)).toBe('acknowledged');
    const topics = await store.views.listTopics(TENANT, threadId, jobId);
    expect(topics?.explored).toMatchObject([{ topic: 1, parent: null, round: 1, text: 'mercury gauge' }]);
    expect((await jobState(store, jobId)).steps.slice(2).map(({ status }) => status)).toEqual(['queued', 'queued']);
    expect(await viewDifferences(store.pool, 30_000)).toMatchObject({ differences: [] });
  });

  it('whose synthesizer died before it planned any is looked for again, because the agenda says so', async () => {
    const { jobId } = await exploringJob();
    await startExplorer();
    startSweeper();
    expect(commits.of(jobId).at(-1)).toBe('ExploreStarted');
    await passTime(store, HOUR_MS);
    await commits.until(jobId, 'TopicsPlanned');
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });

  it('is dispatched as soon as it is due, without a sweeper', async () => {
    dispatchCommits(store, { transport });
    await startExplorer();
    const { jobId } = await reportedJob();
    await commits.until(jobId, 'TopicsPlanned');
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });

  it('waits where so much waits for the threads for reports that no more is taken', async () => {
    const { jobId } = await exploringJob();
    const busy: RunTask = async () => {
      throw new PoolBusy('64 calls wait');
    };
    expect(await wake(jobId, store, busy)).toBe('again after 5000 ms');
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });

  it('is planned once by two synthesizers that look at the same time', async () => {
    const { jobId } = await exploringJob();
    expect(await Promise.all([wake(jobId), wake(jobId, test.another())])).toEqual(['acknowledged', 'acknowledged']);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'TopicsPlanned')).toHaveLength(1);
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });

  it('is recorded in the name of the role and of its process', async () => {
    const { jobId } = await exploringJob();
    await wake(jobId);
    expect(await lastRound(jobId)).toMatchObject({
      ...{ facts: { process: PROCESS }, meta: { actor: 'role:synthesizer', correlationId: jobId } },
    });
  });

  it('of several topics, no more than may be looked for, numbers them one after the other', async () => {
    const { threadId, jobId } = await exploringJob();
    const [{ stepId = '' } = {}] = (await jobState(store, jobId)).steps;
    const several = ['mercury gauge', 'brass barometer', 'paper log'].map((text) => ({ text, rationale: 'Mentioned.', stepIds: [stepId] }));
    const limits: unknown[] = [];
    const runTask: RunTask = async (_task, ...given) => {
      limits.push(given[2]);
      return several as never;
    };
    expect(await wake(jobId, store, runTask)).toBe('acknowledged');
    expect(limits).toEqual([MAX_TOPICS]);
    const topics = await store.views.listTopics(TENANT, threadId, jobId);
    expect(topics?.explored.map(({ topic, parent, text }) => [topic, parent, text])).toEqual(
      several.map(({ text }, place) => [place + 1, null, text]),
    );
  });

  it('that follows another one gets numbers that go on, and topics below those whose reports alone mention them', async () => {
    const { threadId, jobId } = await exploringJob();
    await wake(jobId);
    const asked = (await jobState(store, jobId)).steps.slice(2);
    for (const [place, { stepId }] of asked.entries())
      await onJob(store, jobId, start(stepId), report(stepId, 1, FURTHER_REPORTS[place] ?? success()));
    expect((await jobState(store, jobId)).exploration).toMatchObject({ open: true, round: 2 });
    const explored: unknown[] = [];
    const runTask: RunTask = (task, ...given) => {
      explored.push(given[1]);
      return runHere(task, ...given);
    };
    expect(await wake(jobId, store, runTask)).toBe('acknowledged');
    expect(explored).toEqual([['mercury gauge']]);
    const topics = await store.views.listTopics(TENANT, threadId, jobId);
    expect(topics?.explored).toMatchObject([
      { topic: 1, parent: null, round: 1, text: 'mercury gauge' },
      { topic: 2, parent: 1, round: 2, text: 'brass barometer' },
    ]);
  });

  it('that no thread can look for ends the exploration, and the job goes on with what it has', async () => {
    const { jobId } = await exploringJob();
    const failing: RunTask = () => Promise.reject(new Error('a thread that ended'));
    expect(await wake(jobId, store, failing)).toBe('acknowledged');
    expect((await lastRound(jobId))?.facts).toMatchObject({ round: 1, topics: [], stopReason: 'failed' });
    expect((await jobState(store, jobId)).status).toBe('synthesizing');
  });

  it('whose reports cannot be opened ends the exploration, and a person is told', async () => {
    const { jobId } = await exploringJob();
    await store.pool.query('alter table event disable trigger user');
    await store.pool.query(`update event set sealed = 'short' where stream_id = $1 and type = 'StepCompleted'`, [jobId]);
    await store.pool.query('alter table event enable trigger user');
    const another = test.another();
    const alerts: StoreAlert[] = [];
    another.onAlert((alert) => alerts.push(alert));
    expect(await wake(jobId, another)).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).slice(-2)).toEqual(['TopicsPlanned', 'SynthesisStarted']);
    expect(alerts).toMatchObject([{ reason: 'corrupt_content' }]);
  });

  it('comes again a little later where the database cannot tell the job', async () => {
    const { jobId } = await exploringJob();
    await store.pool.query('alter table event rename to event_away');
    expect(await wake(jobId, test.another())).toBe('again after 5000 ms');
    await store.pool.query('alter table event_away rename to event');
    expect(await wake(jobId)).toBe('acknowledged');
  });

  it('is left to another synthesizer by one that is told to stop, after its grace, and finished within it', async () => {
    const { jobId } = await exploringJob();
    const left = await wakeUp(jobId, store, () => new Promise(() => undefined));
    await left.stop(1);
    expect(await left.ended).toBe('nothing');
    expect((await jobState(store, jobId)).exploration.open).toBe(true);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: RunTask = async (task, ...given) => {
      begun.resolve();
      await goOn.promise;
      return runHere(task, ...given);
    };
    const finished = await wakeUp(jobId, store, slow);
    await begun.promise;
    const stopped = finished.stop(60_000);
    goOn.resolve();
    await stopped;
    expect(await finished.ended).toBe('acknowledged');
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });
});

it('an explorer that was stopped before it began ends at once', async () => {
  const explorer = new Explorer({ store, transport, process: PROCESS, runTask: runHere, logger: silent });
  expect(await explorer.stop(60_000)).toBeUndefined();
});

describe('a job that no longer wants topics gets none', () => {
  it.each([
    ['was cancelled', { type: 'CancelJob' } as const, 'JobCancelled'],
    ['reached its deadline', { type: 'ReachDeadline', phase: 'running' } as const, 'SynthesisStarted'],
  ])('because it %s meanwhile', async (_, command, last) => {
    const { jobId } = await exploringJob();
    await onJob(store, jobId, command);
    const nobodyLooks: RunTask = () => Promise.reject(new Error('it was looked for all the same'));
    expect(await wake(jobId, store, nobodyLooks)).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).at(-1)).toBe(last);
    expect(await eventTypes(store, jobId)).not.toContain('TopicsPlanned');
  });

  it('because its thread was deleted, after which its topics are nowhere to be read', async () => {
    const { threadId, jobId } = await exploringJob();
    await wake(jobId);
    expect(await store.views.listTopics(TENANT, threadId, jobId)).not.toBeNull();
    await deleteThread(test.another(), threadId);
    expect(await wake(jobId)).toBe('acknowledged');
    expect(await store.views.listTopics(TENANT, threadId, jobId)).toBeNull();
    const { rows } = await store.pool.query('select 1 from event where stream_id = $1 and sealed is not null', [jobId]);
    expect(rows).toEqual([]);
    expect((await eventTypes(store, jobId)).at(-1)).toBe('ContentErased');
  });

  it('because its content is gone, though the job itself has not ended yet', async () => {
    const { threadId, jobId } = await exploringJob();
    await test.another().threads.delete(threadId, TENANT, { actor: 'a test', correlationId: 'a test' });
    let isAsked = false;
    const nobodyLooks: RunTask = () => {
      isAsked = true;
      return Promise.reject(new Error('it was looked for all the same'));
    };
    expect(await wake(jobId, test.another(), nobodyLooks)).toBe('acknowledged');
    expect(isAsked).toBe(false);
  });

  it('because its history is corrupt: it comes again when it may have been restored', async () => {
    const { jobId } = await exploringJob();
    await store.pool.query('alter table event disable trigger user');
    await store.pool.query(`update event set facts = '{}' where stream_id = $1`, [jobId]);
    expect(await wake(jobId, test.another())).toBe('acknowledged');
    expect(await eventTypes(store, jobId)).not.toContain('TopicsPlanned');
  });

  it('because there is no such job', async () => {
    expect(await wake('job_unknown')).toBe('acknowledged');
  });
});
