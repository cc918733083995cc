import { Client } from 'pg';
import type { JobState } from '@lib/domain/job/state';
import type { Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { firstBadVersion } from '../support/chain';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, eventTypes, jobState, onJob, refusal } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
let other: Store;
/** Of another database of the server, so that this one can be copied and renamed. */
let admin: Client;
beforeEach(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
  other = test.another();
  admin = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await admin.connect();
});
afterEach(async () => {
  await test.close();
  await admin.end();
});

const nameOf = (): string => new URL(test.databaseUrl).pathname.slice(1);

/** Ends every session of a database, and waits until the processes that had them have others. */
async function endSessions(whenEnded: () => Promise<void>): Promise<void> {
  await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [nameOf()]);
  await whenEnded();
  for (const { pool } of [store, other]) await eventually(1, async () => (await pool.query('select').catch(() => null))?.rowCount ?? 0);
}

/** What the work commits, the standby that takes over after it has not got: as when PostgreSQL fails over to an asynchronous one. */
async function loseCommitsOf(work: () => Promise<unknown>): Promise<void> {
  const [primary, standby] = [nameOf(), `${nameOf()}_standby`];
  await endSessions(async () => void (await admin.query(`create database ${standby} template ${primary} strategy file_copy`)));
  await work();
  await endSessions(async () => {
    await admin.query(`drop database ${primary} with (force)`);
    await admin.query(`alter database ${standby} rename to ${primary}`);
  });
}

/** That the histories have no gap and the views are what they say. */
async function expectWhole(...streamIds: string[]): Promise<void> {
  for (const streamId of streamIds) expect([streamId, await firstBadVersion(store.pool, streamId)]).toEqual([streamId, null]);
  expect((await viewDifferences(store.pool, LEASE_MS)).differences).toEqual([]);
}

const startsOf = ({ steps }: JobState): (string | undefined)[] => steps.map(({ attempts }) => attempts.at(-1)?.claimId);

describe('a database that has lost its last commits', () => {
  it('gets no gap from a process that remembers them: the job goes on from what is there, to its end', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    await loseCommitsOf(() => onJob(store, jobId, start(one, 'lost')));
    await onJob(store, jobId, start(two, 'kept'));
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted']);
    expect(startsOf(await jobState(other, jobId))).toEqual([undefined, 'kept']);
    await onJob(store, jobId, start(one, 'again'), report(one, 1, success()), report(two, 1, success()), complete);
    expect((await jobState(other, jobId)).status).toBe('completed');
    await expectWhole(threadId, jobId);
    await deleteThread(store, threadId);
    expect(await eventTypes(store, threadId)).toContain('ThreadDeleted');
  });

  it('gets no broken chain where another process has written its own events in the place of the lost ones', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    await loseCommitsOf(() => onJob(store, jobId, start(one, 'lost')));
    await onJob(other, jobId, start(one, 'theirs'));
    await onJob(store, jobId, start(two, 'ours'));
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepStarted']);
    expect(startsOf(await jobState(test.another(), jobId))).toEqual(['theirs', 'ours']);
    await expectWhole(threadId, jobId);
  });

  it('is what is read, and not what is remembered', async () => {
    const { jobId, stepIds } = await createJob(store);
    await loseCommitsOf(() => onJob(store, jobId, start(stepIds[0] ?? '', 'lost')));
    expect(startsOf(await jobState(store, jobId))).toEqual([undefined, undefined]);
    expect(startsOf(await store.jobs.recall(jobId))).toEqual([undefined, undefined]);
  });

  it('does not get what a lost event said into the report', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    const saying = (reportMarkdown: string) => report(one, 1, { ...success(), reportMarkdown } as ReturnType<typeof success>);
    await onJob(store, jobId, start(one), start(two));
    await loseCommitsOf(() => onJob(store, jobId, saying('It was lost.')));
    await onJob(other, jobId, saying('It was kept.'));
    await onJob(store, jobId, report(two, 1, success()), complete);
    const document = String(await test.another().views.getJob(TENANT, threadId, jobId));
    expect(document).toContain('It was kept.');
    expect(document).not.toContain('It was lost.');
  });

  it('refuses what is said of a thread and a job that it has lost as a whole', async () => {
    let lost = { threadId: '', jobId: '', stepIds: [''] };
    await loseCommitsOf(async () => (lost = await createJob(store)));
    const { threadId, jobId, stepIds } = lost;
    expect(await refusal(onJob(store, jobId, start(stepIds[0] ?? '')))).toBe('job_not_found');
    expect(await refusal(addMessage(store, threadId))).toBe('thread_not_found');
    for (const streamId of [threadId, jobId]) expect(await eventTypes(store, streamId)).toEqual([]);
  });
});
