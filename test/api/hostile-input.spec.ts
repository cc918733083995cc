import { generateKey } from '@lib/store/access/key-format';
import { startApi, type TestApi } from './support/api';
import { hostileAddresses } from './support/hostile-addresses';
import { hostileBodies } from './support/hostile-bodies';
import type { HostileRequest } from './support/hostile-request';

let api: TestApi;
let threadId: string;
let jobId: string;

beforeAll(async () => {
  api = await startApi();
  const creation = {
    method: 'POST',
    path: '/v1/threads',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"A question"}',
  };
  const response = await send(creation, api.key);
  const thread = response.json<{ id: string; job: { id: string } }>();
  [threadId, jobId] = [thread.id, thread.job.id];
});

afterAll(async () => {
  await api.app.close();
});

type Sent = Pick<HostileRequest, 'method' | 'path' | 'headers' | 'body'>;

const pathOf = ({ path }: Pick<HostileRequest, 'path'>): string => path.replace('{threadId}', threadId).replace('{jobId}', jobId);

const send = (request: Sent, keyText: string | null) =>
  api.app.inject({
    method: request.method as 'GET',
    url: pathOf(request),
    headers: { ...request.headers, ...(keyText === null ? {} : { authorization: `Bearer ${keyText}` }) },
    ...(request.body === undefined ? {} : { payload: request.body }),
  });

it.each([
  ['/v1/threads/', 'leave out the slash at the end'],
  ['/v1/threads/?limit=1', 'leave out the slash at the end'],
  ['/v1/thread', 'openapi.json names every address'],
  ['/', 'openapi.json names every address'],
  ['/v1/nothing/', 'openapi.json names every address'],
])('an address where nothing is says what to do: %s', async (path, remedy) => {
  const response = await send({ method: 'GET', path, headers: {}, body: undefined }, api.key);
  expect(response.json()).toMatchObject({ code: 'not_found', detail: `There is nothing at this address: ${remedy}.` });
});

it('a parameter that a route does not know names those that it knows', async () => {
  const response = await send({ method: 'GET', path: '/v1/threads?page=2', headers: {}, body: undefined }, api.key);
  expect(response.json()).toMatchObject({
    errors: [{ message: 'The query parameter "page" is unknown: this route knows limit, offset and cursor.' }],
  });
});

it.each([
  ['%FF', 'its percent-encoded bytes are not UTF-8; é, for example, is %C3%A9'],
  ['%ED%A0%80', 'its percent-encoded bytes are not UTF-8; é, for example, is %C3%A9'],
  ['%ZZ', 'a % is not followed by two hexadecimal digits; send % itself as %25'],
  ['100%', 'a % is not followed by two hexadecimal digits; send % itself as %25'],
])('a query parameter that cannot be decoded is refused by its name: %s', async (value, reason) => {
  const response = await send({ method: 'GET', path: `/v1/claims?limit=1&query=${value}`, headers: {}, body: undefined }, api.key);
  expect(response.statusCode).toBe(400);
  const message = `The query parameter "query" is malformed: ${reason}.`;
  expect(response.json()).toMatchObject({ errors: [{ pointer: '/query', code: 'malformed', message }] });
});

describe.each([...hostileBodies(), ...hostileAddresses()])('$name', (request) => {
  it(`is refused with ${request.status} ${request.code}`, async () => {
    const received = api.threads.bodies.length;
    const response = await send(request, api.key);
    const problem = response.json<Record<string, unknown> & { errors: { pointer: string; code: string; message: string }[] }>();

    expect(problem).toMatchObject({ status: request.status, code: request.code });
    expect(response.statusCode).toBe(request.status);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(request.pointers);
    expect(problem).toEqual({
      type: `urn:research-threads:problem:${request.code}`,
      title: expect.any(String),
      status: request.status,
      detail: problem.error,
      instance: pathOf(request).replace(/\?.*/, ''),
      code: request.code,
      requestId: response.headers['x-request-id'],
      errors: problem.errors,
      error: expect.stringMatching(/.\.$/),
    });
    expect(response.body.length).toBeLessThan(2000);
    expect(response.headers.allow).toBe(request.allow);
    expect(api.threads.bodies).toHaveLength(received);
  });

  it.each([
    ['no key', null],
    ['a key that does not exist', generateKey().keyText],
  ])('is refused with 401 when it carries %s, whatever else is wrong', async (_, keyText) => {
    const response = await send(request, keyText);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ code: 'invalid_api_key', errors: [] });
    expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
  });
});
