import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedClaim, RecordedEvidence } from '@lib/domain/job/recorded-report';
import type { ClaimListView } from '@lib/store/views/claim.view';
import { complete, report, start, success } from '../support/job-history';
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
  await onJob(test.store, jobId, { ...complete, claims: [claim, claim] });
  return jobId;
}

it('shows the claims of old jobs under ids that are unique among all jobs, with contradictions whose cue nobody recorded', async () => {
  const jobIds = [await completedByAnEarlierBuild(), await completedByAnEarlierBuild()];
  const { claims } = await test.another().claims.search(TENANT, {}, 100, 0);
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
    await onJob(test.store, jobId, { ...complete, claims: [claim] });
    return jobId;
  }

  /** In a process that remembers nothing, with the most pieces of content that it had opened in one statement. */
  async function search(): Promise<ClaimListView & { mostTogether: number }> {
    const process = test.another();
    const query = jest.spyOn(process.pool, 'query');
    const found = await process.claims.search(TENANT_TWO, {}, 100, 0);
    const reads = await Promise.all(
      query.mock.results.flatMap(({ value }, place) =>
        (query.mock.calls[place]?.[0] as { name?: string }).name === 'contents' ? [value as Promise<{ rows: unknown[] }>] : [],
      ),
    );
    query.mockRestore();
    return { ...found, mostTogether: Math.max(...reads.map(({ rows }) => rows.length)) };
  }

  it('opens ten jobs at a time, and the reports of one, since a report may have megabytes', async () => {
    const jobIds = await Promise.all(Array.from({ length: JOBS }, completed));
    const { claims, total, mostTogether } = await search();
    expect(total).toBe(JOBS);
    expect(new Set(claims.map(({ jobId }) => jobId))).toEqual(new Set(jobIds));
    for (const { sources } of claims) expect(sources).toMatchObject([{ url: 'https://tower.example/', providers: ['provider-a'] }]);
    expect(mostTogether).toBeLessThanOrEqual(10);
  });

  it('goes on without a job that cannot be opened, and counts it; whoever asks for that one is told', async () => {
    const jobId = await completed();
    await test.store.pool.query('alter table event disable trigger user');
    await test.store.pool.query(`update event set sealed = 'changed' where stream_id = $1 and type = 'JobCompleted'`, [jobId]);
    const { claims } = test.another();
    const found = await claims.search(TENANT_TWO, {}, 100, 0);
    expect(found).toMatchObject({ total: JOBS, jobsSearched: JOBS, jobsUnreadable: 1 });
    await expect(claims.search(TENANT_TWO, { jobId }, 100, 0)).rejects.toThrow(jobId);
  });
});
