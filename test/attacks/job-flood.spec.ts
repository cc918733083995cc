import { setLimits } from '@lib/store/limits/tenant-limits';
import { Tenants } from '@lib/store/tenants/tenants';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import { QUICK } from '../support/simulated-providers';
import { META } from '../support/store';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

const TENANT = 'default';
const MOST_OPEN = 100;
const AT_ONCE = 1_000;
const CAP_CENTS = 100;

let supervisor: Supervisor;
let apis: RoleProcess[];
beforeAll(async () => {
  supervisor = await Supervisor.start();
  apis = await Promise.all([1, 2].map(() => supervisor.start('api', { TENANT_LIMITS: `openJobs=${MOST_OPEN}` })));
});
afterAll(() => supervisor?.close());

const address = (place: number) => apis[place % apis.length]?.address ?? '';
const headers = () => ({ authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json' });

/** Repeated where the database was not reached in time. */
async function create(place: number): Promise<Response> {
  const body = JSON.stringify({ message: 'How?', budget: 'XXS', providers: [QUICK] });
  for (;;) {
    const response = await fetch(`${address(place)}/v1/threads`, {
      method: 'POST',
      headers: { ...headers(), 'idempotency-key': `job-${place}` },
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
    [201, MOST_OPEN],
    [429, AT_ONCE - MOST_OPEN],
  ]);
  const [refused] = statuses.get(429) ?? [];
  expect([refused?.headers.get('retry-after'), refused && (await codeOf(refused))]).toEqual(['5', 'too_many_open_jobs']);
  const { rows } = await supervisor.pool.query('select from job');
  expect(rows).toHaveLength(MOST_OPEN);
});

it('the cents of a day are warned of and then refused until midnight, and the warning is an event of the tenant, once', async () => {
  const held = MOST_OPEN * CAP_CENTS;
  const changes = { openJobs: null, warningCents: held, dailyCents: held + 3 * CAP_CENTS };
  await setLimits(supervisor.pool, { tenantId: TENANT, keyId: null, changes }, META);
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

it('the tenant sees its limits and what is left of them', async () => {
  const me = (await (await fetch(`${address(0)}/v1/me`, { headers: headers() })).json()) as { limits: object };
  expect(me.limits).toMatchObject({ openJobs: null, openJobsLeft: null, warningCents: 10_000, dailyCents: 10_300, dailyCentsLeft: 0 });
});

it('who reads is not refused', async () => {
  for (const place of [0, 1]) expect((await fetch(`${address(place)}/v1/threads`, { headers: headers() })).status).toBe(200);
});
