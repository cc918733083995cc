import { setLimits } from '@lib/store/limits/tenant-limits';
import { limitKey } from '@lib/store/access/api-keys';
import { Tenants } from '@lib/store/tenants/tenants';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import { QUICK } from '../support/simulated-providers';
import { META } from '../support/store';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

const TENANT = 'default';
const MAX_OPEN = 100;
const AT_ONCE = 1_000;
const CAP_CENTS = 100;

let supervisor: Supervisor;
let apis: RoleProcess[];
beforeAll(async () => {
  supervisor = await Supervisor.start();
  apis = await Promise.all([1, 2].map(() => supervisor.start('api', { TENANT_LIMITS: `openJobs=${MAX_OPEN}` })));
});
afterAll(() => supervisor?.close());

const address = (place: number) => apis[place % apis.length]?.address ?? '';
const headers = (key = supervisor.apiKey) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

/** Repeated where the database was not reached in time. */
async function create(place: number, key = supervisor.apiKey, budget = 'XXS'): Promise<Response> {
  const body = JSON.stringify({ message: 'How?', budget, providers: [QUICK] });
  for (;;) {
    const response = await fetch(`${address(place)}/v1/threads`, {
      method: 'POST',
      headers: { ...headers(key), 'idempotency-key': `job-${place}` },
      body,
    });
    if (response.status !== 503 && response.status !== 409) return response;
    await response.text();
  }
}

const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code?: unknown }).code;

it('of 1,000 jobs that two processes are asked for at once, exactly as many are created as may be open', async () => {
  const responses = await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => create(place)));
  const statuses = Map.groupBy(responses, ({ status }) => status);
  expect([...statuses].map(([status, { length }]) => [status, length]).sort()).toEqual([
    [201, MAX_OPEN],
    [429, AT_ONCE - MAX_OPEN],
  ]);
  const [refused] = statuses.get(429) ?? [];
  expect([refused?.headers.get('retry-after'), refused && (await codeOf(refused))]).toEqual(['5', 'too_many_open_jobs']);
  const { rows } = await supervisor.pool.query('select from job');
  expect(rows).toHaveLength(MAX_OPEN);
});

it('the cents of a day are warned of and then refused until midnight, and the warning is an event of the tenant, once', async () => {
  const held = MAX_OPEN * CAP_CENTS;
  const changes = { openJobs: null, warningCents: held, dailyCents: held + 3 * CAP_CENTS };
  await setLimits(supervisor.pool, { tenantId: TENANT, changes }, META);
  let place = AT_ONCE;
  // Each process knows it within ten seconds.
  const warned: (string | null)[] = [];
  await eventually(
    'daily_limit',
    async () => {
      const response = await create((place += 1));
      if (response.status === 201) warned.push(response.headers.get('limit-warning'));
      else if (response.status === 429) {
        const code = await codeOf(response);
        if (code === 'daily_limit') expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
        return code;
      }
      return null;
    },
    30_000,
  );
  expect(warned).toEqual(
    [1, 2, 3].map((jobs) => `"daily-cents";used=${held + jobs * CAP_CENTS};warning=${held};limit=${held + 3 * CAP_CENTS}`),
  );
  const warnings = async () => {
    const { rows } = await supervisor.pool.query<{ facts: object }>(
      `select facts from event where stream_id = $1 and type = 'SpendingWarned'`,
      [`ten_${TENANT}`],
    );
    return rows.map(({ facts }) => facts);
  };
  await eventually(1, async () => (await warnings()).length);
  expect((await new Tenants(supervisor.pool).load(TENANT)).limits).toEqual([{ keyId: null, limits: changes }]);
});

// Each process knows it within ten seconds, and a slow machine takes its time.
it('the tenant sees its limits and what is left of them, from either process', async () => {
  const limits = async (place: number) =>
    ((await (await fetch(`${address(place)}/v1/me`, { headers: headers() })).json()) as { limits: Record<string, unknown> }).limits;
  for (const place of [0, 1]) {
    await eventually(10_300, async () => (await limits(place)).dailyCents, 30_000);
    expect(await limits(place)).toMatchObject({ openJobs: null, openJobsLeft: null, warningCents: 10_000, dailyCentsLeft: 0 });
  }
});

it('who reads is not refused', async () => {
  for (const place of [0, 1]) expect((await fetch(`${address(place)}/v1/threads`, { headers: headers() })).status).toBe(200);
});

it('of the jobs that one key asks two processes for, as many are created as that key may have, and its tenant’s other keys go on', async () => {
  const [limited, free] = [await supervisor.keyOfAnotherTenant(), await supervisor.keyOfAnotherTenant()];
  const keyId = limited.slice(8, 20);
  const store = { pool: supervisor.pool, pepper: supervisor.operator.API_KEY_PEPPER ?? '' };
  await limitKey(store, { tenantId: 'another', keyId, changes: { openJobs: 4, warningCents: CAP_CENTS, dailyCents: 1_000 } }, META);
  const tooLarge = await create(10_000, limited, 'M');
  expect([tooLarge.headers.get('retry-after'), await tooLarge.json()]).toEqual([
    null,
    expect.objectContaining({
      code: 'daily_limit',
      detail: `The key ${keyId}'s jobs may cost 1000 cents a day, and this one alone 1500: ask for a budget of at most 1000 cents.`,
    }),
  ]);
  const responses = await Promise.all(Array.from({ length: 40 }, (_, place) => create(20_000 + place, limited)));
  const created = responses.filter(({ status }) => status === 201);
  expect(created).toHaveLength(4);
  expect(created.map(({ headers: told }) => told.get('limit-warning')).sort()).toEqual([
    ...[2, 3, 4].map((jobs) => `"key-daily-cents";used=${jobs * CAP_CENTS};warning=${CAP_CENTS};limit=1000`),
    null,
  ]);
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(36);
  expect(await refused[0]?.json()).toMatchObject({
    code: 'too_many_open_jobs',
    detail: `The key ${keyId} has 4 open jobs, as many as it may have: wait until one of them ends, or cancel one.`,
  });
  expect((await create(30_000, free)).status).toBe(201);
  const me = async (key: string) =>
    ((await (await fetch(`${address(0)}/v1/me`, { headers: headers(key) })).json()) as { limits: Record<string, unknown> }).limits;
  expect(await me(limited)).toMatchObject({
    keyOpenJobs: 4,
    keyOpenJobsLeft: 0,
    keyWarningCents: 100,
    keyDailyCents: 1_000,
    keyDailyCentsLeft: 600,
  });
  expect(await me(free)).toMatchObject({ openJobs: MAX_OPEN, openJobsLeft: MAX_OPEN - 5, keyOpenJobs: null, keyDailyCentsLeft: null });
  await eventually(
    JSON.stringify([{ keyId, warningCents: CAP_CENTS }]),
    async () => {
      const text = `select facts ->> 'keyId' as "keyId", (facts -> 'warningCents')::int as "warningCents" from event
        where stream_id = 'ten_another' and type = 'SpendingWarned'`;
      return JSON.stringify((await supervisor.pool.query(text)).rows);
    },
    30_000,
  );
});
