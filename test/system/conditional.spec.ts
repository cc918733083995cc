import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { retryAfterSeconds } from '../../src/live/poll-pacing';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } } });
});
afterAll(() => system.stop());

async function get(path: string, known?: string) {
  const headers = { ...system.client.headers(), ...(known === undefined ? {} : { 'if-none-match': known }) };
  const response = await fetch(system.client.address + path, { headers });
  return { status: response.status, tag: response.headers.get('etag') ?? '', headers: response.headers, text: await response.text() };
}

const jobPath = ({ id, job }: ThreadCreatedView) => `/v1/threads/${id}/jobs/${job.id}`;
const running = () => system.client.createThread({ message: 'How?', providers: ['provider-d'] });

it.each([
  ['a job', jobPath],
  ['its events', (thread: ThreadCreatedView) => `${jobPath(thread)}/events`],
  ['its topics', (thread: ThreadCreatedView) => `${jobPath(thread)}/topics`],
  ['the job by its id', (thread: ThreadCreatedView) => `/v1/jobs/${thread.job.id}?include_steps=true`],
  ['a thread', ({ id }: ThreadCreatedView) => `/v1/threads/${id}`],
  ['its messages', ({ id }: ThreadCreatedView) => `/v1/threads/${id}/messages`],
])('%s has a strong tag: with it the same answer is 304, without a body', async (_, pathOf) => {
  const { id, job } = await system.client.createThread({ message: 'How?', providers: ['provider-a'] });
  await system.client.finalJob(id, job.id);
  const path = pathOf({ id, job } as ThreadCreatedView);
  const first = await get(path);
  expect([first.status, first.tag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
  for (const known of [first.tag, `W/${first.tag}`, `"other", ${first.tag}`, '*']) {
    expect(await get(path, known)).toMatchObject({ status: 304, tag: first.tag, text: '' });
  }
  for (const known of ['"other"', '"999999999999-1"', '"-1"', 'x', '', '"NaN-1"'])
    expect(await get(path, known)).toMatchObject({ status: 200, tag: first.tag, text: first.text });
});

it('the tag of a job changes with each of its states, and that of its thread with it and with a message', async () => {
  const thread = await running();
  await system.client.jobWhen(thread.id, thread.job.id, 'running');
  const [job, detail] = [await get(jobPath(thread)), await get(`/v1/threads/${thread.id}`)];
  await system.client.expect(200, 'POST', `${jobPath(thread)}/cancel`);
  const [ended, detailAfter] = [await get(jobPath(thread), job.tag), await get(`/v1/threads/${thread.id}`, detail.tag)];
  expect([ended.status, detailAfter.status]).toEqual([200, 200]);
  await system.client.expect(201, 'POST', `/v1/threads/${thread.id}/messages`, { message: 'm' });
  expect((await get(`/v1/threads/${thread.id}`, detailAfter.tag)).status).toBe(200);
  expect((await get(jobPath(thread), ended.tag)).status).toBe(304);
});

it('nothing is opened for a 304: it is given for content that cannot be opened', async () => {
  const { id, job } = await system.client.createThread({ message: 'How?', providers: ['provider-a'] });
  await system.client.finalJob(id, job.id);
  const paths = [`/v1/threads/${id}/jobs/${job.id}`, `/v1/threads/${id}`];
  const tags = await Promise.all(paths.map(async (path) => (await get(path)).tag));
  await system.query(`update thread_key set wrapped = '\\x00' where thread_id = $1`, [id]);
  expect(await Promise.all(paths.map(async (path, place) => (await get(path, tags[place])).status))).toEqual([304, 304]);
});

it('a deleted thread is 404 for whoever has its tag', async () => {
  const thread = await running();
  const paths = [jobPath(thread), `/v1/threads/${thread.id}`];
  const tags = await Promise.all(paths.map(async (path) => (await get(path)).tag));
  await system.client.expect(200, 'DELETE', `/v1/threads/${thread.id}`);
  expect(await Promise.all(paths.map(async (path, place) => (await get(path, tags[place])).status))).toEqual([404, 404]);
});

it('a job that is not final says when to poll it again, along the backoff of the contract', async () => {
  const thread = await running();
  const open = await get(jobPath(thread));
  expect(open.headers.get('retry-after')).toMatch(/^(5|8|12)$/);
  expect((await get(jobPath(thread), open.tag)).headers.get('retry-after')).toMatch(/^(5|8|12|17)$/);
  await system.client.expect(200, 'POST', `${jobPath(thread)}/cancel`);
  expect((await get(jobPath(thread))).headers.get('retry-after')).toBeNull();
  const ages = [-1000, 0, 4.9, 5, 12.4, 12.5, 23.7, 23.8, 40.6, 40.7, 3600];
  expect(ages.map((seconds) => retryAfterSeconds(seconds * 1000))).toEqual([5, 5, 5, 8, 8, 12, 12, 17, 17, 26, 30]);
});
