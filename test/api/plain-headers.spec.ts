import { startApi, type TestApi } from './support/api';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startApi();
  await api.app.listen(0, '127.0.0.1');
  port = (api.app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => api.app.close());

async function statusOf(headers: string[]): Promise<number | undefined> {
  const own = ['Host', 'localhost', 'Authorization', `Bearer ${api.key}`];
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/threads', headers: [...own, ...headers] as never });
  sent.end('{"message":"q"}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const JSON_TYPE = ['Content-Type', 'application/json', 'Content-Length', '15'];

it.each<[string, number, string[]]>([
  ['a second Authorization', 400, [...JSON_TYPE, 'Authorization', 'Bearer other']],
  ['a second Host', 400, [...JSON_TYPE, 'Host', 'elsewhere']],
  ['a Content-Encoding', 415, [...JSON_TYPE, 'Content-Encoding', 'gzip']],
  ['another charset', 415, ['Content-Type', 'application/json; charset=iso-8859-1', 'Content-Length', '15']],
  ['its own charset', 201, ['Content-Type', 'application/json; charset=UTF-8', 'Content-Length', '15']],
  ['no encoding', 201, [...JSON_TYPE, 'Content-Encoding', 'identity']],
])('a request with %s is answered with %i', async (_, status, headers) => {
  expect(await statusOf(headers)).toBe(status);
});

describe.each(['If-Match', 'If-Unmodified-Since'])('the condition %s', (condition) => {
  const ask = (method: 'DELETE' | 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
    api.app.inject({ method, url, headers: { authorization: `Bearer ${api.key}`, [condition]: '"1-1"' }, ...(payload && { payload }) });

  it('is refused where something would be changed or deleted on it', async () => {
    const created = await ask('POST', '/v1/threads', { message: 'q' });
    expect(created.statusCode).toBe(201);
    const path = `/v1/threads/${created.json<{ id: string }>().id}`;
    for (const [method, url, payload] of [
      ['DELETE', path, undefined],
      ['PATCH', `/v1/webhooks/whk_${'0'.repeat(26)}`, { enabled: false }],
    ] as const) {
      const refused = await ask(method, url, payload);
      expect(refused.statusCode).toBe(400);
      const message = `Conditional ${method} is not supported: leave out the header ${condition}.`;
      expect(refused.json()).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: `/${condition.toLowerCase()}`, code: 'not_offered', message }],
      });
    }
    expect((await ask('GET', path)).statusCode).toBe(200);
  });
});
