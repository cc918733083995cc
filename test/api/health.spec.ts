import { HealthModule } from '../../src/api/health.module';
import { createHttpApplication } from '../../src/api/http';
import { createLogger } from '../../src/api/logging';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
const isUsable: Record<string, boolean> = {};
const checkOf = (name: string) => ({
  name,
  check: async () => {
    if (!isUsable[name]) throw new Error('connect ECONNREFUSED with a secret');
  },
});

beforeAll(async () => {
  api = await startApi({ basePath: '/research', healthChecks: [checkOf('database'), checkOf('nats')] });
});
beforeEach(() => {
  Object.assign(isUsable, { database: true, nats: true });
});
afterAll(async () => {
  await api.app.close();
});

it('is live whatever its checks say', async () => {
  isUsable.database = false;
  const response = await api.app.inject('/health/live');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ status: 'ok', checks: [] });
});

it('is ready when every check passes', async () => {
  const response = await api.app.inject('/health/ready');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ status: 'ok', checks: ['database', 'nats'] });
});

it('names each check that fails, but not why', async () => {
  isUsable.nats = false;
  const response = await api.app.inject('/health/ready');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json()).toMatchObject({
    code: 'unavailable',
    detail: 'Not ready: nats.',
    errors: [{ pointer: '/nats', code: 'down', message: 'The check of nats failed.' }],
  });
  expect(response.body).not.toContain('secret');
});

it.each(['/health/live?x=1', '/health/ready?x=1'])('refuses %s', async (url) => {
  expect((await api.app.inject(url)).json()).toMatchObject({ status: 400, errors: [{ pointer: '/x' }] });
});

it('stands outside the base path, and the routes inside', async () => {
  const authorization = `Bearer ${api.key}`;
  const statusOf = async (url: string, headers = {}) => (await api.app.inject({ url, headers })).statusCode;
  expect(await statusOf('/research/health/live', { authorization })).toBe(404);
  expect(await statusOf('/v1/threads', { authorization })).toBe(404);
  expect(await statusOf('/research/v1/threads')).toBe(401);
  expect(await statusOf('/research/v1/nothing')).toBe(401);
  expect(await statusOf('/research/v1/threads', { authorization })).toBe(200);
  const created = await api.app.inject({
    method: 'POST',
    url: '/research/v1/threads',
    headers: { authorization },
    payload: { message: 'a' },
  });
  expect(created.headers.location).toBe(`/research/v1/threads/${created.json<{ id: string }>().id}`);
});

it('is all that a process without routes serves', async () => {
  const logger = createLogger('silent');
  const app = await createHttpApplication(HealthModule.register([checkOf('nats')]), { logger, basePath: '', logins: null, origins: [] });
  await app.init();
  expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ok', checks: ['nats'] });
  for (const url of ['/v1/threads', '/openapi.json'])
    expect((await app.inject(url)).json()).toMatchObject({ status: 404, code: 'not_found' });
  await app.close();
});
