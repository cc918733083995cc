import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { retryAfterSeconds } from '../../src/live/poll-pacing';
import { eventually } from '../messaging/eventually';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
beforeAll(async () => {
  const environment = { CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'), CHECKPOINT_MS: '100' };
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } }, environment });
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

it.each(['identity', 'gzip'])('HEAD is answered as GET is, without a body, to a client that accepts %s', async (coding) => {
  const { id, job } = await system.client.createThread({ message: 'How?', providers: ['provider-a'] });
  await system.client.finalJob(id, job.id);
  const ask = async (method: string, path: string, known?: string) => {
    const headers = { ...system.client.headers(), 'accept-encoding': coding, ...(known !== undefined && { 'if-none-match': known }) };
    const { status, headers: given } = await fetch(system.client.address + path, { method, headers });
    return { status, ...Object.fromEntries(TOLD.map((name) => [name, given.get(name)])) } as Record<string, unknown>;
  };
  const TOLD = ['etag', 'vary', 'content-encoding', 'content-type', 'cache-control', 'preference-applied'];
  // The last one is long enough to be compressed, and the thread comes in pieces.
  for (const path of [
    jobPath({ id, job } as ThreadCreatedView),
    `/v1/threads/${id}`,
    '/v1/threads',
    '/v1/providers',
    '/v1/me',
    '/openapi.json',
  ]) {
    const got = await ask('GET', path);
    expect({ path, ...(await ask('HEAD', path)) }).toEqual({ path, ...got });
    if (path === '/openapi.json') continue;
    for (const known of [String(got.etag), '*', '"other"']) {
      const answer = await ask('GET', path, known);
      expect({ path, known, ...(await ask('HEAD', path, known)) }).toEqual({ path, known, ...answer });
      expect(answer.status).toBe(known === '"other"' ? 200 : 304);
    }
  }
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

const contract = JSON.parse(readFileSync(join(__dirname, '../../openapi/openapi.json'), 'utf8')) as OpenAPIObject;

describe('every GET of the contract', () => {
  interface Operation {
    parameters?: { name: string; in: string }[];
    responses: Record<string, { headers?: object } | undefined>;
  }
  const routes = Object.keys(contract.paths).filter((path) => path.startsWith('/v1/') && contract.paths[path]?.get);
  /** One says until when it counted, the other one lists this very request. */
  const ALWAYS_NEW = ['/v1/usage', '/v1/audit/reads'];
  const values: Record<string, string> = {};
  const addressOf = (path: string): string => {
    const deleted = path.includes('/deletions/') ? values.deletedId : values.threadId;
    const address = path.replace('{threadId}', deleted ?? '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    if (path.endsWith('/inclusion')) return `${address}?streamId=${values.jobId}&version=1`;
    return path.endsWith('/consistency') ? `${address}?from=1&to=2` : address;
  };

  beforeAll(async () => {
    const { client } = system;
    const [kept, deleted] = [await client.createThread({ message: 'How?' }), await client.createThread({ message: 'How?' })];
    for (const { id, job } of [kept, deleted]) await client.finalJob(id, job.id);
    await client.expect(200, 'DELETE', `/v1/threads/${deleted.id}`);
    const { claims } = await client.expect<{ claims: { id: string }[] }>(200, 'GET', `/v1/claims?jobId=${kept.job.id}`);
    const webhook = await client.expect<{ id: string }>(201, 'POST', '/v1/webhooks', {
      url: 'https://example.org/hook',
      eventTypes: ['job.failed'],
    });
    Object.assign(values, { threadId: kept.id, deletedId: deleted.id, jobId: kept.job.id, claimId: claims[0]?.id, webhookId: webhook.id });
    for (const path of ['/v1/audit/deletions/{threadId}', '/v1/audit/proofs/inclusion'])
      await eventually(200, async () => (await get(addressOf(path))).status, 20_000);
  });

  it.each(routes)('%s says that it may be asked with the tag of its answer, and then answers nothing new', async (path) => {
    const { parameters = [], responses } = contract.paths[path]?.get as unknown as Operation;
    // What the log or the clock has moved meanwhile is answered anew, with another tag.
    await eventually(
      304,
      async () => {
        const { status, tag } = await get(addressOf(path));
        expect({ path, status, hasTag: tag !== '' }).toEqual({ path, status: 200, hasTag: true });
        const again = await get(addressOf(path), ALWAYS_NEW.includes(path) ? '*' : tag);
        if (again.status === 304) expect(again).toMatchObject({ tag: ALWAYS_NEW.includes(path) ? expect.any(String) : tag, text: '' });
        return again.status;
      },
      10_000,
    );
    expect({
      isAsked: parameters.some(({ name, in: place }) => name === 'If-None-Match' && place === 'header'),
      tagged: ['200', '304'].map((status) => 'ETag' in (responses[status]?.headers ?? {})),
    }).toEqual({ isAsked: true, tagged: [true, true] });
  });
});
