import { newId } from '@lib/store/new-id';
import { startApi, type TestApi } from './support/api';

let api: TestApi;

beforeEach(async () => {
  api = await startApi();
});
afterEach(async () => {
  await api.app.close();
});

interface Created {
  id: string;
  message: { id: string };
  job: { id: string };
}

const call = (method: string, url: string, body?: object, headers: Record<string, string> = {}) =>
  api.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${api.key}`, ...headers },
    ...(body && { payload: body }),
  });

const create = async (body: object = { message: 'A question' }) => (await call('POST', '/v1/threads', body)).json<Created>();

it('name what was created behind a base path that has a /v1 of its own', async () => {
  const other = await startApi({ basePath: '/apis/v1/research' });
  const headers = { authorization: `Bearer ${other.key}` };
  const created = await other.app.inject({ method: 'POST', url: '/apis/v1/research/v1/threads', headers, payload: { message: 'q' } });
  expect(created.headers.location).toBe(`/apis/v1/research/v1/threads/${created.json<Created>().id}`);
  await other.app.close();
});

describe('the eight routes', () => {
  it('create a thread with the defaults of the contract', async () => {
    const response = await call('POST', '/v1/threads', { message: 'A question' });
    const thread = response.json<Created>();

    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`/v1/threads/${thread.id}`);
    expect(thread).toEqual({
      id: expect.stringMatching(/^thr_/),
      title: 'A question',
      message: { id: expect.stringMatching(/^msg_/), role: 'user', content: 'A question' },
      job: {
        id: expect.stringMatching(/^job_/),
        status: 'pending',
        budgetTier: 'M',
        budgetCapCents: 1500,
        researchMode: 'fast',
        spideringEnabled: false,
      },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(api.threads.bodies).toEqual([{ message: 'A question', budget: 'M', mode: 'fast', spidering: false }]);
  });

  it('hand every option over, with aliases resolved', async () => {
    const options = { budget: 'XL', mode: 'methodical', spidering: true };
    const { job } = await create({ message: 'A question', ...options, providers: ['perplexity', 'provider-e'] });

    expect(api.threads.bodies).toEqual([{ message: 'A question', ...options, providers: ['provider-a', 'provider-e'] }]);
    expect(job).toMatchObject({ budgetTier: 'XL', researchMode: 'methodical', spideringEnabled: true });
  });

  it.each([['\u0001 "quotes" \\ \r\n tabs\t'], ['😀'.repeat(32_000)], ['é\u0301 \u202e עברית'], [' kept as it is ']])(
    'keep text exactly: %j',
    async (message) => {
      const { id } = await create({ message });
      const { messages } = (await call('GET', `/v1/threads/${id}/messages`)).json<{ messages: { content: string }[] }>();
      expect(messages.map(({ content }) => content)).toEqual([message]);
    },
  );

  it('pursue a job with tier S by default', async () => {
    const { id, job } = await create();
    const response = await call('POST', `/v1/threads/${id}/jobs/${job.id}/pursue`, { topic: 'A topic' });
    const pursued = response.json<{ id: string }>();

    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`/v1/threads/${id}/jobs/${pursued.id}`);
    expect(pursued).toEqual({
      id: expect.stringMatching(/^job_/),
      threadId: id,
      parentJobId: job.id,
      topic: 'A topic',
      status: 'pending',
      budgetTier: 'S',
      researchMode: 'fast',
      createdAt: expect.any(String),
    });
  });

  it('add a message', async () => {
    const { id } = await create();
    const response = await call('POST', `/v1/threads/${id}/messages`, { message: 'More' });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ id: expect.any(String), threadId: id, role: 'user', content: 'More', createdAt: expect.any(String) });
  });

  it('send a job as the store has it, unparsed', async () => {
    const { id, job } = await create();
    const json = Buffer.from('{ "id":"kept as it is" }');
    api.threads.readJob = async () => ({ version: 1, status: 'completed', createdAt: new Date(), json });
    const response = await call('GET', `/v1/threads/${id}/jobs/${job.id}`);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).toBe('{ "id":"kept as it is" }');
  });

  it('list the events of a job', async () => {
    const { id, job } = await create();
    expect((await call('GET', `/v1/threads/${id}/jobs/${job.id}/events`)).json()).toEqual({ jobId: job.id, events: [] });
  });

  it.each([
    ['', 20, 0],
    ['?limit=1', 1, 0],
    ['?limit=100&offset=2', 100, 2],
    ['?limit=101', 100, 0],
    [`?limit=${'9'.repeat(400)}`, 100, 0],
    ['?offset=2147483647', 20, 2147483647],
    ['?limit=007', 7, 0],
  ])('apply and echo the page of %s', async (query, limit, offset) => {
    await create();
    const { threads, ...page } = (await call('GET', `/v1/threads${query}`)).json<{ threads: object[] }>();
    expect(page).toEqual({ threadsUnreadable: 0, limit, offset, nextCursor: null });
    expect(threads).toHaveLength(offset === 0 ? 1 : 0);
  });

  it.each<Record<string, string>>([{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }])(
    'delete with the headers %j',
    async (headers) => {
      const { id } = await create();
      const response = await call('DELETE', `/v1/threads/${id}`, undefined, headers);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ deleted: true });
      expect((await call('GET', `/v1/threads/${id}`, undefined, headers)).json()).toMatchObject({ code: 'thread_not_found', status: 404 });
    },
  );

  it('answer HEAD like GET without a body', async () => {
    const response = await call('HEAD', '/v1/threads');
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });
});

describe('what does not exist, or belongs to another tenant', () => {
  const routes = (thread: string, job: string): [string, string, object | undefined, string][] => [
    ['GET', `/v1/threads/${thread}`, undefined, 'thread_not_found'],
    ['GET', `/v1/threads/${thread}/messages`, undefined, 'thread_not_found'],
    ['POST', `/v1/threads/${thread}/messages`, { message: 'A question' }, 'thread_not_found'],
    ['GET', `/v1/threads/${thread}/jobs/${job}`, undefined, 'job_not_found'],
    ['GET', `/v1/threads/${thread}/jobs/${job}/events`, undefined, 'job_not_found'],
    ['POST', `/v1/threads/${thread}/jobs/${job}/pursue`, { topic: 'A topic' }, 'job_not_found'],
    ['DELETE', `/v1/threads/${thread}`, undefined, 'thread_not_found'],
  ];

  it('is 404 in the same words', async () => {
    const { id, job } = await create();
    const theirs = { authorization: `Bearer ${api.otherKey}` };
    for (const [method, url, body, code] of routes(id, job.id)) {
      expect((await call(method, url, body, theirs)).json()).toMatchObject({ status: 404, code, instance: url });
    }
    for (const [method, url, body, code] of routes(newId('thr'), newId('job'))) {
      expect((await call(method, url, body)).json()).toMatchObject({ status: 404, code, instance: url });
    }
    expect((await call('GET', '/v1/threads', undefined, theirs)).json()).toMatchObject({ threads: [] });
    expect((await call('GET', `/v1/threads/${id}`)).statusCode).toBe(200);
  });
});
