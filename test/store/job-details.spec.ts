import { claimIdOf } from '@lib/domain/claim-id';
import type { FollowOnTopic, RecordedClaim } from '@lib/domain/job/recorded-report';
import { readEvents, readJobHistory } from '@lib/store/history/load';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { JOB_CURSORS } from '@lib/store/views/job-cursor';
import { readTraceIds, readTraceIdsOfEvents } from '@lib/store/views/trace-ids';
import { saysAll } from '@lib/store/views/claim-words';
import { completeWith, failure, planTopics, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, DEADLINES, META, TENANT, type TestStore } from '../support/store';
import { deleteThread, eventTypes, onJob, pursue } from '../support/streams';

const CITATION = {
  ...{ index: 1, startIndex: 8, endIndex: 11, url: 'https://tower.example/a' },
  ...{ title: 'Tower', domain: 'tower.example', publishedAt: null, snippet: null },
};

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

const NOTHING = { steps: false, claims: false, reports: false };

/** One provider that answers with a citation, one that fails; a claim of the answer and a topic that follows from it. */
async function finishedJob() {
  const candidates = [candidate('provider-a', { max: 50_000 }), candidate('provider-c')];
  const job = await createJob(store, { query: 'How tall?', candidates });
  const [one = '', two = ''] = job.stepIds;
  const supporting = [{ provider: 'provider-a' as const, stepId: one, quote: 'So it is [1].', start: 0, end: 13, citationIndexes: [1] }];
  const claim: RecordedClaim = { id: 'c1', claim: 'So it is.', confidence: 'low', supporting, contradicting: [] };
  const followOn: FollowOnTopic = { topic: 'And then', rationale: 'Not said.', kind: 'gap', claimIds: ['c1', 'unknown'] };
  await onJob(store, job.jobId, start(one), start(two));
  await onJob(store, job.jobId, report(one, 1, { ...success(20_000), ...{ citations: [CITATION] } }));
  await onJob(store, job.jobId, report(two, 1, failure({ errorClass: 'auth', errorMessage: 'The key was refused.' })));
  await onJob(store, job.jobId, completeWith({ claims: [claim], followOnTopics: [followOn] }));
  return { ...job, one, two };
}

describe('a job by its id alone', () => {
  it('is told with its steps, reports and claims, each only where it is asked for', async () => {
    const { threadId, jobId, one, two } = await finishedJob();
    const whole = await test.another().flatJobs.get(TENANT, jobId, { steps: true, claims: true, reports: true });
    expect(whole).toMatchObject({
      status: 'completed',
      job: {
        ...{ id: jobId, threadId, parentJobId: null, status: 'completed', budgetTier: 'M', budgetCapCents: 1500, query: 'How tall?' },
        ...{ researchMode: 'fast', spideringEnabled: false, totalCustomerCostCents: 2, durationSeconds: expect.any(Number) as number },
        synthesisMarkdown: '# Report',
        suggestedFollowOns: [{ topic: 'And then', rationale: 'Not said.', kind: 'gap', claimIds: [claimIdOf(jobId, 1)] }],
        steps: [
          {
            ...{ id: one, provider: 'provider-a', status: 'completed', topic: null, attempts: 1, errorMessage: null },
            ...{ reportMarkdown: 'So it is [1].', citations: [CITATION], durationSeconds: expect.any(Number) as number },
          },
          {
            id: two,
            provider: 'provider-c',
            status: 'failed',
            errorMessage: 'The key was refused.',
            reportMarkdown: null,
            citations: null,
          },
        ],
        claims: [{ id: claimIdOf(jobId, 1), jobId, content: 'So it is.', sources: [{ url: CITATION.url, providers: ['provider-a'] }] }],
      },
    });
    const { job, version = 0 } = (await store.flatJobs.get(TENANT, jobId, { ...NOTHING, steps: true })) ?? {};
    expect(job?.claims).toBeNull();
    expect(job?.steps).toMatchObject([{ reportMarkdown: null, citations: null, startedAt: expect.any(String) as string }, {}]);
    expect((await store.flatJobs.get(TENANT, jobId, { ...NOTHING, claims: true }))?.job).toMatchObject({
      steps: null,
      claims: [{ jobId }],
    });
    expect((await store.flatJobs.get(TENANT, jobId, { ...NOTHING, reports: true }))?.job?.steps?.[0]?.reportMarkdown).toBe('So it is [1].');
    expect(await store.flatJobs.get(TENANT, jobId, NOTHING, version)).toMatchObject({ version, status: 'completed', job: null });
    expect(await store.flatJobs.get(TENANT, jobId, NOTHING, version - 1)).toMatchObject({ version, job: { steps: null, claims: null } });
  });

  it('has neither end nor duration nor report while it runs, and a settled step has both', async () => {
    const { jobId, stepIds: [one = '', two = ''] } = await createJob(store); // prettier-ignore
    await onJob(store, jobId, start(one), start(two), report(one, 1, success()));
    const { job } = (await store.flatJobs.get(TENANT, jobId, { ...NOTHING, steps: true, claims: true })) ?? {};
    expect(job).toMatchObject({ status: 'running', durationSeconds: null, completedAt: null, synthesisMarkdown: null, claims: [] });
    expect(job).toMatchObject({ suggestedFollowOns: [], totalCustomerCostCents: 0 });
    expect(job?.steps).toMatchObject([
      { status: 'completed' },
      { status: 'running', durationSeconds: null, completedAt: null, errorMessage: null },
    ]);
    expect(job?.steps?.[0]?.durationSeconds).toBeGreaterThanOrEqual(0);
  });

  it('is nothing to another tenant, and nothing once its thread is deleted', async () => {
    const { threadId, jobId } = await createJob(store);
    expect(await store.flatJobs.get('tenant-two', jobId, NOTHING)).toBeNull();
    await deleteThread(store, threadId);
    expect(await store.flatJobs.get(TENANT, jobId, NOTHING)).toBeNull();
  });

  it('is listed newest first with its question, by what is asked for, page after page', async () => {
    const tenantId = 'tenant-of-lists';
    const jobs = [];
    for (const query of ['One?', 'Two?', 'Three?']) jobs.push(await createJob(store, { query, tenantId }));
    // They may have been made in one moment.
    const apart = `update job set created_at = created_at + array_position($1::text[], id::text) * interval '1 second' where id = any ($1)`;
    await store.pool.query(apart, [jobs.map(({ jobId }) => jobId)]);
    const { jobs: two, nextCursor, limit } = await store.flatJobs.list(tenantId, {}, null, 2);
    expect([two.map(({ query }) => query), typeof nextCursor, limit]).toEqual([['Three?', 'Two?'], 'string', 2]);
    expect(two[0]).toMatchObject({
      id: jobs[2]?.jobId,
      threadId: jobs[2]?.threadId,
      parentJobId: null,
      budgetCapCents: 1500,
      status: 'pending',
    });
    const all = await store.flatJobs.list(tenantId, {}, null, 3);
    expect([all.jobs.length, all.nextCursor]).toEqual([3, null]);
    const [first] = jobs;
    expect((await store.flatJobs.list(tenantId, { jobId: first?.jobId }, null, 9)).jobs).toMatchObject([{ query: 'One?' }]);
    expect((await store.flatJobs.list(tenantId, { threadId: first?.threadId, status: 'running' }, null, 9)).jobs).toEqual([]);
  });

  it('is left out of lists and counted if it cannot be opened; the others are listed', async () => {
    const tenantId = 'tenant-of-changed';
    const [kept, changed] = [await createJob(store, { tenantId }), await createJob(store, { tenantId })];
    await store.pool.query(`update thread_key set wrapped = 'changed' where thread_id = $1`, [changed.threadId]);
    const fresh = test.another();
    const { jobs, jobsUnreadable } = await fresh.flatJobs.list(tenantId, {}, null, 10);
    expect([jobs.map(({ id }) => id), jobsUnreadable]).toEqual([[kept.jobId], 1]);
    const { threads, threadsUnreadable } = await fresh.views.listThreads(tenantId, { limit: 10, offset: 0, after: null });
    expect([threads.map(({ id }) => id), threadsUnreadable]).toEqual([[kept.threadId], 1]);
  });

  it('names the job that it follows on', async () => {
    const { threadId, jobId } = await finishedJob();
    const child = await pursue(store, threadId, jobId);
    expect((await store.flatJobs.get(TENANT, child, NOTHING))?.job).toMatchObject({
      parentJobId: jobId,
      query: 'What follows?',
      budgetTier: 'S',
    });
    const { jobs } = await store.flatJobs.list(TENANT, { threadId, status: 'pending', budgetTier: 'S' }, null, 5);
    expect(jobs).toMatchObject([{ id: child, parentJobId: jobId, budgetCapCents: 500 }]);
  });
});

describe('the topics of a job', () => {
  it('are those that were explored, with what they look into, and why no more were', async () => {
    const { threadId, jobId, stepIds: [one = ''] } = await createJob(store, { spideringEnabled: true, deadlines: DEADLINES, candidates: [candidate('provider-a')] }); // prettier-ignore
    expect(await store.views.listTopics(TENANT, threadId, jobId)).toEqual({ jobId, explored: [], stopReason: null, suggested: [] });
    await onJob(store, jobId, start(one), report(one, 1, success()));
    const asked = candidate('provider-c');
    await onJob(store, jobId, planTopics(1, asked));
    const topics = await test.another().views.listTopics(TENANT, threadId, jobId);
    expect(topics?.explored).toEqual([
      { topic: 10, parent: null, round: 1, text: 'Topic 1.0', rationale: 'Mentioned, not covered.', stepIds: [asked.stepId] },
    ]);
    const detail = await store.flatJobs.get(TENANT, jobId, { ...NOTHING, steps: true });
    expect(detail?.job?.steps?.map(({ topic }) => topic)).toEqual([null, 10]);
    await onJob(store, jobId, { type: 'ReachDeadline', phase: 'running' });
    expect(await store.views.listTopics(TENANT, threadId, jobId)).toMatchObject({ stopReason: topics?.stopReason ?? 'deadline' });
  });

  it('end at the deadline where spidering was wanted, and nowhere else', async () => {
    const reasons = [];
    for (const [spideringEnabled, phase] of [
      [true, 'running'],
      [false, 'running'],
      [true, 'queue'],
    ] as const) {
      // prettier-ignore
      const { threadId, jobId, stepIds: [one = '', two = ''] } = await createJob(store, { spideringEnabled }); // prettier-ignore
      if (phase === 'running') await onJob(store, jobId, start(one), start(two), report(one, 1, success()));
      await onJob(store, jobId, { type: 'ReachDeadline', phase });
      reasons.push((await store.views.listTopics(TENANT, threadId, jobId))?.stopReason);
    }
    expect(reasons).toEqual(['deadline', null, null]);
  });

  it('are followed by those that the report suggests; they are nobody else’s', async () => {
    const { threadId, jobId } = await finishedJob();
    const topics = await store.views.listTopics(TENANT, threadId, jobId);
    expect(topics).toEqual({ jobId, explored: [], stopReason: null, suggested: [{ text: 'And then', rationale: 'Not said.' }] });
    expect(await store.views.listTopics('tenant-two', threadId, jobId)).toBeNull();
    expect(await store.views.listTopics(TENANT, 'thr_other', jobId)).toBeNull();
  });
});

describe('the events of a job', () => {
  it('are read in pages after what the asker has, also by many at once, and say how far the job is', async () => {
    const { threadId, jobId } = await finishedJob();
    const other = await createJob(store);
    const place = { tenantId: TENANT, threadId, jobId, after: 0 };
    const [whole, rest, none, hidden, elsewhere, open] = await Promise.all([
      store.views.readEventPage(place),
      store.views.readEventPage({ ...place, after: 6 }),
      store.views.readEventPage({ ...place, after: 7 }),
      store.views.readEventPage({ ...place, tenantId: 'tenant-two' }),
      store.views.readEventPage({ ...place, threadId: other.threadId }),
      store.views.readEventPage({ tenantId: TENANT, ...other, after: 0 }),
    ]);
    const events = (await store.views.listEvents(TENANT, threadId, jobId)) ?? [];
    expect(events).toHaveLength(7);
    expect(whole).toEqual({ events, version: 7, isFinal: true });
    expect(rest).toEqual({ events: events.slice(6), version: 7, isFinal: true });
    expect(none).toEqual({ events: [], version: 7, isFinal: true });
    expect(open).toMatchObject({ events: [{ type: 'JobRequested' }], version: 1, isFinal: false });
    expect([hidden, elsewhere]).toEqual([null, null]);
    expect(await store.views.listEvents('tenant-two', threadId, jobId)).toBeNull();
    await deleteThread(store, threadId);
    expect(await store.views.readEventPage(place)).toBeNull();
  });

  it('are at most thirty-two of a page', async () => {
    const candidates = Array.from({ length: 20 }, () => candidate('provider-a'));
    const { threadId, jobId, stepIds } = await createJob(store, { candidates });
    for (const id of stepIds) await onJob(store, jobId, start(id), report(id, 1, success()));
    const place = { tenantId: TENANT, threadId, jobId };
    const first = await store.views.readEventPage({ ...place, after: 0 });
    const second = await store.views.readEventPage({ ...place, after: 32 });
    expect([first?.events.length, second?.events.length, first?.version]).toEqual([32, 10, 42]);
  });

  it('are found changed where another version was seen, or the job is gone', async () => {
    const { threadId, jobId, stepIds: [one = ''] } = await createJob(store); // prettier-ignore
    const other = await createJob(store);
    await onJob(store, jobId, start(one));
    const seen = [{ jobId, version: 1 }, { jobId: other.jobId, version: 1 }, { jobId: 'job_never', version: 3 }]; // prettier-ignore
    const changed = await store.findChanged(seen);
    expect(changed.sort((a, b) => (a.jobId < b.jobId ? -1 : 1))).toEqual(
      [{ jobId, version: 2 }, { jobId: 'job_never', version: null }].sort((a, b) => (a.jobId < b.jobId ? -1 : 1)), // prettier-ignore
    );
    expect(await store.findChanged([{ jobId, version: 2 }])).toEqual([]);
    await deleteThread(store, threadId);
    expect(await store.findChanged([{ jobId, version: 2 }])).toEqual([{ jobId, version: null }]);
  });

  it('name the trace of the request that they come from, unless an earlier build recorded none', async () => {
    const [{ jobId }, other] = [await createJob(store), await createJob(store)];
    await store.pool.query(`alter table event disable trigger user`);
    await store.pool.query(`update event set facts = facts - 'traceId' where stream_id = $1`, [other.jobId]);
    await store.pool.query(`alter table event enable trigger user`);
    const asked = [jobId, jobId, other.jobId, 'job_never'];
    expect([...(await readTraceIds(store.pool, asked))]).toEqual([[jobId, META.traceId]]);
    const { rows } = await store.pool.query<{ event_id: string }>(
      'select event_id from event where stream_id = any($1) order by stream_id = $2',
      [[jobId, other.jobId], jobId],
    );
    const [untraced = '', traced = ''] = rows.map(({ event_id: id }) => id);
    expect([...(await readTraceIdsOfEvents(store.pool, [untraced, traced]))]).toEqual([[traced, META.traceId]]);
  });
});

it.each([
  ['The Eiffel Tower is 330 m tall.', 'tower eiffel', true],
  ['The Eiffel Tower is 330 m tall.', 'tow', true],
  ['The Eiffel Tower is 330 m tall.', 'ower', false],
  ['The Eiffel Tower is 330 m tall.', 'tower london', false],
  ['Ｔｏｗｅｒ', 'TOWER', true],
  ['tower', 'ＴＯＷ', true],
  ['It costs 5 €.', ' € ', true],
  ['It costs 5 $.', '€', false],
  ['It costs 5 $.', '', true],
  ['La tour, "Eiffel"', '"eiffel"', true],
])('%s has every word of %s: %s', (text, query, has) => {
  expect(saysAll(text, query)).toBe(has);
});

describe('what a cursor of jobs says', () => {
  const id = newId('job');
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  it('is read back', () => {
    const cursor = { createdAt: new Date('2026-11-22T10:00:00.123Z'), id };
    expect(JOB_CURSORS.placeIn(JOB_CURSORS.textOf(cursor))).toEqual(cursor);
  });

  it.each([
    '',
    encoded(`5.${newId('thr')}`),
    encoded(`5.job_${'z'.repeat(26)}`),
    encoded(`999999999999999999.${id}`),
    `${encoded(`5.${id}`)}=`,
  ])('is nothing where no page gave it out: %j', (text) => expect(JOB_CURSORS.placeIn(text)).toBeUndefined());
});

it('the history of a job is read event by event, and that of none is empty', async () => {
  const { jobId } = await finishedJob();
  expect((await readEvents(store.pool, jobId)).map(({ type }) => type)).toEqual(await eventTypes(store, jobId));
  const moments = await readJobHistory(store.pool, jobId);
  expect(moments.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(moments.map(({ state }) => state.status).at(-1)).toBe('completed');
  expect(await readEvents(store.pool, newId('job'))).toEqual([]);
});
