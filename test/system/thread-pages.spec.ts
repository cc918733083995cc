import type { ThreadDetailView } from '@lib/store/views/thread.view';
import { THREAD_CURSORS } from '@lib/store/views/thread-cursor';
import type { Answer } from './support/http-client';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
let id: string;
let whole: ThreadDetailView;
beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } }, environment: { BASE_PATH: '/research' } });
  const thread = await system.client.createThread({ message: 'How?', providers: ['provider-d'] });
  ({ id } = thread);
  await system.client.jobWhen(id, thread.job.id, 'running');
  for (let place = 0; place < 6; place += 1)
    await system.client.expect(201, 'POST', `/v1/threads/${id}/messages`, { message: `m${place}` });
  for (const topic of ['one', 'two', 'three']) {
    const job = await system.client.expect<{ id: string }>(201, 'POST', `/v1/threads/${id}/jobs/${thread.job.id}/pursue`, { topic });
    await system.client.finalJob(id, job.id);
  }
  whole = await system.client.getThread(id);
});
afterAll(() => system.stop());

const NEXT = /^<([^>]+)>; rel="next"$/;

/** Every page from this one on, each found by the `Link` of the one before. */
async function pagesFrom<Body>(path: string): Promise<Body[]> {
  const pages: Body[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, headers, body }: Answer<Body> = await system.client.send<Body>('GET', next);
    expect(status).toBe(200);
    pages.push(body);
    const link = headers.get('link');
    next = link === null ? undefined : NEXT.exec(link)?.[1]?.replace(/^\/research/, '');
  }
  return pages;
}

it.each([1, 2, 3, 100, 1000])('the pages of a thread with limit %p are the whole thread, each with the same fields', async (limit) => {
  const pages = await pagesFrom<ThreadDetailView>(`/v1/threads/${id}?limit=${limit}`);
  expect(pages).toHaveLength(Math.ceil(7 / limit));
  for (const page of pages) {
    expect(page).toEqual({ ...whole, messages: expect.any(Array) as never, jobs: expect.any(Array) as never });
    expect(Math.max(page.messages.length, page.jobs.length)).toBeLessThanOrEqual(limit);
  }
  expect(pages.flatMap(({ messages }) => messages)).toEqual(whole.messages);
  expect(pages.flatMap(({ jobs }) => jobs)).toEqual(whole.jobs);
});

it.each([1, 2, 7, 8])('so are those of its messages with limit %p', async (limit) => {
  const pages = await pagesFrom<Pick<ThreadDetailView, 'messages'>>(`/v1/threads/${id}/messages?limit=${limit}`);
  expect(pages).toHaveLength(Math.ceil(7 / limit));
  expect(pages.flatMap(({ messages }) => messages)).toEqual(whole.messages);
  for (const page of pages) expect(Object.keys(page)).toEqual(['messages']);
});

it('a page has a tag of its own, which changes when there is more', async () => {
  const path = `/v1/threads/${id}/messages`;
  const tagOf = async (query: string) => (await system.client.send('GET', path + query)).headers.get('etag') ?? '';
  const tags = await Promise.all(['', '?limit=2', '?limit=3'].map(tagOf));
  expect(new Set(tags).size).toBe(3);
  const headers = { ...system.client.headers(), 'if-none-match': tags[1] ?? '' };
  const known = await fetch(`${system.client.address}${path}?limit=2`, { headers });
  expect([known.status, await known.text()]).toEqual([304, '']);
  expect(known.headers.get('link')).toMatch(NEXT);
});

it('what no page gave out is refused, and another tenant sees no page', async () => {
  const wrong = [
    'cursor=x',
    'cursor=',
    `cursor=${THREAD_CURSORS.textOf({ message: 1, job: null })}=`,
    'limit=0',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
  ];
  for (const query of [...wrong, 'offset=1']) {
    for (const path of [`/v1/threads/${id}`, `/v1/threads/${id}/messages`]) {
      expect(await system.client.send('GET', `${path}?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  }
  const other = system.client.withKey(await system.keyOf('other'));
  expect((await other.send('GET', `/v1/threads/${id}?limit=2`)).status).toBe(404);
});

it('a place beyond the end is an empty page', async () => {
  const job = { createdAt: new Date('2100-01-01'), id: whole.jobs[0]?.id ?? '' };
  const cursor = THREAD_CURSORS.textOf({ message: 999_999, job });
  expect(await pagesFrom(`/v1/threads/${id}?cursor=${cursor}`)).toEqual([{ ...whole, messages: [], jobs: [] }]);
});
