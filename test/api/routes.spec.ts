import { DOMAIN_ERROR_CODES, DomainError } from '@lib/domain/errors';
import { newId } from '@lib/store/new-id';
import { StoreUnavailable } from '@lib/store/store-unavailable';
import { PROBLEMS } from '../../src/api/problems';
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
    api.threads.getJob = async () => '{ "id":"kept as it is" }';
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
    expect(page).toEqual({ limit, offset });
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

describe('authentication', () => {
  it.each(['', 'Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b', 'Bearer rt_live_x', 'bearer é'])(
    'refuses %j like every other wrong key',
    async (authorization) => {
      const response = await call('GET', '/v1/threads', undefined, { authorization });
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer realm="research-threads", error="invalid_token"');
      expect({ ...response.json<object>(), requestId: '' }).toEqual({
        type: 'urn:research-threads:problem:invalid_api_key',
        title: 'A valid API key is required',
        status: 401,
        detail: 'Send a valid API key in the header Authorization: Bearer <API_KEY>.',
        instance: '/v1/threads',
        code: 'invalid_api_key',
        requestId: '',
        errors: [],
        error: 'Send a valid API key in the header Authorization: Bearer <API_KEY>.',
      });
    },
  );

  it('cannot be passed by writing the address in another way', async () => {
    for (const url of [
      '/%76%31/threads',
      '/v1/%74hreads',
      '/v1/threads?x=/health/live',
      '/v1/threads#/health/live',
      'http://host/v1/threads',
    ]) {
      expect((await api.app.inject({ url })).statusCode).toBe(401);
    }
  });

  it('takes the scheme in any case and hands over who calls', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await call('POST', '/v1/threads', { message: 'a' }, { authorization: `bearer ${api.key}`, 'x-request-id': 'mine-1', traceparent });
    await call('POST', '/v1/threads', { message: 'a' }, { traceparent: '00-zz' });
    const [traced, untraced] = api.threads.callers;
    expect(traced).toEqual({ tenantId: 'acme', keyId: api.key.slice(8, 20), requestId: 'mine-1', traceparent });
    expect(untraced).toMatchObject({ traceparent: null });
  });
});

describe('every response', () => {
  it('carries a request id, the client’s own where it is safe', async () => {
    const idOf = async (given: string) => (await call('GET', '/v1/threads', undefined, { 'x-request-id': given })).headers['x-request-id'];
    expect(await idOf('abc-123_~.')).toBe('abc-123_~.');
    for (const unsafe of ['a'.repeat(65), 'a b', 'a"b', 'é', '']) expect(await idOf(unsafe)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('may not be sniffed or stored', async () => {
    for (const url of ['/v1/threads', '/v1/nothing', '/health/live']) {
      expect((await call('GET', url)).headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
    }
  });
});

describe('failures', () => {
  it.each(DOMAIN_ERROR_CODES)('answer %s with its status', async (code) => {
    api.threads.failure = new DomainError(code, 'What to do.');
    const response = await call('POST', '/v1/threads', { message: 'A question' });
    expect(response.statusCode).toBe(PROBLEMS[code].status);
    expect(response.json()).toMatchObject({ code, title: PROBLEMS[code].title, detail: 'What to do.', error: 'What to do.' });
  });

  it('answer an outage of the store with 503 and when to come back', async () => {
    api.threads.failure = new StoreUnavailable(new Error('connect ECONNREFUSED'));
    const response = await call('GET', '/v1/threads');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toMatchObject({ code: 'unavailable' });
    expect(response.body).not.toContain('ECONNREFUSED');
  });

  it('answer what nobody expected with 500, and log where it came from without what it says', async () => {
    const secret = 'insert failed for (my private question)';
    api.threads.failure = Object.assign(new Error(secret, { cause: new TypeError(secret) }), { code: '22P05' });
    const response = await call('POST', '/v1/threads', { message: 'my private question' });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'internal_error', requestId: response.headers['x-request-id'] });
    const log = api.logged.join('');
    expect(response.body + log).not.toContain('private');
    expect(log).toMatch(/"reason":"internal_error".*"errorName":"Error","errorCode":"22P05","stack":" +at .*"errorName":"TypeError"/);
  });

  it('answer a thrown value that is no error with 500', async () => {
    api.threads.failure = 'a string';
    expect((await call('GET', '/v1/threads')).json()).toMatchObject({ status: 500, code: 'internal_error' });
  });
});

describe('the log', () => {
  it('has one line for each request, with its ids and without content, query and key', async () => {
    const { id, job } = await create({ message: 'my private question' });
    api.logged.length = 0;
    await call('GET', `/v1/threads/${id}/jobs/${job.id}`, undefined, { 'x-request-id': 'mine-2' });
    await call('GET', '/v1/threads/my-private-thread?token=my-private-token');
    await call('GET', `/v1/threads/%zz?token=my-private-token`);
    await call('GET', `/v1/${api.key}`);

    const lines = api.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, status, route }) => [msg, status, route])).toEqual([
      ['request', 200, '/v1/threads/:threadId/jobs/:jobId'],
      ['request', 400, '/v1/threads/:threadId'],
      ['request', 400, null],
      ['request', 404, null],
    ]);
    expect(lines[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      requestId: 'mine-2',
      method: 'GET',
      route: '/v1/threads/:threadId/jobs/:jobId',
      status: 200,
      ms: expect.any(Number),
      tenantId: 'acme',
      keyId: api.key.slice(8, 20),
      threadId: id,
      jobId: job.id,
      msg: 'request',
    });
    expect(api.logged.join('')).not.toMatch(/private|rt_live_/);
  });
});
