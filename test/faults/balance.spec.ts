import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { balanceDifferences } from '@lib/store/balances/balance-differences';
import { BalanceTable } from '@lib/store/balances/balance-table';
import type { KillPoint } from '../../src/runtime/kill-point';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import { QUICK } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

/** The tenant of the first key, and what a job of the smallest budget holds. */
const TENANT = 'default';
const CAP_CENTS = 100;
/** What the provider bills. */
const COST_CENTS = 12;
const JOBS = 100;
const AT_ONCE = 1_000;
const PATIENCE_MS = 120_000;
/** No worker dies here, so no attempt may be lost, also where the machine is busy: a job of lost attempts fails, and costs nothing. */
const UNHURRIED = { LEASE_MS: '30000', HEARTBEAT_MS: '2000' };
const FINALS: KillPoint[] = ['final.before-commit', 'final.after-commit'];

describe('a balance, while processes die', () => {
  let supervisor: Supervisor;
  let balances: BalanceTable;
  let apis: RoleProcess[];

  beforeAll(async () => {
    supervisor = await Supervisor.start();
    balances = new BalanceTable(supervisor.pool);
    apis = await Promise.all([1, 2].map(() => supervisor.start('api', { BALANCE: 'required' })));
  });
  afterEach(async () => expect((await balanceDifferences(supervisor.pool)).differences).toEqual([]));
  afterAll(() => supervisor?.close());

  const topUp = (cents: number) => balances.change({ tenantId: TENANT, kind: 'top_up', cents, reference: randomUUID() });
  const balance = async () => {
    const { availableCents, reservedCents } = await balances.read(TENANT);
    return [availableCents, reservedCents];
  };

  /** Null if nobody answered, or the answer says that the same request may be sent again. */
  async function ask(address: string | null, key: string): Promise<Response | null> {
    const headers = { authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
    const body = JSON.stringify({ message: 'How?', budget: 'XXS', providers: [QUICK] });
    const response = await fetch(`${address ?? ''}/v1/threads`, { method: 'POST', headers, body }).catch(() => null);
    return response && ![409, 503].includes(response.status) ? response : null;
  }

  async function create(first: string | null, next: string | null): Promise<Response> {
    const key = randomUUID();
    const until = performance.now() + PATIENCE_MS;
    // Whoever asks again at once keeps a busy machine from answering anybody.
    for (let [address, pauseMs] = [first, 100]; performance.now() < until; [address, pauseMs] = [next, Math.min(2 * pauseMs, 5_000)]) {
      const response = await ask(address, key);
      if (response) return response;
      await delay(pauseMs * Math.random());
    }
    throw new Error(`nobody answered in ${PATIENCE_MS} ms`);
  }

  it('of 1,000 jobs that two processes are asked for at once, exactly as many are accepted as it covers', async () => {
    await topUp(JOBS * CAP_CENTS);
    const [one, other] = apis.map(({ address }) => address ?? null) as [string | null, string | null];
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, place) => (place % 2 ? create(one, other) : create(other, one))),
    );
    const statuses = Map.groupBy(responses, ({ status }) => status);
    expect([...statuses].map(([status, { length }]) => [status, length]).sort()).toEqual([
      [201, JOBS],
      [402, AT_ONCE - JOBS],
    ]);
    for (const refused of statuses.get(402) ?? []) {
      expect(await refused.json()).toMatchObject({ code: 'insufficient_balance', requiredCents: CAP_CENTS });
    }
    expect(await balance()).toEqual([0, JOBS * CAP_CENTS]);
  });

  it('every job is settled once, though synthesizers die before and after they commit the end', async () => {
    const [before] = await balance();
    await Promise.all([supervisor.start('saga', UNHURRIED), supervisor.start('worker', UNHURRIED)]);
    for (const point of FINALS) {
      expect(await supervisor.startDoomed('synthesizer', point).ended).toEqual({ code: null, signal: 'SIGKILL' });
    }
    await supervisor.start('synthesizer');
    await eventually(0, async () => (await balances.read(TENANT)).reservedCents, PATIENCE_MS);
    expect(await balance()).toEqual([(before ?? 0) + JOBS * (CAP_CENTS - COST_CENTS), 0]);
    const { transactions } = await balances.page(TENANT, null, AT_ONCE);
    expect(transactions.filter(({ kind }) => kind === 'settlement')).toHaveLength(JOBS);
  });

  it('a job that was created by a process that died before it said so has reserved once', async () => {
    await Promise.all([supervisor.the('saga').stop(), supervisor.the('worker').stop()]);
    const { balance: left } = await balances.change({ tenantId: TENANT, kind: 'adjustment', cents: -1, reference: randomUUID() });
    await balances.change({ tenantId: TENANT, kind: 'adjustment', cents: CAP_CENTS - left.availableCents, reference: randomUUID() });
    const doomed = supervisor.startDoomed('api', 'create.after-commit', { BALANCE: 'required' });
    await doomed.serving;
    const [lasting] = apis;
    const response = await create(doomed.address, lasting?.address ?? null);
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await doomed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await balance()).toEqual([0, CAP_CENTS]);
    expect((await create(lasting?.address ?? null, null)).status).toBe(402);
  });
});
