import Fastify from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SCOPES, type Scope } from '@lib/domain/scopes';
import { decideScopes } from '../../src/access/require-scope';
import { ROUTE_SCOPES } from '../../src/access/route-scopes';
import { startApi, type TestApi } from '../api/support/api';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const contract = JSON.parse(readFileSync(join(__dirname, '../../openapi/openapi.json'), 'utf8')) as OpenAPIObject;
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [{ route: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation }] : [];
  }),
);
const keyed = operations.filter(({ path }) => !path.startsWith('/health/'));
/** Needs a key, and is no operation of the contract. */
const OTHERS = ['POST /mcp'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ basePath: '/research' });
});
afterAll(() => api.app.close());

const send = (method: string, path: string, key: string) =>
  api.app.inject({
    method: method as 'GET',
    url: `/research${path.replace(/\{(\w+?)Id\}/g, (_, kind: string) => `${IDS[kind] ?? 'evt'}_${'0'.repeat(26)}${kind === 'claim' ? '_0' : ''}`)}`,
    headers: { authorization: `Bearer ${key}` },
  });
const IDS: Record<string, string> = { thread: 'thr', job: 'job', claim: 'clm', webhook: 'whk', delivery: 'evt' };

it('of every operation of the contract and nothing else somebody has decided which scope it needs', () => {
  expect(Object.keys(ROUTE_SCOPES).sort()).toEqual([...keyed.map(({ route }) => route), ...OTHERS].sort());
});

it('a route that nobody has decided about does not start, and one without a key needs no scope', () => {
  const fastify = Fastify();
  decideScopes(fastify, '/base');
  const answer = async () => ({});
  expect(() => fastify.get('/base/v1/threads', answer)).not.toThrow();
  expect(() => fastify.get('/base/health', { config: { public: true } }, answer)).not.toThrow();
  expect(() => fastify.get('/base/v1/secrets/:secretId', answer)).toThrow('nobody has decided which scope GET /v1/secrets/:secretId needs');
  expect(() => fastify.put('/base/v1/threads', answer)).toThrow('route-scopes.ts');
});

describe.each(keyed.map(({ route, method, path, operation }) => ({ route, method, path, operation, scope: ROUTE_SCOPES[route] })))(
  '$route',
  ({ method, path, operation, scope }) => {
    it(scope ? `is refused to a key with every scope but ${scope}` : 'asks for no scope', async () => {
      const answer = await send(method, path, api.keyWith(SCOPES.filter((other) => other !== scope)));
      if (!scope) return expect(answer.statusCode).not.toBe(403);
      expect(answer.json()).toMatchObject({
        status: 403,
        code: 'insufficient_scope',
        detail: expect.stringContaining(`the scope ${scope};`),
      });
      expect(answer.headers['www-authenticate']).toBe(`Bearer realm="research-threads", error="insufficient_scope", scope="${scope}"`);
      expect(operation.responses['403']).toEqual({ $ref: '#/components/responses/Forbidden' });
      expect(operation.description).toContain(`Needs the scope \`${scope}\`.`);
    });

    it('is open to a key with that scope alone', async () => {
      expect((await send(method, path, api.keyWith([scope as Scope].filter(Boolean)))).statusCode).not.toBe(403);
    });
  },
);

it('a head needs what its body needs', async () => {
  expect((await send('HEAD', '/v1/threads', api.keyWith([]))).statusCode).toBe(403);
  expect((await send('HEAD', '/v1/threads', api.keyWith(['threads:read']))).statusCode).toBe(200);
});

it('a key that is none learns nothing of scopes, and an address that is none is 404 with any key', async () => {
  expect((await send('GET', '/v1/threads', 'rt_live_nothing')).statusCode).toBe(401);
  expect((await send('GET', '/v1/nothing', api.keyWith([]))).statusCode).toBe(404);
});

it('the contract says what each scope is for', () => {
  const scheme = contract.components?.securitySchemes?.bearerAuth as { description: string };
  for (const scope of SCOPES) expect(scheme.description).toContain(`\`${scope}\``);
});
