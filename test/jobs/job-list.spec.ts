import { JOB_STATUSES } from '@lib/domain/vocabulary';
import type { JobListItemView, JobListView } from '@lib/store/views/job-detail.view';
import type { JobView } from '@lib/store/views/job.view';
import { FAILING } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

let system: System;
let jobs: JobView[];
let pursued: string;

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-b': FAILING } });
  const { client } = system;
  jobs = [];
  for (const n of [1, 2, 3, 4, 5])
    jobs.push(
      await client.research({ message: `Question ${n}`, budget: n % 2 ? 'S' : 'XL', providers: [n === 3 ? 'provider-b' : 'provider-a'] }),
    );
  const [{ id, threadId }] = jobs as [JobView];
  pursued = (await client.pursue(threadId, id, { topic: 'And then?', providers: ['provider-a'] })).id;
  await client.finalJob(threadId, pursued);
});
afterAll(() => system.stop());

const list = (query = '') => system.client.expect<JobListView>(200, 'GET', `/v1/jobs${query}`);
const idsOf = async (query: string) => (await list(query)).jobs.map(({ id }) => id);
const newestFirst = () => [...jobs.map(({ id }) => id), pursued].reverse();

it('lists the jobs of all threads, newest first, each as the contract’s own routes show it', async () => {
  const { jobs: listed, ...rest } = await list();
  expect(rest).toEqual({ jobsUnreadable: 0, nextCursor: null, limit: 20 });
  expect(listed.map(({ id }) => id)).toEqual(newestFirst());
  const [first] = jobs as [JobView];
  const { id, threadId, status, budgetTier, budgetCapCents, query, totalCustomerCostCents, durationSeconds, createdAt, completedAt } =
    first;
  const shared = {
    id,
    threadId,
    status,
    budgetTier,
    budgetCapCents,
    query,
    totalCustomerCostCents,
    durationSeconds,
    createdAt,
    completedAt,
  };
  expect(listed.at(-1)).toEqual({ ...shared, parentJobId: null });
  expect(listed[0]).toMatchObject({ id: pursued, threadId, parentJobId: id, query: 'And then?', budgetTier: 'S' });
});

it('filters by status, tier, thread and time, also all at once', async () => {
  const byStatus = await Promise.all(JOB_STATUSES.map((status) => idsOf(`?status=${status}`)));
  expect(byStatus.map(({ length }) => length)).toEqual([0, 0, 0, 5, 1, 0]);
  expect(byStatus[4]).toEqual([jobs[2]?.id]);
  expect(await idsOf('?budgetTier=XL')).toEqual([jobs[3]?.id, jobs[1]?.id]);
  expect(await idsOf(`?threadId=${jobs[0]?.threadId ?? ''}`)).toEqual([pursued, jobs[0]?.id]);
  const [from = '', before = ''] = [jobs[1]?.createdAt, jobs[3]?.createdAt];
  expect(await idsOf(`?createdFrom=${from}&createdBefore=${before}`)).toEqual([jobs[2]?.id, jobs[1]?.id]);
  const elsewhere = new Date(Date.parse(from) + 3_600_000).toISOString().replace('Z', '%2B01:00');
  expect(await idsOf(`?createdFrom=${elsewhere}&createdBefore=${before}&status=completed&budgetTier=XL`)).toEqual([jobs[1]?.id]);
  expect(await idsOf('?createdFrom=9999-12-31T23:59:59Z')).toEqual([]);
  expect(await idsOf(`?threadId=${jobs[0]?.threadId ?? ''}&status=failed`)).toEqual([]);
});

it('pages by a cursor that new jobs do not move', async () => {
  const seen: JobListItemView[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page += 1) {
    const read: JobListView = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(read.jobs.length).toBeLessThanOrEqual(2);
    seen.push(...read.jobs);
    cursor = read.nextCursor;
    if (page === 0) {
      const { id } = await system.client.createThread({ message: 'A newer one', providers: ['provider-a'] });
      await system.client.expect(200, 'DELETE', `/v1/threads/${id}`);
      jobs.push(await system.client.research({ message: 'The newest', budget: 'M', providers: ['provider-a'] }));
    }
  }
  expect(seen.map(({ id }) => id)).toEqual([
    pursued,
    ...jobs
      .slice(0, 5)
      .map(({ id }) => id)
      .reverse(),
  ]);
});

it.each(['/v1/jobs', '/v1/threads', '/v1/claims'])('%s says by the header Link as well where the next page begins', async (path) => {
  const first = await system.client.send<{ nextCursor: string }>('GET', `${path}?limit=1`);
  const link = `<${path}?limit=1&cursor=${encodeURIComponent(first.body.nextCursor)}>; rel="next"`;
  expect(first.headers.get('link')).toBe(link);
  expect((await system.client.send('GET', `${path}?limit=100&offset=0`)).headers.has('link')).toBe(path === '/v1/claims');
});

it('shows nothing of another tenant, whatever cursor or thread it names, nor of a deleted thread', async () => {
  const stranger = system.client.withKey(await system.keyOf('stranger'));
  const { nextCursor } = await list('?limit=1');
  for (const query of ['', `?cursor=${nextCursor ?? ''}`, `?threadId=${jobs[0]?.threadId ?? ''}`, '?status=completed'])
    expect(await stranger.expect(200, 'GET', `/v1/jobs${query}`)).toEqual({ jobs: [], jobsUnreadable: 0, nextCursor: null, limit: 20 });
  const deleted = jobs.pop() as JobView;
  await system.client.expect(200, 'DELETE', `/v1/threads/${deleted.threadId}`);
  expect(await idsOf('?limit=100')).not.toContain(deleted.id);
});
