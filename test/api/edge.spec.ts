import { DOMAIN_ERROR_CODES, DomainError } from '@lib/domain/errors';
import { SCOPES } from '@lib/domain/scopes';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { Unsealable } from '@lib/store/sealing/seal';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { refusalOf } from '../../src/api/problem.filter';
import { PROBLEMS } from '../../src/api/problems';
import { startApi, type TestApi } from './support/api';

let api: TestApi;

beforeEach(async () => {
  api = await startApi();
});
afterEach(async () => {
  await api.app.close();
});

const call = (method: string, url: string, body?: object, headers: Record<string, string> = {}) =>
  api.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${api.key}`, ...headers },
    ...(body && { payload: body }),
  });

const create = async (body: object) => (await call('POST', '/v1/threads', body)).json<{ id: string; job: { id: string } }>();

describe('authentication', () => {
  it.each(['', 'Basic abc', 'Bearer', 'Bearer  ', 'Bearer a b', 'Bearer rt_live_x', 'bearer é'])(
    'refuses %j like every other wrong key',
    async (authorization) => {
      const response = await call('GET', '/v1/threads', undefined, { authorization });
      expect(response.statusCode).toBe(401);
      const error = /^bearer/i.test(authorization) ? ', error="invalid_token"' : '';
      expect(response.headers['www-authenticate']).toBe(`Bearer realm="research-threads"${error}`);
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

  it('takes the scheme in any case and hands over who calls, under ids of our own', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await call('POST', '/v1/threads', { message: 'a' }, { authorization: `bearer ${api.key}`, 'x-request-id': 'mine-1', traceparent });
    await call('POST', '/v1/threads', { message: 'a' }, { traceparent: '00-zz' });
    const [traced, untraced] = api.threads.callers;
    expect(traced).toEqual({
      tenantId: 'acme',
      keyId: api.key.slice(8, 20),
      keyLimits: null,
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      traceId: traced?.correlationId.replaceAll('-', ''),
      scopes: SCOPES,
      isWaiting: expect.any(Function) as () => boolean,
    });
    expect(untraced?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(untraced?.traceId).not.toBe(traced?.traceId);
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

  it.each([
    ['/v1/claims?query=a%00b', 'NUL (U+0000)'],
    ['/v1/claims?query=%20', 'not be blank'],
    ['/v1/threads/%zz', 'as %25'],
    ['/v1/threads/100%25%', 'as %25'],
    ['/v1/threads/%ff', 'not UTF-8'],
    ['/v1/threads/%E0%A4?limit=%', 'not UTF-8'],
  ])('of %s name the reason: %s', async (url, reason) => {
    const response = await call('GET', url);
    expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('answer an outage of the store with 503 and when to come back', async () => {
    api.threads.failure = new StoreUnavailable(new Error('connect ECONNREFUSED'));
    const response = await call('GET', '/v1/threads');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toMatchObject({ code: 'unavailable' });
    expect(response.body).not.toContain('ECONNREFUSED');
  });

  it('answer an outage with 503 also where the database’s own error came through', async () => {
    api.threads.failure = Object.assign(new Error('terminating connection'), { code: '57P01' });
    expect((await call('GET', '/v1/threads')).json()).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('answer what the database undid for other work with 503, and never that it may have been done', async () => {
    api.threads.failure = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const response = await call('POST', '/v1/threads', { message: 'How?' });
    const detail = 'The database undid this for the sake of other work, so it is not done; repeat the request.';
    expect(response.json()).toMatchObject({ status: 503, code: 'unavailable', detail });
    expect(response.headers['retry-after']).toBe('5');
    expect(api.logged.join('')).toMatch(/"reason":"undone".*"errorCode":"40P01"/);
  });

  it('answer what a newer build has to answer with 503', async () => {
    api.threads.failure = new UnknownEvent('StepDreamt', 1);
    const response = await call('GET', '/v1/threads');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('newer build') as string });
  });

  it('answer content that cannot be opened with 500 and whose it is, and alert the operator', async () => {
    api.threads.failure = new Unsealable('the sealed content of job_1|document cannot be opened', 'job_1');
    const response = await call('GET', '/v1/threads');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({
      code: 'corrupt_content',
      detail: expect.stringContaining('content of job_1 cannot') as string,
    });
    const log = api.logged.map((line) => JSON.parse(line) as object);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', reason: 'corrupt_content', alert: true, of: 'job_1' }));
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

  it.each(['a string', null, undefined, { status: 200 }])('take %j, thrown by whoever throws no error, for an internal error', (thrown) => {
    expect(refusalOf(thrown)).toMatchObject({ code: 'internal_error' });
  });

  it.each(['40001', '40P01', '25006', '53300', '57014', '57P01', '57P04', '08006'])('say that SQLSTATE %s passes', (code) => {
    const refusal = refusalOf(Object.assign(new Error('no'), { code }));
    expect(refusal).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '5' } });
  });

  it.each(['23505', '42703', 'XX001'])('do not say so of SQLSTATE %s', (code) => {
    expect(refusalOf(Object.assign(new Error('no'), { code, routine: 'any' }))).toMatchObject({ code: 'internal_error' });
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
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      correlationId: expect.any(String),
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
