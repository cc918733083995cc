import { createHook } from 'node:async_hooks';

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
    'compresses %s once, however often it is asked for',
    async (url) => {
      const ask = () => api.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      let compressions = 0;
      const hook = createHook({ init: (_, type) => void (type === 'ZLIB' && (compressions += 1)) }).enable();
      // What only the clients of one change share is forgotten after a second.
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
      try {
        const { rawPayload } = await ask();
        expect(compressions).toBe(1);
        await jest.advanceTimersByTimeAsync(60_000);
        expect((await ask()).rawPayload.equals(rawPayload)).toBe(true);
        expect(compressions).toBe(1);
      } finally {
        jest.useRealTimers();
        hook.disable();
      }
    },
  );

  it('serves no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/index.html'])
      expect((await api.app.inject(path)).statusCode).toBe(404);
  });
});
