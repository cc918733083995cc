import { createKey } from '../support/keys';
import { createPool } from '@lib/store/postgres/pool';
import type { MeView, ProviderListView } from '@lib/store/views/account.view';
import type { UsageView } from '@lib/store/views/usage.view';
import { eventually } from '../messaging/eventually';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

const DOWN = { failureRate: 1, failureClass: 'unavailable' } as const;

const UNLIMITED = {
  ...{ requestsPerMinute: null, keyRequestsPerMinute: null, openJobs: null, openJobsLeft: null },
  ...{ warningCents: null, dailyCents: null, dailyCentsLeft: null },
  ...{ keyOpenJobs: null, keyOpenJobsLeft: null, keyWarningCents: null, keyDailyCents: null, keyDailyCentsLeft: null },
};

let system: System;
beforeAll(async () => {
  system = await startSystem({
    providers: {
      'provider-a': { reserveCents: 50, costCents: 7 },
      'provider-c': { reserveCents: 90, costCents: 5 },
      'provider-e': { latencyMs: NEVER_MS },
      'provider-b': { failureRate: 1, failureClass: 'auth' },
      'provider-d': DOWN,
    },
    environment: { MARKUP_PERCENT: '10' },
  });
});
afterAll(() => system.stop());

const get = <Body>(path: string, client = system.client) => client.expect<Body>(200, 'GET', path);

describe('GET /v1/me', () => {
  it('says whose key it is, how it is named and what the service accepts', async () => {
    const pool = createPool(system.env.DATABASE_URL ?? '', 1);
    const key = await createKey({ pool, pepper: system.env.API_KEY_PEPPER ?? '' }, 'acme', 'production').finally(() => pool.end());
    const client = system.client.withKey(key);
    const me = await get<MeView>('/v1/me', client);
    expect(me).toEqual({
      tenantId: 'acme',
      key: { id: key.slice(8, 20), name: 'production', createdAt: expect.stringMatching(/^20\d\d-.*Z$/), expiresAt: null },
      scopes: ['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read'],
      limits: { bodyBytes: 1_048_576, messageCodePoints: 32_000, pageEntries: 100, providers: 8, ...UNLIMITED },
    });
    expect(JSON.stringify(me)).not.toContain(key.slice(21));
    // The limits are those that hold.
    expect(await client.send('POST', '/v1/threads', { message: 'x'.repeat(me.limits.messageCodePoints + 1) })).toMatchObject({
      status: 400,
    });
  });
});

describe('GET /v1/providers', () => {
  it('lists who can be asked under which names for how much, and whom each tier asks', async () => {
    const { providers, tiers } = await get<ProviderListView>('/v1/providers');
    expect(providers).toHaveLength(8);
    expect(providers[0]).toEqual({
      id: 'provider-a',
      aliases: ['perplexity'],
      adapter: 'simulated',
      model: null,
      priceDate: null,
      minReserveCents: 55,
      maxReserveCents: 55,
      typicalSeconds: { fast: expect.any(Number), methodical: expect.any(Number) },
      isUsable: true,
      retryAfterSeconds: null,
    });
    const created = await system.client.createThread({ message: 'Whom does it ask?', budget: 'M' });
    const detail = await get<{ budgetCapCents: number; steps: { provider: string }[] }>(`/v1/jobs/${created.job.id}?include_steps=true`);
    expect(tiers.find(({ budgetTier }) => budgetTier === 'M')).toMatchObject({
      capCents: detail.budgetCapCents,
      defaultProviders: { fast: detail.steps.map(({ provider }) => provider) },
    });
    expect(tiers.map(({ budgetTier }) => budgetTier)).toEqual(['XXS', 'XS', 'S', 'M', 'L', 'XL']);
    await system.client.expect(200, 'DELETE', `/v1/threads/${created.id}`);
  });

  it('says when a provider is down, and for how long it is left alone', async () => {
    const usable = async () => (await get<ProviderListView>('/v1/providers')).providers.find(({ id }) => id === 'provider-d');
    expect(await usable()).toMatchObject({ isUsable: true, retryAfterSeconds: null });
    const threads = await Promise.all(
      Array.from({ length: 6 }, (_, n) => system.client.createThread({ message: `Question ${n}`, providers: ['provider-d'] })),
    );
    await eventually(false, async () => (await usable())?.isUsable, 20_000);
    const down = await usable();
    expect(down?.retryAfterSeconds).toBeGreaterThanOrEqual(0);
    expect(down?.retryAfterSeconds).toBeLessThanOrEqual(30);
    await Promise.all(threads.map(({ id }) => system.client.expect(200, 'DELETE', `/v1/threads/${id}`)));
  });
});

describe('GET /v1/usage', () => {
  it('sums up what jobs cost, by tier, day and provider, and agrees with the jobs themselves', async () => {
    const client = system.client.withKey(await system.keyOf('spender'));
    const jobs = [];
    for (const [budget, providers] of [
      ['S', ['provider-a', 'provider-c']],
      ['S', ['provider-a', 'provider-b']],
      ['XL', ['provider-c']],
    ] as const)
      jobs.push(await client.research({ message: 'What does it cost?', budget, providers }));
    const open = await client.createThread({ message: 'What will it cost?', budget: 'M', providers: ['provider-e', 'provider-a'] });
    const usage = await get<UsageView>('/v1/usage?period=7d', client);

    const costs = jobs.map(({ totalCustomerCostCents }) => totalCustomerCostCents);
    // 7 and 5 cents with ten percent on them, rounded up once for each job.
    expect(costs).toEqual([14, 8, 6]);
    const total = { jobs: 4, costCents: 28 };
    expect(usage).toMatchObject({ period: '7d', isCut: false, ...total });
    expect(Date.now() - Date.parse(usage.from ?? '')).toBeGreaterThanOrEqual(7 * 86_400_000 - 60_000);
    expect(usage.byTier).toEqual([
      { budgetTier: 'S', jobs: 2, costCents: 22 },
      { budgetTier: 'M', jobs: 1, costCents: 0 },
      { budgetTier: 'XL', jobs: 1, costCents: 6 },
    ]);
    expect(
      usage.byDay.reduce((sum, { jobs: count, costCents }) => ({ jobs: sum.jobs + count, costCents: sum.costCents + costCents }), {
        jobs: 0,
        costCents: 0,
      }),
    ).toEqual(total);
    expect(usage.byDay.map(({ day }) => day)).toEqual([...new Set(jobs.map(({ createdAt }) => createdAt.slice(0, 10)))].sort().reverse());
    expect(usage.byProvider.map(({ provider, steps, completedSteps, costCents }) => [provider, steps, completedSteps, costCents])).toEqual([
      ['provider-a', 3, expect.any(Number), 16],
      ['provider-b', 1, 0, 0],
      ['provider-c', 2, 2, 11],
      ['provider-e', 1, 0, 0],
    ]);
    expect(usage.recentJobs.map(({ id }) => id)).toEqual([open.job.id, ...jobs.map(({ id }) => id).reverse()]);

    await client.expect(200, 'DELETE', `/v1/threads/${jobs[2]?.threadId ?? ''}`);
    await eventually(22, async () => (await get<UsageView>('/v1/usage', client)).costCents, 20_000);
    expect(await get<UsageView>('/v1/usage?period=all', client)).toMatchObject({ period: 'all', from: null, jobs: 3, costCents: 22 });
  });

  it('counts a period’s jobs alone, and nothing of another tenant', async () => {
    const client = system.client.withKey(await system.keyOf('old-customer'));
    const [old, recent] = [
      await client.research({ message: 'Long ago', providers: ['provider-a'] }),
      await client.research({ message: 'Just now', providers: ['provider-a'] }),
    ];
    await system.query(`update job set created_at = created_at - interval '40 days' where id = $1`, [old.id]);
    const countOf = async (period: string) => (await get<UsageView>(`/v1/usage?period=${period}`, client)).jobs;
    expect([await countOf('7d'), await countOf('30d'), await countOf('90d'), await countOf('all')]).toEqual([1, 1, 2, 2]);
    expect((await get<UsageView>('/v1/usage?period=30d', client)).recentJobs.map(({ id }) => id)).toEqual([recent.id]);

    const requestOf = (headers: Record<string, string> = {}) =>
      fetch(`${client.address}/v1/usage?period=7d`, { headers: { ...client.headers(), ...headers } });
    // The period begins with a minute, which may end in between.
    await eventually(304, async () => {
      const tag = (await requestOf()).headers.get('etag') ?? '';
      return (await requestOf({ 'if-none-match': tag })).status;
    });

    const stranger = system.client.withKey(await system.keyOf('stranger'));
    expect(await get<UsageView>('/v1/usage', stranger)).toMatchObject({
      jobs: 0,
      costCents: 0,
      byTier: [],
      byDay: [],
      byProvider: [],
      recentJobs: [],
    });
  });
});
