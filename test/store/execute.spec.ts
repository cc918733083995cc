import type { DomainError } from '@lib/domain/errors';
import { writtenReport } from '@lib/domain/job/recorded-report';
import type { JobState } from '@lib/domain/job/state';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, eventTypes, jobState, onJob, pursue, refusal } from '../support/streams';
import { HOLD } from '../support/hold';

let test: TestStore;
let store: Store;
let other: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  other = test.another();
});
afterAll(() => test.close());

/** The transactions that wrote these streams, and how many events. */
async function writtenBy(streamIds: string[]): Promise<{ transactions: number; events: number }> {
  const { rows } = await store.pool.query<{ transactions: number; events: number }>(
    `select count(distinct tx)::int as transactions, count(*)::int as events from event where stream_id = any ($1)`,
    [streamIds],
  );
  return rows[0] as { transactions: number; events: number };
}

async function lastTransactionOf(jobId: string): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ tx: string }>('select tx::text from event where stream_id = $1 order by version desc limit 1', [
    jobId,
  ]);
  return rows[0]?.tx;
}

describe('execute', () => {
  it('carries a job from its request to the document that is served', async () => {
    const { threadId, jobId, stepIds } = await createJob(store, { query: 'Why is the sky blue?' });
    const open = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as Record<string, unknown>;
    expect(open).toMatchObject({ status: 'pending', query: 'Why is the sky blue?', steps: [], synthesisMarkdown: null });

    await Promise.all(stepIds.map((stepId) => onJob(store, jobId, start(stepId))));
    await Promise.all(stepIds.map((stepId) => onJob(store, jobId, report(stepId, 1, success()))));
    await onJob(store, jobId, {
      type: 'CompleteJob',
      synthesizer: 'test',
      report: writtenReport({ markdown: '# Done', claims: [], followOnTopics: [] }),
    });

    const document = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { steps: object[] };
    expect(document).toMatchObject({ status: 'completed', synthesisMarkdown: '# Done', synthesisClaimsJson: [] });
    expect(document.steps).toHaveLength(2);
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('commits what arrives together in one transaction, commands on the same stream in their order', async () => {
    const jobs = await Promise.all(Array.from({ length: 20 }, () => createJob(store)));
    const streamIds = jobs.flatMap(({ threadId, jobId }) => [threadId, jobId]);
    expect(await writtenBy(streamIds)).toEqual({ transactions: 1, events: 20 * 4 });

    const { jobId, stepIds } = await createJob(store);
    await Promise.all([
      ...stepIds.map((stepId) => onJob(store, jobId, start(stepId))),
      ...stepIds.map((stepId) => onJob(store, jobId, report(stepId, 1, success()))),
    ]);
    expect(await eventTypes(store, jobId)).toEqual([
      'JobRequested',
      ...['StepStarted', 'StepStarted', 'StepCompleted', 'StepCompleted', 'SynthesisStarted'],
    ]);
    expect(await writtenBy([jobId])).toEqual({ transactions: 2, events: 6 });
  });

  it('rejects only the command that is refused', async () => {
    const [one, two] = [await createJob(store), await createJob(store)];
    const refused = onJob(store, one.jobId, start(newId('stp')));
    const unknown = onJob(store, newId('job'), start(newId('stp')));
    const granted = [one, two].map(({ jobId, stepIds: [stepId = ''] }) => onJob(store, jobId, start(stepId)));
    expect([await refusal(refused), await refusal(unknown)]).toEqual(['step_not_found', 'job_not_found']);
    await Promise.all(granted);
    expect(await writtenBy([one.jobId, two.jobId])).toEqual({ transactions: 3, events: 4 });
  });

  it('is all or nothing: a unit of which one command is refused writes none', async () => {
    const { threadId, jobId } = await createJob(store);
    expect(await refusal(pursue(store, threadId, newId('job')))).toBe('job_not_found');
    expect(await refusal(pursue(store, newId('thr'), jobId))).toBe('thread_not_found');
    expect(await eventTypes(store, threadId)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded']);
  });

  it('refuses a job on a budget that covers nothing, and goes on', async () => {
    expect(await refusal(createJob(store, { candidates: [], budgetCapCents: 0 }))).toBe('budget_too_small');
    await createJob(store);
  });
});

describe('two processes on one stream', () => {
  it('both succeed, one after the other, and no event is lost', async () => {
    const { jobId, stepIds } = await createJob(store);
    await Promise.all(stepIds.map((stepId, place) => onJob(place === 0 ? store : other, jobId, start(stepId))));
    await Promise.all(stepIds.map((stepId, place) => onJob(place === 0 ? other : store, jobId, report(stepId, 1, success()))));
    expect((await jobState(store, jobId)).steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(await eventTypes(store, jobId)).toHaveLength(6);
  });

  it('grant a step once', async () => {
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    const [mine, theirs] = await Promise.all([onJob(store, jobId, start(stepId, 'mine')), onJob(other, jobId, start(stepId, 'theirs'))]);
    expect([mine.appended.length, theirs.appended.length].sort()).toEqual([0, 1]);
    for (const { streams } of [mine, theirs]) {
      expect((streams.get(jobId)?.state as JobState).steps[0]?.attempts).toHaveLength(1);
    }
  });

  it('do not spoil what else is in the batch when one of its streams has moved on', async () => {
    const jobs = [await createJob(store), await createJob(store), await createJob(store)];
    const [moved] = jobs as [(typeof jobs)[0], ...typeof jobs];
    await onJob(other, moved.jobId, start(moved.stepIds[0] ?? ''));
    const outcomes = await Promise.all(jobs.map(({ jobId, stepIds }) => onJob(store, jobId, start(stepIds[1] ?? ''))));
    expect(outcomes.map(({ appended }) => appended.length)).toEqual([1, 1, 1]);
    expect(await eventTypes(store, moved.jobId)).toEqual(['JobRequested', 'StepStarted', 'StepStarted']);
    const [again, one, two] = await Promise.all(jobs.map(({ jobId }) => lastTransactionOf(jobId)));
    expect(one).toBe(two);
    expect(again).not.toBe(one);
  });

  it('write all or nothing of a unit when one of its streams has moved on', async () => {
    const { threadId, jobId } = await createJob(store);
    await addMessage(store, threadId);
    const rounds = Array.from({ length: 20 }, (_, index) => pursue(index % 2 ? store : other, threadId, jobId));
    const children = await Promise.all(rounds);
    const { rows } = await store.pool.query<{ together: boolean }>(
      `select bool_and(added.tx = requested.tx) as together, count(*)::int from event added
        join event requested on requested.stream_id = added.facts ->> 'jobId' and requested.version = 1
        where added.stream_id = $1 and added.type = 'JobAdded' and requested.stream_id = any ($2)`,
      [threadId, children],
    );
    expect(rows).toEqual([{ together: true, count: 20 }]);
    expect((await store.threads.load(threadId)).jobCount).toBe(21);
  });

  it('never refuse, nor skip, because of what they remember', async () => {
    const { jobId, stepIds } = await createJob(store);
    const [one = '', two = ''] = stepIds;
    await onJob(store, jobId, start(one));
    await onJob(other, jobId, start(two), report(two, 1, success()), report(one, 1, success()));
    // The first process still believes that the second step waits, and that nothing is to be synthesized.
    expect(await refusal(onJob(store, jobId, report(two, 1, success())))).toBe('nothing was refused');
    expect((await onJob(store, jobId, complete)).appended.map(({ record }) => record.type)).toEqual(['JobCompleted']);
  });

  it('tell the job as it is when the lease that was to end was renewed', async () => {
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await onJob(store, jobId, start(stepId));
    const lease = { jobId, kind: 'lease', ref: `${stepId}#1` };
    const after = await store.jobs.execute(jobId, { type: 'LoseAttempt', stepId, attempt: 1 }, META, { endedLease: lease });
    expect(after.steps[0]).toMatchObject({ status: 'running', attempts: [{ open: true }] });
  });

  it('find that a final state is final, whoever brought it about', async () => {
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await onJob(other, jobId, { type: 'CancelJob' });
    expect((await onJob(store, jobId, start(stepId))).appended).toEqual([]);
    const [mine, theirs] = await Promise.all([onJob(store, jobId, { type: 'CancelJob' }), onJob(other, jobId, { type: 'CancelJob' })]);
    expect([mine.appended, theirs.appended]).toEqual([[], []]);
  });
});

describe('a thread that is deleted meanwhile', () => {
  it('is not found, and nothing is written to it', async () => {
    const {
      threadId,
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await deleteThread(other, threadId);
    expect(await refusal(addMessage(store, threadId))).toBe('thread_not_found');
    expect(await refusal(pursue(store, threadId, jobId))).toBe('thread_not_found');
    expect((await onJob(store, jobId, start(stepId))).appended).toEqual([]);
    expect(await eventTypes(store, threadId)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded', 'ThreadDeleted']);
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepSkipped', 'StepSkipped', 'JobCancelled', 'ContentErased']);
  });

  it('takes nothing under a key that this process still holds', async () => {
    const { threadId } = await createJob(store);
    const healthy = await createJob(store);
    await other.pool.query('delete from thread_key where thread_id = $1', [threadId]);
    const results = await Promise.allSettled([addMessage(store, threadId), addMessage(store, healthy.threadId)]);
    expect(results).toMatchObject([{ reason: { code: 'thread_not_found' } }, { status: 'fulfilled' }]);
    expect(await eventTypes(store, threadId)).toHaveLength(3);
  });

  it('is waited for: what is written under its key comes after the deletion, and is refused', async () => {
    const { threadId } = await createJob(store);
    const { threadId: living } = await createJob(store);
    const deleting = await other.pool.connect();
    await deleting.query(HOLD);
    await deleting.query('delete from thread_key where thread_id = $1', [threadId]);
    const added = refusal(addMessage(store, threadId));
    // Travels with it, and is not held up.
    await addMessage(store, living);
    await deleting.query('commit');
    deleting.release();
    expect(await added).toBe('thread_not_found');
    expect(await eventTypes(store, threadId)).toHaveLength(3);
  });

  it('is deleted once, also when two processes try', async () => {
    const { threadId } = await createJob(store);
    const refusals = await Promise.all([refusal(deleteThread(store, threadId)), refusal(deleteThread(other, threadId))]);
    expect(refusals.sort()).toEqual(['nothing was refused', 'thread_not_found']);
  });

  it('takes a job along that is added meanwhile, or leaves it no thread to be added to', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { threadId, jobId } = await createJob(store);
      const pursued = pursue(other, threadId, jobId).catch((error: unknown) => (error as DomainError).code);
      expect(await refusal(deleteThread(store, threadId))).toBe('nothing was refused');
      const child = await pursued;
      if (child.startsWith('job_')) expect((await eventTypes(store, child)).at(-1)).toBe('ContentErased');
      else expect(child).toBe('thread_not_found');
      expect((await eventTypes(store, threadId)).at(-1)).toBe('ThreadDeleted');
    }
  });
});

describe('the time of an event', () => {
  it('never runs backwards within a stream, whatever the clock does', async () => {
    const {
      threadId,
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    const slow = test.another();
    const realNow = Date.now;
    Date.now = () => realNow() - 3_600_000;
    try {
      await onJob(slow, jobId, start(stepId));
      await addMessage(slow, threadId);
    } finally {
      Date.now = realNow;
    }
    const { rows } = await store.pool.query<{ runs: boolean }>(
      `select meta ->> 'occurredAt' >= lag(meta ->> 'occurredAt') over (partition by stream_id order by version) as runs
       from event where stream_id = any ($1)`,
      [[threadId, jobId]],
    );
    expect(rows.filter(({ runs }) => runs === false)).toEqual([]);
    expect(rows).toHaveLength(6);
  });

  it('is the database’s as soon as one commit has told it', async () => {
    const skewed = test.another();
    const realNow = Date.now;
    Date.now = () => realNow() + 3_600_000;
    try {
      await createJob(skewed);
      const { threadId } = await createJob(skewed);
      const { rows } = await store.pool.query<{ ahead: number }>(
        `select extract(epoch from created_at - clock_timestamp())::float8 as ahead from thread where id = $1`,
        [threadId],
      );
      expect(rows[0]?.ahead).toBeLessThan(60);
    } finally {
      Date.now = realNow;
    }
  });
});

it('refuses a command on a stream of the other kind', async () => {
  const { threadId } = await createJob(store);
  const wrong = store.execute({ meta: META, commands: [{ kind: 'job', streamId: threadId, command: { type: 'CancelJob' } }] });
  await expect(wrong).rejects.toThrow('does not belong to the stream');
});
