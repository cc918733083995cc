import { gunzipSync, gzipSync } from 'node:zlib';

import { startApi, type TestApi } from './support/api';

describe('the reference page', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startApi({ basePath: '/research' });
  });
  afterAll(async () => {
    await api.app.close();
  });

  it('loads everything from the service itself, without a key', async () => {
    const page = await api.app.inject('/docs');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    expect(addresses).toEqual(['data:,', 'docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/page.js']);
    expect(page.body).not.toMatch(/\/\//);
    const script = await api.app.inject('/docs/page.js');
    expect(script.body).not.toMatch(/\/\//);
    expect(script.body).toContain("fetch('openapi.json')");
    expect(script.body).toContain('validatorUrl: null');
    for (const address of [...addresses.slice(1), 'openapi.json']) {
      const { statusCode, headers, body } = await api.app.inject(`/${address}`);
      const type = { css: 'text/css', js: 'text/javascript', json: 'application/json' }[address.split('.').at(-1) ?? ''];
      expect({ address, statusCode, type: String(headers['content-type']).split(';')[0] }).toEqual({ address, statusCode: 200, type });
      expect(body.length).toBeGreaterThan(100);
    }
  });

  it.each(['/docs', '/docs/page.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/openapi.json', '/openapi-3.1.json'])(
    'is below the base path too, without a key and byte for byte: %s',
    async (path) => {
      const [atRoot, below] = [await api.app.inject(path), await api.app.inject(`/research${path}`)];
      expect(below.statusCode).toBe(200);
      expect(below.rawPayload.equals(atRoot.rawPayload)).toBe(true);
      for (const name of ['content-type', 'content-security-policy', 'cache-control'])
        expect(below.headers[name]).toBe(atRoot.headers[name]);
    },
  );

  it('forbids the browser every other host, scripts and styles in its text, and to be framed', async () => {
    const { headers } = await api.app.inject('/docs');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    for (const directive of policy) expect(directive).toMatch(/^[a-z-]+( '(none|self)')( data:)?$/);
    expect(policy.filter((directive) => directive.includes('data:'))).toEqual(["img-src 'self' data:"]);
  });

  it('gives its script the variable of the server that it sets', async () => {
    const { servers } = (await api.app.inject('/openapi.json')).json<{ servers: { url: string; variables: object }[] }>();
    expect(servers).toEqual([expect.objectContaining({ url: '{origin}/research', variables: { origin: expect.anything() } })]);
  });

  it.each(['/openapi.json', '/openapi-3.1.json', '/docs/swagger-ui-bundle.js'])(
    'costs whoever asks for %s without a key more than the service',
    async (url) => {
      const ask = () => api.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      const { rawPayload } = await ask();
      // The least of several rounds: garbage collection, a timer or code that runs for the first time may fall into any one of them.
      const spentBy = async (work: () => unknown): Promise<number> => {
        const rounds = [];
        for (let round = 0; round < 5; round += 1) {
          const before = process.cpuUsage();
          for (let times = 0; times < 3; times += 1) await work();
          const { user, system } = process.cpuUsage(before);
          rounds.push(user + system);
        }
        return Math.min(...rounds);
      };
      const text = gunzipSync(rawPayload);
      expect(await spentBy(ask)).toBeLessThan((await spentBy(() => gzipSync(text))) * 0.7);
    },
  );

  it('serves no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html'])
      expect((await api.app.inject(path)).statusCode).toBe(404);
  });
});
