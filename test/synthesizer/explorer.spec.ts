import { pino } from 'pino';
import type { StepResult } from '@lib/domain/job/commands';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';
import { viewDifferences } from '@lib/store/views/view-differences';
import { dispatchCommits } from '../../src/dispatch/dispatch';
import { Sweeper } from '../../src/saga/sweeper';
import { Explorer } from '../../src/synthesizer/explorer';
import { Commits } from '../support/commits';
import { report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread, eventTypes, jobState, onJob, passTime } from '../support/streams';

const HOUR_MS = 3_600_000;
const silent = pino({ level: 'silent' });
/** Both reports mention the mercury gauge, which the question does not. */
const mentioning = (sentence: string): StepResult => ({ ...success(), ...{ reportMarkdown: `${sentence}\n` } });
const REPORTS = [
  mentioning('The keeper trims the harbour lamps after the mercury gauge was read.'),
  mentioning('Harbour lamps are trimmed every evening beside the mercury gauge.'),
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
  const explorer = new Explorer({ store, transport, runTask: runHere, logger: silent });
  await explorer.start();
  stopping.push(() => explorer.stop(0));
}

function startSweeper(): void {
  const sweeper = new Sweeper(store, transport, { sweepMs: 5, redispatchMs: HOUR_MS }, silent);
  sweeper.start();
  stopping.push(() => sweeper.stop());
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
async function wake(jobId: string, on = store): Promise<string> {
  let outcome = 'nothing';
  const consume: Transport['consume'] = async (_queue, _slots, handle) => {
    const work = { kind: 'explore', jobId } as const;
    await handle({ work, deliveries: 1, ack: () => (outcome = 'acknowledged'), retryAfter: () => (outcome = 'again') });
    return { stop: async () => undefined };
  };
  await new Explorer({ store: on, transport: { ...transport, consume }, runTask: runHere, logger: silent }).start();
  return outcome;
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
    dispatchCommits(store, transport, silent);
    await startExplorer();
    const { jobId } = await reportedJob();
    await commits.until(jobId, 'TopicsPlanned');
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });

  it('is planned once by two synthesizers that look at the same time', async () => {
    const { jobId } = await exploringJob();
    expect(await Promise.all([wake(jobId), wake(jobId, test.another())])).toEqual(['acknowledged', 'acknowledged']);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'TopicsPlanned')).toHaveLength(1);
    expect((await jobState(store, jobId)).steps).toHaveLength(4);
  });
});

describe('a job that no longer wants topics gets none', () => {
  it.each([
    ['was cancelled', { type: 'CancelJob' } as const, 'JobCancelled'],
    ['reached its deadline', { type: 'ReachDeadline', phase: 'running' } as const, 'SynthesisStarted'],
  ])('because it %s meanwhile', async (_, command, last) => {
    const { jobId } = await exploringJob();
    await onJob(store, jobId, command);
    expect(await wake(jobId)).toBe('acknowledged');
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

  it('because there is no such job', async () => {
    expect(await wake('job_unknown')).toBe('acknowledged');
  });
});
