import type { JobDetailView } from '@lib/store/views/job-detail.view';
import { eventually } from '../messaging/eventually';
import { FAILING, NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

/** A job by its id alone: how far it is, and what came of it. */
let system: System;

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-b': FAILING, 'provider-d': { latencyMs: NEVER_MS } } });
});
afterAll(() => system.stop());

const get = (jobId: string, query = '') => system.client.expect<JobDetailView>(200, 'GET', `/v1/jobs/${jobId}${query}`);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

it('shows the steps of a running job as they are, and when each started', async () => {
  const { id, job } = await system.client.createThread({
    message: 'What is served?',
    mode: 'methodical',
    providers: ['provider-b', 'provider-d', 'provider-a'],
  });
  await eventually('running', async () => (await get(job.id, '?include_steps=true')).steps?.[1]?.status, 20_000);
  const running = await get(job.id, '?include_steps=true');

  expect(running).toEqual({
    id: job.id,
    threadId: id,
    parentJobId: null,
    status: 'running',
    budgetTier: 'M',
    budgetCapCents: 1500,
    researchMode: 'methodical',
    spideringEnabled: false,
    query: 'What is served?',
    synthesisMarkdown: null,
    totalCustomerCostCents: 0,
    durationSeconds: null,
    createdAt: TIME,
    startedAt: TIME,
    completedAt: null,
    suggestedFollowOns: [],
    claims: null,
    steps: [
      expect.objectContaining({
        provider: 'provider-b',
        status: 'failed',
        attempts: 1,
        startedAt: TIME,
        completedAt: TIME,
        durationSeconds: expect.any(Number) as number,
      }),
      expect.objectContaining({
        provider: 'provider-d',
        status: 'running',
        attempts: 1,
        startedAt: TIME,
        completedAt: null,
        durationSeconds: null,
      }),
      expect.objectContaining({
        provider: 'provider-a',
        status: 'queued',
        attempts: 0,
        startedAt: null,
        completedAt: null,
        durationSeconds: null,
      }),
    ],
  });
  expect(running.steps?.map(({ errorMessage }) => errorMessage)).toEqual(['The simulated run failed as configured: auth', null, null]);
  // The contract's own route shows none of it.
  expect(await system.client.getJob(id, job.id)).toMatchObject({ status: 'running', steps: [] });
  await system.client.expect(200, 'POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
  const cancelled = await get(job.id, '?include_steps=true&include_claims=true');
  expect(cancelled).toMatchObject({ status: 'cancelled', completedAt: TIME, synthesisMarkdown: null, claims: [], suggestedFollowOns: [] });
  expect(cancelled.steps?.map(({ status }) => status)).toEqual(['failed', 'failed', 'skipped']);
});

it('gives what is asked for, and agrees with the contract’s route about it', async () => {
  const job = await system.client.research({ message: 'What is served?', providers: ['provider-a', 'provider-c'] });
  const bare = await get(job.id);
  expect(bare).toMatchObject({
    synthesisMarkdown: job.synthesisMarkdown,
    durationSeconds: job.durationSeconds,
    completedAt: job.completedAt,
  });
  expect([bare.steps, bare.claims]).toEqual([null, null]);

  const { steps, claims } = await get(job.id, '?include_steps=true&include_claims=true&include_provider_reports=false');
  expect(steps?.map(({ id, status, reportMarkdown, citations }) => [id, status, reportMarkdown, citations])).toEqual(
    job.steps.map(({ id, status }) => [id, status, null, null]),
  );
  expect(
    claims?.map(({ content, confidenceLevel, supportingProviders, contradictingProviders }) => ({
      claim: content,
      confidence: confidenceLevel,
      supportingProviders,
      contradictingProviders,
    })),
  ).toEqual(job.synthesisClaimsJson);
  expect(claims?.length).toBeGreaterThan(0);

  const reported = await get(job.id, '?include_provider_reports=true');
  expect(reported.steps?.map(({ reportMarkdown, citations }) => ({ reportMarkdown, citations }))).toEqual(
    job.steps.map(({ reportMarkdown, citations }) => ({ reportMarkdown, citations })),
  );
});

it('suggests what the report suggests, with the ids of claims that exist', async () => {
  const job = await system.client.research({ message: 'What is served in Atlantis?', providers: ['provider-a'] });
  const { suggestedFollowOns, claims } = await get(job.id, '?include_claims=true');
  const topics = await system.client.expect<{ suggested: object[] }>(200, 'GET', `/v1/threads/${job.threadId}/jobs/${job.id}/topics`);
  expect(suggestedFollowOns.length).toBeGreaterThan(0);
  expect(suggestedFollowOns.map(({ topic: text, rationale }) => ({ text, rationale }))).toEqual(topics.suggested);
  const known = new Set(claims?.map(({ id }) => id));
  for (const id of suggestedFollowOns.flatMap(({ claimIds }) => claimIds)) expect(known).toContain(id);

  const pursued = await system.client.pursue(job.threadId, job.id, { topic: suggestedFollowOns[0]?.topic, providers: ['provider-a'] });
  expect(await get(pursued.id)).toMatchObject({ parentJobId: job.id, query: suggestedFollowOns[0]?.topic });
});

it('shows another tenant’s job, and a deleted one, as if there were none', async () => {
  const job = await system.client.research({ message: 'private', providers: ['provider-a'] });
  const stranger = system.client.withKey(await system.keyOf('stranger'));
  const path = `/v1/jobs/${job.id}?include_steps=true&include_claims=true`;
  const refused = await stranger.send('GET', path);
  expect(refused).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
  const nobodys = await stranger.send('GET', path.replace(job.id, `${job.id.slice(0, -8)}zzzzzzzz`));
  const problemOf = ({ requestId: _, ...problem }: Record<string, unknown>) => JSON.stringify(problem).replaceAll(/job_\w{26}/g, 'job');
  expect(problemOf(refused.body)).toBe(problemOf(nobodys.body));

  expect(await get(job.id)).toMatchObject({ query: 'private' });
  await system.client.expect(200, 'DELETE', `/v1/threads/${job.threadId}`);
  expect(await system.client.send('GET', path)).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
});
