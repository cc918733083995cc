import { startApi, type TestApi } from './support/api';

const PAGE = 'https://app.example.org';
const OTHERS = ['https://evil.example', 'null', 'http://app.example.org', `${PAGE}.evil.example`, `${PAGE}:8443`, `${PAGE}/`, '*', ''];

type Method = 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
const ask = (api: TestApi, method: Method, headers: Record<string, string>, url = '/v1/threads') =>
  api.app.inject({ method, url, headers, ...(method === 'POST' && { payload: { message: 'q' } }) });
const preflight = (api: TestApi, origin: string, url?: string) =>
  ask(api, 'OPTIONS', { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }, url);
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('with an origin in the settings', () => {
  let api: TestApi;
  const key = () => ({ authorization: `Bearer ${api.key}` });
  beforeAll(async () => {
    api = await startApi({ origins: [PAGE] });
  });
  afterAll(() => api.app.close());

  it('tells the browser what a page may send, without a key', async () => {
    const { statusCode, headers, body } = await preflight(api, PAGE);
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin', 'access-control-max-age': '600' });
    expect(String(headers['access-control-allow-methods']).split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect(headers['access-control-allow-headers']).toMatch(/authorization.*idempotency-key/);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets the page read answers and refusals, and their headers', async () => {
    for (const [sent, status] of [
      [key(), 200],
      [{}, 401],
    ] as const) {
      const { statusCode, headers } = await ask(api, 'GET', { ...sent, origin: PAGE });
      expect(statusCode).toBe(status);
      expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
      expect(headers['access-control-expose-headers']).toMatch(/etag.*retry-after/);
    }
    expect((await ask(api, 'POST', { ...key(), origin: PAGE })).headers).toMatchObject({ 'access-control-allow-origin': PAGE });
  });

  it('lets its key alone decide what the page may do', async () => {
    expect((await ask(api, 'POST', { origin: PAGE })).statusCode).toBe(401);
    expect((await preflight(api, PAGE, '/v1/nothing')).headers['access-control-allow-methods']).toBe('');
  });

  it.each(OTHERS)('tells pages of the origin "%s" nothing', async (origin) => {
    expect((await preflight(api, origin)).statusCode).toBe(401);
    const { statusCode, headers } = await ask(api, 'GET', { ...key(), origin });
    // A cache must not give such a page the answer that it kept for another.
    expect([statusCode, headers.vary, corsHeaders(headers)]).toEqual([200, 'Origin', []]);
  });
});

it('tells no page anything by default', async () => {
  const api = await startApi();
  try {
    expect((await preflight(api, PAGE)).statusCode).toBe(401);
    const { statusCode, headers } = await ask(api, 'GET', { authorization: `Bearer ${api.key}`, origin: PAGE });
    expect([statusCode, headers.vary, corsHeaders(headers)]).toEqual([200, undefined, []]);
  } finally {
    await api.app.close();
  }
});
