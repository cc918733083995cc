import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';

import { compressLarge } from '../../src/api/compression';
import fc from '../support/properties';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
let thread: string;
const LARGE = { message: 'a question, at length; '.repeat(1_000) };
const key = () => ({ authorization: `Bearer ${api.key}` });

beforeAll(async () => {
  api = await startApi();
  const { id } = (await api.app.inject({ method: 'POST', url: '/v1/threads', headers: key(), payload: LARGE })).json<{ id: string }>();
  thread = `/v1/threads/${id}`;
});
afterAll(() => api.app.close());

const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers: { ...key(), ...headers } });
const GZIP = { 'accept-encoding': 'gzip' };

describe.each([
  ['with a tag of its version', () => thread],
  ['with a tag of its bytes', () => `${thread}/messages`],
])('a large answer %s', (_, url) => {
  it('is compressed for whoever accepts it, under a tag of its own', async () => {
    const plain = await get(url());
    const packed = await get(url(), GZIP);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(packed.rawPayload.length) });
    expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
  });

  it('is 304 for whoever has it, in whatever coding', async () => {
    for (const first of [{}, GZIP]) {
      const tag = String((await get(url(), first)).headers.etag);
      for (const second of [{}, GZIP]) {
        const { statusCode, headers, body } = await get(url(), { ...second, 'if-none-match': tag });
        expect([statusCode, headers.etag, headers['content-encoding'], body]).toEqual([304, tag, undefined, '']);
      }
      const any = await get(url(), { ...first, 'if-none-match': '*' });
      expect([any.statusCode, any.headers.etag]).toEqual([304, tag]);
      const other = tag.replace(/^"./, '"~');
      expect((await get(url(), { ...first, 'if-none-match': other })).statusCode).toBe(200);
    }
  });
});

it('reads Accept-Encoding as the standard has it', async () => {
  const sent = async (accepted: string) => (await get(thread, { 'accept-encoding': accepted })).headers['content-encoding'];
  for (const accepted of ['gzip', 'GZIP', 'br, gzip', '*', 'gzip;q=0.1', 'deflate, gzip ; q=1', '*;q=0.5, identity;q=0'])
    expect([accepted, await sent(accepted)]).toEqual([accepted, 'gzip']);
  for (const refused of ['', 'br', 'identity', 'gzip;q=0', 'gzip;q=0, *', '*;q=0', 'xgzip', ';;,,q=1'])
    expect([refused, await sent(refused)]).toEqual([refused, undefined]);
});

it('gives the same answer whatever a client says that it accepts', async () => {
  const { body } = await get(thread);
  const part = fc.constantFrom('gzip', 'br', '*', 'q=0', 'q=1', ';', ',', ' ', '\t', 'q=', 'identity', '1e9');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
      const { statusCode, headers, rawPayload } = await get(thread, { 'accept-encoding': parts.join('') });
      expect(statusCode).toBe(200);
      expect((headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString()).toBe(body);
    }),
    { numRuns: 50 },
  );
});

it('leaves small answers, refusals and answers to POST as they are', async () => {
  const created = await api.app.inject({ method: 'POST', url: '/v1/threads', headers: { ...key(), ...GZIP }, payload: LARGE });
  expect([created.statusCode, created.headers['content-encoding']]).toEqual([201, undefined]);
  expect(created.rawPayload.length).toBeGreaterThan(8 * 1024);
  expect((await get('/v1/threads?limit=1', GZIP)).headers).not.toHaveProperty('content-encoding');
  const refused = await get(`/v1/${'x'.repeat(12_000)}`, GZIP);
  expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([404, undefined]);
});

describe('the same bytes for many at once', () => {
  const BYTES = Buffer.from(JSON.stringify(Array.from({ length: 60_000 }, (_, place) => ({ place, square: place * place }))));
  let server: FastifyInstance;
  beforeAll(() => {
    server = fastify();
    server.addHook('onSend', compressLarge);
    server.get('/', (_, reply) => reply.type('application/json').send(Buffer.from(BYTES)));
    server.get('/same', (_, reply) => reply.type('application/json').send(BYTES));
  });
  afterAll(() => server.close());

  it('are compressed once', async () => {
    const cpuMs = async (url: string) => {
      const before = process.cpuUsage();
      const answers = await Promise.all(Array.from({ length: 20 }, () => server.inject({ url, headers: GZIP })));
      const { user, system } = process.cpuUsage(before);
      for (const { rawPayload } of answers) expect(gunzipSync(rawPayload).equals(BYTES)).toBe(true);
      return (user + system) / 1_000;
    };
    // What else the process does at the time counts as well, so the least of three is taken.
    const least = async (url: string) => Math.min(await cpuMs(url), await cpuMs(url), await cpuMs(url));
    expect(await least('/same')).toBeLessThan((await least('/')) / 2);
  });
});
