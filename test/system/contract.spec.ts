import type { JobView } from '@lib/store/views/job.view';
import {
  CLAIM,
  COMPLETED_JOB,
  COMPLETED_STEP,
  FAILED_JOB,
  FINAL_JOB_SUMMARY,
  JOB_PURSUED,
  MESSAGE,
  MESSAGE_ADDED,
  OPEN_JOB,
  OPEN_JOB_SUMMARY,
  THREAD_CREATED,
  THREAD_LIST_ITEM,
  UNFINISHED_STEP,
} from './support/contract-fields';
import { FAILING, NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

/** Every field of every response, in every state that a job can be seen in. */
let system: System;

beforeAll(async () => {
  system = await startSystem({
    providers: {
      'provider-b': FAILING,
      'provider-d': { latencyMs: NEVER_MS },
      'provider-d-premium': { reserveCents: 90 },
      'provider-e': { reserveCents: 90, costCents: 7 },
    },
    // One slot keeps a second job of provider-d pending for as long as the first one runs.
    environment: { WORKER_SLOTS: '1', LEASE_MS: '600', HEARTBEAT_MS: '200', SWEEP_MS: '50', FAST_DEADLINE_MS: '700' },
  });
});
afterAll(() => system.stop());

/** In the mode whose deadline no machine reaches: jobs that are asked for fast may take 0.7 s. */
const research = (body: object) => system.client.research({ mode: 'methodical', ...body });
const withSteps = (fields: object, steps: object[]) => ({ ...fields, steps });
const running = { message: 'q', mode: 'methodical', providers: ['provider-d', 'provider-a'] };
const summaryOf = async (job: JobView) => (await system.client.getThread(job.threadId)).jobs.find(({ id }) => id === job.id);

it('creates a thread with its message and a pending job', async () => {
  const { status, headers, body } = await system.client.send('POST', '/v1/threads', { message: 'What is served?' });
  expect(status).toBe(201);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('location')).toBe(`/v1/threads/${String(body.id)}`);
  expect(body).toEqual(THREAD_CREATED);
});

it('shows a job as open with no results while it is pending, running or between two steps', async () => {
  const { client } = system;
  const first = await client.createThread(running);
  expect(await client.jobWhen(first.id, first.job.id, 'running')).toEqual({ ...OPEN_JOB, status: 'running' });
  const second = await client.createThread(running);
  const pending = await client.getJob(second.id, second.job.id);
  expect(pending).toEqual({ ...OPEN_JOB, status: 'pending' });
  expect(await summaryOf(pending)).toEqual({ ...OPEN_JOB_SUMMARY, status: 'pending' });
  await client.expect(200, 'DELETE', `/v1/threads/${second.id}`);

  const between = await client.createThread({ ...running, providers: ['provider-a', 'provider-d'] });
  const job = await client.jobWhen(between.id, between.job.id, 'running');
  expect(job).toEqual({ ...OPEN_JOB, status: 'running' });
  expect(await summaryOf(job)).toEqual({ ...OPEN_JOB_SUMMARY, status: 'running' });
  await client.expect(200, 'DELETE', `/v1/threads/${between.id}`);
  await client.expect(200, 'DELETE', `/v1/threads/${first.id}`);
});

it('shows a completed job with its steps in the order of the plan, its claims and its cost', async () => {
  const job = await research({ message: 'What is served?', providers: ['provider-e', 'provider-a', 'provider-c'] });
  expect(job).toEqual(withSteps(COMPLETED_JOB, [COMPLETED_STEP, COMPLETED_STEP, COMPLETED_STEP]));
  expect(job.steps.map(({ provider }) => provider)).toEqual(['provider-e', 'provider-a', 'provider-c']);
  expect(job.steps.every(({ citations }) => citations.length > 0)).toBe(true);
  expect(job.synthesisClaimsJson?.[0]).toEqual(CLAIM);
  expect(job.totalCustomerCostCents).toBe(7);
  expect(await summaryOf(job)).toEqual({ ...FINAL_JOB_SUMMARY, status: 'completed', totalCustomerCostCents: 7 });
});

it('completes a job in which a step failed, and lists that step with its reason', async () => {
  const job = await research({ message: 'What is served?', providers: ['provider-a', 'provider-b'] });
  const failed = { ...UNFINISHED_STEP, status: 'failed', errorMessage: 'The simulated run failed as configured: auth' };
  expect(job).toEqual(withSteps(COMPLETED_JOB, [COMPLETED_STEP, failed]));
});

it('completes a job in which the budget left no room for a step', async () => {
  const job = await research({ message: 'q', budget: 'XXS', providers: ['provider-d-premium', 'provider-e'] });
  const skipped = { ...UNFINISHED_STEP, status: 'skipped', durationSeconds: 0 };
  expect(job).toEqual(withSteps(COMPLETED_JOB, [COMPLETED_STEP, skipped]));
  expect(job.steps[1]?.errorMessage).toMatch(/budget/);
});

it('completes a job of which a step ran into the deadline', async () => {
  const job = await research({ message: 'q', mode: 'fast', providers: ['provider-a', 'provider-d'] });
  expect(job).toEqual(withSteps(COMPLETED_JOB, [COMPLETED_STEP, UNFINISHED_STEP]));
  // Whoever is first says why: the worker's own limit or the job's deadline.
  expect(job.steps[1]?.errorMessage).toMatch(/deadline|No report came within/);
});

it('fails a job without a completed step, with null synthesis and claims', async () => {
  const job = await research({ message: 'q', providers: ['provider-b'] });
  expect(job).toEqual({ ...FAILED_JOB, totalCustomerCostCents: 0 });
  expect(job.steps).toHaveLength(1);
  expect(await summaryOf(job)).toEqual({ ...FINAL_JOB_SUMMARY, status: 'failed' });
});

it('pursues a job', async () => {
  const { client } = system;
  const parent = await research({ message: 'What is served?', providers: ['provider-a'] });
  const path = `/v1/threads/${parent.threadId}`;
  const { status, headers, body } = await client.send('POST', `${path}/jobs/${parent.id}/pursue`, { topic: 'And then?' });
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`${path}/jobs/${String(body.id)}`);
  expect(body).toEqual({ ...JOB_PURSUED, threadId: parent.threadId, parentJobId: parent.id, topic: 'And then?' });
  expect((await client.finalJob(parent.threadId, String(body.id))).query).toBe('And then?');
});

it('adds, lists and shows messages; a finished job adds none', async () => {
  const { client } = system;
  const { threadId } = await research({ message: 'What is served?', providers: ['provider-a'] });
  const path = `/v1/threads/${threadId}`;
  const { status, headers, body } = await client.send('POST', `${path}/messages`, { message: 'In the old town.' });
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`${path}/messages`);
  expect(body).toEqual({ ...MESSAGE_ADDED, threadId, content: 'In the old town.' });

  const first = { ...MESSAGE, content: 'What is served?' };
  const second = { ...MESSAGE, id: body.id, content: 'In the old town.', createdAt: body.createdAt };
  expect(await client.expect(200, 'GET', `${path}/messages`)).toEqual({ messages: [first, second] });
  expect(await client.getThread(threadId)).toEqual({
    ...THREAD_LIST_ITEM,
    messages: [first, second],
    jobs: [{ ...FINAL_JOB_SUMMARY, status: 'completed' }],
  });
});

it('lists threads with the page that was applied', async () => {
  await system.client.createThread({ message: 'One more', providers: ['provider-a'] });
  const list = await system.client.expect<{ threads: object[] }>(200, 'GET', '/v1/threads?limit=1');
  expect(list).toEqual({
    threads: [THREAD_LIST_ITEM],
    threadsUnreadable: 0,
    limit: 1,
    offset: 0,
    nextCursor: expect.any(String) as string,
  });
});

it('deletes a thread', async () => {
  const { id } = await system.client.createThread({ message: 'q', providers: ['provider-a'] });
  expect(await system.client.send('DELETE', `/v1/threads/${id}`)).toMatchObject({ status: 200, text: '{"deleted":true}' });
});
