import { setTimeout as sleep } from 'node:timers/promises';

import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { Departure } from '../../src/api/departure';
import { Readiness } from '../../src/api/health';
import { HealthModule } from '../../src/api/health.module';
import { createHttpApplication } from '../../src/api/http';
import { createLogger } from '../../src/api/logging';
import { Peers } from '../../src/api/peers';
import { eventually } from '../messaging/eventually';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
/** What checks fail with, by their names. */
const failures = new Map<string, unknown>();
/** How long checks take, by their names. */
const slow = new Map<string, number>();
let looks = 0;
const checkOf = (name: string) => ({
  name,
  check: async () => {
    looks += 1;
    if (slow.has(name)) await sleep(slow.get(name));
    if (failures.has(name)) throw failures.get(name);
  },
});
const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.9.8.7:5432'), { code: 'ECONNREFUSED' });
/** What the log says of readiness, beginning with this test. */
const told = () =>
  api.logged
    .map((line) => JSON.parse(line) as { level: string; reason?: string; check?: string; why?: string })
    .filter(({ reason }) => reason === 'not_ready' || reason === 'ready_again')
    .map(({ level, reason, check, why }) => [level, reason, check, why]);
const ready = async () => (await api.app.inject('/health/ready')).statusCode;

beforeAll(async () => {
  api = await startApi({ basePath: '/research', healthChecks: [checkOf('database'), checkOf('nats')] });
});
beforeEach(async () => {
  failures.clear();
  slow.clear();
  expect(await ready()).toBe(200);
  api.logged.length = 0;
});
afterAll(async () => {
  await api.app.close();
});

it('is live whatever its checks say', async () => {
  failures.set('database', refused());
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
  failures.set('nats', new Error('NATS refuses the login'));
  const response = await api.app.inject('/health/ready');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json()).toMatchObject({
    code: 'unavailable',
    detail: 'Not ready: nats.',
    errors: [{ pointer: '/nats', code: 'down', message: 'The check of nats failed.' }],
  });
  expect(response.body).not.toContain('login');
});

it('looks once for all who ask at a time, and a few times a second for whoever asks on and on', async () => {
  const startedAt = performance.now();
  looks = 0;
  for (let round = 0; round < 20; round += 1) expect(new Set(await Promise.all(Array.from({ length: 50 }, ready)))).toEqual(new Set([200]));
  const seconds = (performance.now() - startedAt) / 1000;
  // Two checks, and at the end whoever asks is told what is so now.
  expect(looks).toBeLessThanOrEqual(2 * (10 * seconds + 1));
  failures.set('nats', refused());
  expect(await ready()).toBe(503);
});

/** What is answered, and whether it came in time for a balancer that waits for three seconds. */
const inTime = async () => {
  const askedAt = performance.now();
  return [await ready(), performance.now() - askedAt < 2_500];
};

it('is ready while a check is slow, as it is for every process when the database is, and says so in time', async () => {
  slow.set('database', 3_000);
  expect([await inTime(), await inTime()]).toEqual([
    [200, true],
    [200, true],
  ]);
});

it('is not ready once a check takes longer than a request may, and names what else fails at once', async () => {
  slow.set('database', 6_000);
  failures.set('nats', refused());
  expect(await inTime()).toEqual([503, true]);
  failures.delete('nats');
  expect([await inTime(), await inTime()]).toEqual([
    [503, true],
    [503, true],
  ]);
  expect(told()).toContainEqual(['warn', 'not_ready', 'database', 'no answer within 4000 ms']);
  slow.clear();
  await eventually(200, ready);
});

it('logs why a check fails and that it passes again, once', async () => {
  failures.set('nats', new Error('NATS refuses the login'));
  expect([await ready(), await ready()]).toEqual([503, 503]);
  failures.set('nats', new Error('NATS does not answer'));
  failures.set('database', new Error('the database is read-only'));
  expect([await ready(), await ready()]).toEqual([503, 503]);
  failures.clear();
  expect([await ready(), await ready()]).toEqual([200, 200]);
  expect(told()).toEqual([
    ['warn', 'not_ready', 'nats', 'NATS refuses the login'],
    ['warn', 'not_ready', 'database', 'the database is read-only'],
    ['warn', 'not_ready', 'nats', 'NATS does not answer'],
    ['info', 'ready_again', 'database', undefined],
    ['info', 'ready_again', 'nats', undefined],
  ]);
});

it('logs the code of what a system or a server says, which may name an address', async () => {
  failures.set('database', new Error('The database cannot be reached.', { cause: refused() }));
  failures.set('nats', refused());
  expect(await ready()).toBe(503);
  expect(told()).toEqual([
    ['warn', 'not_ready', 'database', 'The database cannot be reached. (Error ECONNREFUSED)'],
    ['warn', 'not_ready', 'nats', 'Error ECONNREFUSED'],
  ]);
  expect(api.logged.join()).not.toContain('10.9.8.7');
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
  const readiness = new Readiness(logger);
  readiness.add(checkOf('nats'));
  const app = await createHttpApplication(HealthModule.register(readiness), { logger, basePath: '', logins: null, origins: [] });
  await app.init();
  expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ok', checks: ['nats'] });
  for (const url of ['/v1/threads', '/openapi.json'])
    expect((await app.inject(url)).json()).toMatchObject({ status: 404, code: 'not_found' });
  await app.close();
});

describe('beside others that serve the same clients', () => {
  const transport = createMemoryTransport();
  afterAll(() => transport.close());

  /** A process that was ready, unless its check fails from the beginning. */
  async function startProcess(isWell = true) {
    const own = { isWell, departure: new Departure(), readiness: new Readiness(createLogger('silent')) };
    const check = () => (own.isWell ? Promise.resolve() : Promise.reject(refused()));
    own.readiness.add({ name: 'database', check }, own.departure.check);
    const peers = new Peers(transport);
    await peers.listen();
    own.readiness.compareWith(peers);
    const isReady = async () => (await own.readiness.ask()).isReady;
    expect(await isReady()).toBe(isWell);
    return { own, isReady };
  }
  type Started = Awaited<ReturnType<typeof startProcess>>;
  const areReady = (processes: Started[]) => Promise.all(processes.map(({ isReady }) => isReady()));

  it('is out of service alone where its check fails, and none is where it fails for all', async () => {
    const processes = await Promise.all([1, 2, 3].map(() => startProcess()));
    const [first, ...others] = processes as [Started, ...Started[]];
    first.own.isWell = false;
    await eventually([false, true, true].join(), async () => (await areReady(processes)).join());
    for (const { own } of others) own.isWell = false;
    for (const round of [1, 2, 3]) expect([round, await areReady(others)]).toEqual([round, [true, true]]);
    for (const { own } of processes) own.isWell = true;
    expect(await areReady(processes)).toEqual([true, true, true]);
  });

  it('names only what passed where it is ready all the same', async () => {
    const { own } = await startProcess();
    own.isWell = false;
    expect(await own.readiness.ask()).toEqual({ passing: ['accepting'], failing: ['database'], isReady: true });
  });

  it('is not ready if it never was, nor once it is stopping', async () => {
    const broken = await startProcess(false);
    expect(await broken.isReady()).toBe(false);
    const leaving = await startProcess();
    leaving.own.departure.isLeaving = true;
    expect(await leaving.isReady()).toBe(false);
  });
});
