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
