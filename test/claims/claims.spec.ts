import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import { CONFIDENCES } from '@lib/domain/vocabulary';
import { recordedName } from '@lib/providers/simulated/recorded-reports';
import type { ClaimDetailView, ClaimListView } from '@lib/store/views/claim.view';
import type { JobView } from '@lib/store/views/job.view';
import { folderOf } from '../providers/corpus-folder';
import { startSystem, type System } from '../system/support/system';

const QUESTION = 'What did the Dutch band record?';
const report = (text: string, source: string) => `${text} [1].\n\n## References\n\n1. [Source](${source})\n`;
const reports = folderOf({
  [recordedName('provider-a', QUESTION)]: report('Focus released 12 studio albums', 'https://albums.example/focus'),
  [recordedName('provider-c', QUESTION)]: report('Focus released seven studio albums', 'https://other.example/focus'),
  [recordedName('provider-e', QUESTION)]: report('Focus released 12 studio albums', 'https://music.example/focus'),
});

let system: System;
let job: JobView;

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-a': { reports }, 'provider-c': { reports }, 'provider-e': { reports } } });
  job = await system.client.research({ message: QUESTION, providers: ['provider-a', 'provider-c', 'provider-e'] });
});
afterAll(() => system.stop());

const list = (query = '') => system.client.expect<ClaimListView>(200, 'GET', `/v1/claims${query}`);
const get = (id: string) => system.client.expect<ClaimDetailView>(200, 'GET', `/v1/claims/${id}`);
const suffix = (id: string) => id.slice('job_'.length);

it('lists the claims of a job with who stands for them and the sources that they cite', async () => {
  const { claims, ...cut } = await list(`?jobId=${job.id}`);
  expect(cut).toEqual({ total: claims.length, limit: 20, offset: 0, nextCursor: null, jobsSearched: 1, jobsUnreadable: 0, isCut: false });
  expect(
    claims.map(({ content, confidenceLevel, supportingProviders, contradictingProviders }) => ({
      claim: content,
      confidence: confidenceLevel,
      supportingProviders,
      contradictingProviders,
    })),
  ).toEqual(job.synthesisClaimsJson);
  expect(claims.find(({ content }) => content.includes('12'))).toEqual({
    id: expect.stringMatching(new RegExp(`^clm_${suffix(job.id)}_[12]$`)),
    jobId: job.id,
    content: expect.stringContaining('Focus released 12 studio albums'),
    confidence: MEASURED_CONFIDENCE.low,
    confidenceLevel: 'low',
    supportingProviders: ['provider-a', 'provider-e'],
    contradictingProviders: ['provider-c'],
    sources: [
      { url: 'https://albums.example/focus', title: 'Source', domain: 'albums.example', publishedAt: null, providers: ['provider-a'] },
      { url: 'https://music.example/focus', title: 'Source', domain: 'music.example', publishedAt: null, providers: ['provider-e'] },
    ],
  });
});

it('shows what a claim rests on: exact quotes where they stand, what they cite, and both sides of a contradiction', async () => {
  const { claims } = await list(`?jobId=${job.id}&query=12`);
  const claim = await get(claims[0]?.id ?? '');
  const reportOf = new Map(job.steps.map(({ id, reportMarkdown }) => [id, reportMarkdown]));
  for (const { stepId, quote, startIndex, endIndex } of claim.evidence)
    expect(reportOf.get(stepId)?.slice(startIndex, endIndex)).toBe(quote);

  expect(claim).toMatchObject({ ...claims[0], threadId: job.threadId, createdAt: job.completedAt });
  expect(claim.evidence.map(({ relation, provider, cue }) => [relation, provider, cue])).toEqual([
    ['supports', 'provider-a', null],
    ['supports', 'provider-e', null],
    ['contradicts', 'provider-c', 'quantity'],
  ]);
  const [supporting, , contradicting] = claim.evidence;
  expect(supporting).toMatchObject({ opposedQuotes: [], opposingClaimId: null });
  expect(supporting?.citations).toMatchObject([{ index: 1, url: 'https://albums.example/focus' }]);
  expect(contradicting?.citations).toMatchObject([{ index: 1, url: 'https://other.example/focus' }]);
  expect(contradicting?.opposedQuotes).toEqual(claim.evidence.slice(0, 2).map(({ quote }) => quote));

  const opposing = await get(contradicting?.opposingClaimId ?? '');
  expect(opposing.content).toContain('seven');
  expect(opposing.evidence.map(({ relation, opposingClaimId }) => [relation, opposingClaimId])).toEqual([
    ['supports', null],
    ['contradicts', claim.id],
    ['contradicts', claim.id],
  ]);
});

it('names the recorded events that a claim rests on, as the history of the job has them', async () => {
  const { claims } = await list(`?jobId=${job.id}&query=seven`);
  const { events, evidence } = await get(claims[0]?.id ?? '');
  const history = await system.client.events(job.threadId, job.id);
  expect(events.map(({ type }) => type)).toEqual(['StepCompleted', 'StepCompleted', 'StepCompleted', 'JobCompleted']);
  expect(new Set(events.flatMap(({ stepId }) => stepId ?? []))).toEqual(new Set(evidence.map(({ stepId }) => stepId)));
  for (const { id, version, type, occurredAt, hash } of events)
    expect(history.find((event) => event.id === id)).toMatchObject({ version, type, occurredAt, hash });
});

it('finds claims by words, level, job and thread, and pages through all of them with ids that none shares', async () => {
  const others = await Promise.all(
    [['provider-b', 'provider-d'], ['provider-b'], ['provider-d']].map((providers, n) =>
      system.client.research({ message: `What is served in street ${n + 1}?`, providers }),
    ),
  );
  const [begun, rest] = [await list('?limit=100'), await list('?limit=100&offset=100')];
  const all = { ...begun, claims: [...begun.claims, ...rest.claims] };
  expect(all).toMatchObject({ jobsSearched: 4, isCut: false, total: all.claims.length });
  expect(new Set(all.claims.map(({ id }) => id)).size).toBe(all.total);
  const newestFirst = [...new Set(all.claims.map(({ jobId }) => jobId))];
  // Those of one commit have one time, and their ids decide.
  const byAge = ({ createdAt, id }: JobView) => `${createdAt} ${id}`;
  expect(newestFirst).toEqual([job, ...others].sort((a, b) => (byAge(a) < byAge(b) ? 1 : -1)).map(({ id }) => id));

  const paged: string[] = [];
  for (let offset = 0; offset < all.total; offset += 3) paged.push(...(await list(`?limit=3&offset=${offset}`)).claims.map(({ id }) => id));
  expect(paged).toEqual(all.claims.map(({ id }) => id));
  expect(await list(`?offset=${all.total}`)).toMatchObject({ claims: [], total: all.total });

  const levels = await Promise.all(CONFIDENCES.map((level) => list(`?confidenceLevel=${level}&limit=100`)));
  for (const [place, { claims }] of levels.entries())
    expect(claims.every(({ confidenceLevel }) => confidenceLevel === CONFIDENCES[place])).toBe(true);
  expect(levels.reduce((sum, { total }) => sum + total, 0)).toBe(all.total);

  expect((await list(`?threadId=${job.threadId}`)).claims.map(({ jobId }) => jobId)).toEqual([job.id, job.id]);
  const contentsOf = async (query: string) => (await list(`?query=${encodeURIComponent(query)}`)).claims.map(({ content }) => content);
  expect(await contentsOf('ALBUM seven')).toEqual([expect.stringContaining('seven studio albums')]);
  expect(await contentsOf('ｓｅｖｅｎ focus')).toHaveLength(1);
  expect(await contentsOf('seven lbums')).toEqual([]);
  expect(await contentsOf('%')).toEqual([]);
  expect(await contentsOf('.*')).toEqual([]);
});

it('searches the newest hundred completed jobs, and says that there are older ones', async () => {
  const patient = await system.keyOf('many-jobs');
  const client = system.client.withKey(patient);
  const first = await client.research({ message: 'The first of many', providers: ['provider-b'] });
  for (let n = 0; n < 100; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, one) => client.research({ message: `Question ${n + one}`, providers: ['provider-b'] })),
    );
  const search = (query: string) => client.expect<ClaimListView>(200, 'GET', `/v1/claims?limit=1${query}`);
  expect(await search('')).toMatchObject({ jobsSearched: 100, isCut: true });
  expect((await search(`&jobId=${first.id}`)).claims).toMatchObject([{ jobId: first.id }]);
  await client.expect(200, 'DELETE', `/v1/threads/${first.threadId}`);
  expect(await search('')).toMatchObject({ jobsSearched: 100, isCut: false });
});

it('shows nothing of another tenant or of a deleted thread', async () => {
  const { claims } = await list(`?jobId=${job.id}`);
  const id = claims[0]?.id ?? '';
  const stranger = system.client.withKey(await system.keyOf('stranger'));
  for (const query of ['', `?jobId=${job.id}`, `?threadId=${job.threadId}`, '?query=focus'])
    expect(await stranger.expect(200, 'GET', `/v1/claims${query}`)).toMatchObject({ claims: [], total: 0, jobsSearched: 0, isCut: false });
  expect(await stranger.send('GET', `/v1/claims/${id}`)).toMatchObject({ status: 404, body: { code: 'claim_not_found' } });
  expect(await system.client.send('GET', `/v1/claims/clm_${suffix(job.id)}_999999`)).toMatchObject({ status: 404 });

  await system.client.expect(200, 'DELETE', `/v1/threads/${job.threadId}`);
  expect(await list(`?jobId=${job.id}`)).toMatchObject({ claims: [], total: 0 });
  expect(await system.client.send('GET', `/v1/claims/${id}`)).toMatchObject({ status: 404, body: { code: 'claim_not_found' } });
});
