import { setTimeout as delay } from 'node:timers/promises';
import { setLimits } from '@lib/store/limits/tenant-limits';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import { META } from '../support/store';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

/** Of every tenant, in each of two processes. */
const LIMITS = 'requestsPerMinute=600,burst=40';
const [PER_SECOND, BURST] = [10, 40];
const FLOOD = 300;
/** Until one process knows what another has given out. */
const TOLD_MS = 1_000;
const TENANT = 'default';

let supervisor: Supervisor;
let apis: RoleProcess[];
beforeAll(async () => {
  supervisor = await Supervisor.start();
  apis = await Promise.all([1, 2].map(() => supervisor.start('api', { TENANT_LIMITS: LIMITS })));
});
afterAll(() => supervisor?.close());

const ask = (place: number, key = supervisor.apiKey): Promise<Response> =>
  fetch(`${apis[place % apis.length]?.address ?? ''}/v1/threads?limit=1`, { headers: { authorization: `Bearer ${key}` } });

/** How many of a flood over both processes were answered, and in how many seconds. */
async function flood(count = FLOOD, key = supervisor.apiKey): Promise<{ answered: number; refused: Response[]; seconds: number }> {
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: count }, (_, place) => ask(place, key)));
  const statuses = Map.groupBy(responses, ({ status }) => status);
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  const [answered, refused] = [statuses.get(200) ?? [], statuses.get(429) ?? []];
  return { answered: answered.length, refused, seconds: (performance.now() - startedAt) / 1000 };
}

it('of a flood over two processes no more is answered than the limit, and one burst and a moment of its rate', async () => {
  const { answered, refused, seconds } = await flood();
  expect(answered).toBeGreaterThanOrEqual(BURST);
  expect(answered).toBeLessThanOrEqual(2 * BURST + PER_SECOND * (seconds + TOLD_MS / 1000));
  const [first] = refused;
  expect(await first?.json()).toMatchObject({
    status: 429,
    code: 'rate_limited',
    detail: expect.stringContaining('this tenant') as string,
  });
  expect(Number(first?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(first?.headers.get('ratelimit-policy')).toBe('"tenant";q=40;w=4');
  expect(first?.headers.get('ratelimit')).toMatch(/^"tenant";r=0;t=\d+$/);
});

it('what was given too much is made up for: on the long run both together give what one would', async () => {
  const startedAt = performance.now();
  let answered = 0;
  while (performance.now() - startedAt < 4_000) answered += (await flood(20)).answered;
  const seconds = (performance.now() - startedAt) / 1000;
  // They owe a burst at most, and have one at most.
  expect(answered).toBeLessThanOrEqual(BURST + PER_SECOND * (seconds + TOLD_MS / 1000));
});

it('another tenant has all of its own meanwhile', async () => {
  const key = await supervisor.keyOfAnotherTenant();
  const flooding = flood();
  for (let place = 0; place < BURST / 2; place += 1) expect((await ask(place, key)).status).toBe(200);
  await flooding;
});

it('who waits as long as it is told is answered', async () => {
  const { refused } = await flood(BURST * 3);
  const seconds = Math.max(...refused.map(({ headers }) => Number(headers.get('retry-after'))));
  expect(seconds).toBeLessThanOrEqual(2 * (BURST / PER_SECOND) + 1);
  await eventually(200, async () => (await ask(0)).status, seconds * 1000 + 5_000);
});

it('the limits of a tenant can be set while the processes run, and lifted', async () => {
  await setLimits(supervisor.pool, { tenantId: TENANT, changes: { requestsPerMinute: null } }, META);
  await eventually(FLOOD, async () => (await flood()).answered, 30_000);
  expect((await ask(0)).headers.get('ratelimit')).toBeNull();
  await setLimits(supervisor.pool, { tenantId: TENANT, changes: { requestsPerMinute: undefined } }, META);
  await eventually(true, async () => (await ask(0)).headers.has('ratelimit') && (await ask(1)).headers.has('ratelimit'), 30_000);
});

it('while NATS is down each process gives out its share', async () => {
  const key = await supervisor.keyOfAnotherTenant();
  // Its bucket is full again after as many seconds as the answer says.
  await delay(1000 * Number(/t=(\d+)/.exec((await ask(0, key)).headers.get('ratelimit') ?? '')?.[1]));
  const noticed = supervisor.logs.next(({ reason }) => reason === 'nats_disconnected', apis.length);
  await supervisor.broker.kill();
  await noticed;
  const { answered, seconds } = await flood(FLOOD, key);
  expect(answered).toBeGreaterThanOrEqual(BURST / 2);
  expect(answered).toBeLessThanOrEqual(BURST + PER_SECOND * (seconds + 1));
});
