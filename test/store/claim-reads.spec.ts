import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedClaim, RecordedEvidence } from '@lib/domain/job/recorded-report';
import { StoreBusy } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { completeWith, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { onJob } from '../support/streams';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

/** As earlier builds recorded it: names of claims that are unique within their job alone, and no cue. */
async function completedByAnEarlierBuild(): Promise<string> {
  const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
  const [stepId = ''] = stepIds;
  const said: RecordedEvidence = { provider: 'provider-a', stepId, quote: 'So it is [1].', start: 0, end: 13, citationIndexes: [1] };
  const claim = {
    id: 'clm_01',
    claim: 'So it is.',
    confidence: 'low',
    supporting: [said],
    contradicting: [said],
  } as unknown as RecordedClaim;
  await onJob(test.store, jobId, start(stepId));
  await onJob(test.store, jobId, report(stepId, 1, success()));
  await onJob(test.store, jobId, completeWith({ claims: [claim, claim] }));
  return jobId;
}

it('shows the claims of old jobs under ids that are unique among all jobs, with contradictions whose cue nobody recorded', async () => {
  const jobIds = [await completedByAnEarlierBuild(), await completedByAnEarlierBuild()];
  const { claims } = await test.another().claims.search(TENANT, {}, { limit: 100, offset: 0, after: null });
  expect(claims.map(({ id }) => id)).toEqual([...jobIds].reverse().flatMap((jobId) => [claimIdOf(jobId, 1), claimIdOf(jobId, 2)]));
  const claim = await test.another().claims.get(TENANT, claimIdOf(jobIds[0] ?? '', 2));
  expect(claim).toMatchObject({
    content: 'So it is.',
    sources: [],
    evidence: [
      { relation: 'supports', cue: null, citations: [] },
      { relation: 'contradicts', cue: null, opposedQuotes: ['So it is [1].'], opposingClaimId: claimIdOf(jobIds[0] ?? '', 1) },
    ],
  });
});

describe('a search over many jobs', () => {
  const TENANT_TWO = 'tenant-two';
  const JOBS = 25;
  const CITATION = {
    ...{ index: 1, startIndex: null, endIndex: null },
    ...{ url: 'https://tower.example/', title: null, domain: 'tower.example', publishedAt: null, snippet: null },
  };

  async function completed(): Promise<string> {
    const { jobId, stepIds } = await createJob(test.store, { tenantId: TENANT_TWO, candidates: [candidate('provider-a')] });
    const [stepId = ''] = stepIds;
    const supporting: RecordedEvidence[] = [
      { provider: 'provider-a', stepId, quote: 'So it is [1].', start: 0, end: 13, citationIndexes: [1] },
    ];
    const claim: RecordedClaim = { id: 'c1', claim: 'So it is.', confidence: 'low', supporting, contradicting: [] };
    await onJob(test.store, jobId, start(stepId));
    await onJob(test.store, jobId, report(stepId, 1, { ...success(), ...{ citations: [CITATION] } }));
    await onJob(test.store, jobId, completeWith({ claims: [claim] }));
    return jobId;
  }

  const search = (store: Store, jobId?: string) => store.claims.search(TENANT_TWO, { jobId }, { limit: 100, offset: 0, after: null });

  /** The most pieces of content that a process opens in one statement. */
  async function mostTogether({ pool }: Store, work: () => Promise<unknown>): Promise<number> {
    const query = jest.spyOn(pool, 'query');
    await work();
    const reads = await Promise.all(
      query.mock.results.flatMap(({ value }, place) =>
        (query.mock.calls[place]?.[0] as { name?: string }).name === 'contents' ? [value as Promise<{ rows: unknown[] }>] : [],
      ),
    );
    query.mockRestore();
    const most = Math.max(...reads.map(({ rows }) => rows.length));
    // Otherwise nothing was opened by a statement of that name, and any limit would seem to be kept.
    expect(most).toBeGreaterThan(0);
    return most;
  }

  it('opens ten jobs at a time, and the reports of one, since a report may have megabytes', async () => {
    const jobIds = await Promise.all(Array.from({ length: JOBS }, completed));
    const store = test.another();
    expect(await mostTogether(store, () => search(store))).toBeLessThanOrEqual(10);
    const { claims, total } = await search(store);
    expect(total).toBe(JOBS);
    expect(new Set(claims.map(({ jobId }) => jobId))).toEqual(new Set(jobIds));
    for (const { sources } of claims) expect(sources).toMatchObject([{ url: 'https://tower.example/', providers: ['provider-a'] }]);
  });

  it('is done after the one before, and refused where too many wait; one job is searched in meanwhile', async () => {
    // It remembers nothing.
    const store = test.another();
    const opened = await mostTogether(store, async () => {
      const searches = Array.from({ length: 60 }, () => search(store));
      const outcomes = Promise.allSettled(searches);
      const [found] = await Promise.all(searches.slice(0, 1));
      expect(await search(store, found?.claims[0]?.jobId)).toMatchObject({ total: 1 });
      const refused = (await outcomes).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toEqual(Array(10).fill(expect.any(StoreBusy)));
    });
    // What the search in one job opens may travel with the ten of the search under way; of two searches at once there would be twenty.
    expect(opened).toBeLessThanOrEqual(11);
    expect(await search(store)).toMatchObject({ total: JOBS });
  });

  it('goes on without a job that cannot be opened, and counts it; whoever asks for that one is told', async () => {
    const jobId = await completed();
    await test.store.pool.query('alter table event disable trigger user');
    await test.store.pool.query(`update event set sealed = 'changed' where stream_id = $1 and type = 'JobCompleted'`, [jobId]);
    const store = test.another();
    expect(await search(store)).toMatchObject({ total: JOBS, jobsSearched: JOBS, jobsUnreadable: 1 });
    await expect(search(store, jobId)).rejects.toThrow(jobId);
  });
});
