import { randomUUID } from 'node:crypto';
import type { BalanceTransactionView, BalanceView } from '@lib/store/views/balance.view';
import type { UsageView } from '@lib/store/views/usage.view';
import { eventually } from '../messaging/eventually';
import { createDatabase, type TestDatabase } from '../servers/database';
import { research, type Ended } from '../system/support/command';
import type { HttpClient } from '../system/support/http-client';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

let database: TestDatabase;
let system: System;
beforeAll(async () => {
  database = await createDatabase();
  system = await startSystem({
    database,
    providers: { 'provider-a': { reserveCents: 50, costCents: 7 }, 'provider-e': { latencyMs: NEVER_MS, reserveCents: 10 } },
    environment: { BALANCE: 'required', MARKUP_PERCENT: '10' },
  });
});
afterAll(() => system.stop());

const balanceCommand = (...parameters: string[]): Promise<Ended> => research(['balance', ...parameters], { DATABASE_URL: database.url });
const changed = async (command: 'top-up' | 'adjust', tenant: string, cents: number, reference: string): Promise<string> => {
  const { code, stdout, stderr } = await balanceCommand(command, '--tenant', tenant, '--cents', String(cents), '--reference', reference);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const clientOf = async (tenant: string): Promise<HttpClient> => system.client.withKey(await system.keyOf(tenant));
const balanceOf = (client: HttpClient, query = '') => client.expect<BalanceView>(200, 'GET', `/v1/balance${query}`);

const QUICK = { message: 'How?', budget: 'XXS', providers: ['provider-a'] };
const ENDLESS = { ...QUICK, providers: ['provider-e'] };

describe('where a balance is required', () => {
  it('a tenant without one is refused with what there is and what is needed, and nothing of it is created', async () => {
    const client = await clientOf('poor');
    expect(await balanceOf(client)).toEqual({
      isRequired: true,
      balanceCents: 0,
      reservedCents: 0,
      transactions: null,
      nextCursor: null,
    });
    const answer = await client.send('POST', '/v1/threads', QUICK);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer).toMatchObject({
      status: 402,
      body: {
        type: 'urn:research-threads:problem:insufficient_balance',
        code: 'insufficient_balance',
        title: 'The balance does not cover the job',
        instance: '/v1/threads',
        balanceCents: 0,
        requiredCents: 100,
      },
    });
    expect(answer.body.detail).toBe(answer.body.error);
    expect(await client.expect(200, 'GET', '/v1/threads')).toMatchObject({ threads: [] });
  });

  it('a job holds its cap, costs what it shows as its cost, and all of it is listed', async () => {
    const client = await clientOf('acme');
    expect(await changed('top-up', 'acme', 250, 'invoice 1')).toBe(
      'Recorded invoice 1 of 250 cents. The balance of acme is 250 cents, and open jobs hold 0 beside that.\n',
    );
    const open = await client.createThread(ENDLESS);
    expect(await balanceOf(client)).toMatchObject({ balanceCents: 150, reservedCents: 100 });
    const { id, threadId, totalCustomerCostCents } = await client.research(QUICK);
    expect(totalCustomerCostCents).toBe(8);
    expect(await balanceOf(client)).toMatchObject({ balanceCents: 142, reservedCents: 100 });
    // A follow-on needs its own, and of the first one's thread: 500 for S.
    const path = `/v1/threads/${threadId}/jobs/${id}/pursue`;
    expect(await client.send('POST', path, { topic: 'And?', budget: 'S' })).toMatchObject({
      status: 402,
      body: { code: 'insufficient_balance', balanceCents: 142, requiredCents: 500 },
    });
    const pursued = await client.pursue(threadId, id, { topic: 'And?', budget: 'XXS', providers: ['provider-e'] });
    expect(await balanceOf(client)).toMatchObject({ balanceCents: 42, reservedCents: 200 });
    await client.expect(200, 'POST', `/v1/threads/${threadId}/jobs/${pursued.id}/cancel`);
    await client.expect(200, 'DELETE', `/v1/threads/${open.id}`);
    // The jobs of a deleted thread end beside the deletion.
    await eventually(0, async () => (await balanceOf(client)).reservedCents, 20_000);
    await changed('adjust', 'acme', -2, 'correction');
    const listed = await everything(client, 2);
    const kinds = listed.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['adjustment', ...Array(3).fill('reservation'), ...Array(3).fill('settlement'), 'top_up']);
    expect(listed.find(({ jobId, kind }) => jobId === id && kind === 'settlement')).toMatchObject({ amountCents: 92, costCents: 8 });
    expect(listed.find(({ kind }) => kind === 'adjustment')).toMatchObject({ amountCents: -2, reference: 'correction', jobId: null });
    expect(listed.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(240);
    expect(await balanceOf(client)).toMatchObject({ balanceCents: 240, reservedCents: 0 });
    const usage = await client.expect<UsageView>(200, 'GET', '/v1/usage');
    expect(usage.costCents).toBe(listed.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0));
  });

  it('a request with a key that was refused may be repeated, and reserves once', async () => {
    const client = await clientOf('again');
    const key = randomUUID();
    const ask = async () => {
      const headers = { ...client.headers(), 'content-type': 'application/json', 'idempotency-key': key };
      const response = await fetch(`${client.address}/v1/threads`, { method: 'POST', headers, body: JSON.stringify(ENDLESS) });
      return [response.status, response.headers.get('idempotent-replayed')];
    };
    expect(await ask()).toEqual([402, null]);
    await changed('top-up', 'again', 1000, 'r');
    expect(await ask()).toEqual([201, null]);
    expect(await ask()).toEqual([201, 'true']);
    expect(await balanceOf(client)).toMatchObject({ balanceCents: 900, reservedCents: 100 });
  });

  it.each([
    ['include_transactions=yes', '/include_transactions'],
    ['include_transactions=true&limit=0', '/limit'],
    ['cursor=nonsense', '/cursor'],
    [`cursor=${Buffer.from('job_01jd6xw8k2e4zvq7h3m5n9p0rs').toString('base64url')}`, '/cursor'],
    ['cursor=', '/cursor'],
    ['limit=1&limit=2', '/limit'],
  ])('?%s is refused', async (query, pointer) => {
    expect(await system.client.send('GET', `/v1/balance?${query}`)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

async function everything(client: HttpClient, limit: number): Promise<BalanceTransactionView[]> {
  const all: BalanceTransactionView[] = [];
  for (let cursor = ''; ;) {
    const { transactions, nextCursor } = await balanceOf(client, `?include_transactions=true&limit=${limit}${cursor}`);
    expect(transactions?.length).toBeLessThanOrEqual(limit);
    all.push(...(transactions ?? []));
    if (nextCursor === null) return all;
    cursor = `&cursor=${nextCursor}`;
  }
}

describe('where it is off', () => {
  it('jobs move nothing, what is held is settled all the same, and the balance can be read', async () => {
    const client = await clientOf('switching');
    await changed('top-up', 'switching', 100, 'r');
    const held = await client.createThread(ENDLESS);
    await system.services.get('all')?.stop();
    const off = await startSystem({
      database: { ...database, drop: async () => undefined },
      providers: { 'provider-e': { latencyMs: NEVER_MS } },
      environment: { MASTER_KEY: (system.env.MASTER_KEY as Buffer).toString('base64'), API_KEY_PEPPER: system.env.API_KEY_PEPPER ?? '' },
    });
    try {
      const same = off.client.withKey(await off.keyOf('switching'));
      expect(await balanceOf(same)).toMatchObject({ isRequired: false, balanceCents: 0, reservedCents: 100 });
      const free = await same.createThread(ENDLESS);
      await same.expect(200, 'POST', `/v1/threads/${free.id}/jobs/${free.job.id}/cancel`);
      expect(await balanceOf(same)).toMatchObject({ balanceCents: 0, reservedCents: 100 });
      await same.expect(200, 'POST', `/v1/threads/${held.id}/jobs/${held.job.id}/cancel`);
      expect(await balanceOf(same)).toMatchObject({ balanceCents: 100, reservedCents: 0 });
    } finally {
      await off.stop();
    }
  });
});

describe('research balance', () => {
  it('changes a balance once for each reference, and says why it does not', async () => {
    await system.keyOf('careful');
    await changed('top-up', 'careful', 300, 'a');
    expect(await changed('top-up', 'careful', 300, 'a')).toContain(
      'was recorded before: nothing is changed. The balance of careful is 300 cents',
    );
    const [other, less, unknown] = await Promise.all([
      balanceCommand('top-up', '--tenant', 'careful', '--cents', '301', '--reference', 'a'),
      balanceCommand('adjust', '--tenant', 'careful', '--cents', '-301', '--reference', 'b'),
      balanceCommand('top-up', '--tenant', 'carefull', '--cents', '1', '--reference', 'a'),
    ]);
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('The reference a of careful stands for another change')]);
    expect([less.code, less.stderr]).toEqual([3, expect.stringContaining('-301 cents would take more than there is')]);
    expect([unknown.code, unknown.stderr]).toEqual([0, 'No API key is of the tenant carefull: is this its name?\n']);
    expect(await balanceCommand('show', '--tenant', 'nobody')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The balance of nobody is 0 cents') as string,
      stderr: 'No API key is of the tenant nobody: is this its name?\n',
    });
    expect((await balanceCommand('show', '--tenant', 'careful')).stdout).toBe(
      'The balance of careful is 300 cents, and open jobs hold 0 beside that.\n',
    );
  });

  it.each([
    [['top-up', '--tenant', 'acme', '--cents', '-5', '--reference', 'x'], 'a whole number of cents from 1'],
    [['top-up', '--tenant', 'acme', '--cents', '1e3', '--reference', 'x'], 'a whole number of cents'],
    [['top-up', '--tenant', 'acme', '--cents', '1000000000001', '--reference', 'x'], 'to 1000000000000'],
    [['adjust', '--tenant', 'acme', '--cents', '-0', '--reference', 'x'], 'and not 0'],
    [['adjust', '--tenant', '-acme', '--cents', '5', '--reference', 'x'], 'must start with a letter or digit'],
    [['adjust', '--tenant', 'acme', '--cents', '5', '--reference', ' x'], 'no space at its ends'],
    [['adjust', '--tenant', 'acme', '--cents', '5'], "'--reference <reference>' not specified"],
  ])('%p is refused', async (parameters, remedy) => {
    const { code, stderr } = await balanceCommand(...parameters);
    expect([code, stderr]).toEqual([3, expect.stringContaining(remedy)]);
  });

  it('verify recomputes every balance, and names what was changed behind the events', async () => {
    const verified = async () => {
      const { code, stdout } = await balanceCommand('verify');
      return { code, lines: stdout.trimEnd().split('\n') };
    };
    const { lines, code } = await verified();
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^\d+ balances and 5 jobs that moved them recomputed, 0 differences\.$/)],
    });
    const [job] = await system.query<{ job_id: string }>(
      `select job_id from balance_transaction where tenant_id = 'acme' and kind = 'settlement' and cents = 92`,
    );
    const jobId = job?.job_id ?? '';
    await system.query(`update balance_transaction set cents = 93 where job_id = $1 and kind = 'settlement'`, [jobId]);
    await system.query(`update balance set available_cents = available_cents + 1 where tenant_id = 'careful'`);
    const { lines: found, code: failed } = await verified();
    expect(failed).toBe(1);
    expect(found).toContain(
      `settlement of ${jobId}, tenant acme: the history says {"cents":92,"reservedCents":-100}, stored is {"cents":93,"reservedCents":-100}`,
    );
    expect(found).toContain(
      'balance of careful: the history says {"reservedCents":0,"availableCents":300}, stored is {"reservedCents":0,"availableCents":301}',
    );
    // That of acme had counted the settlement before it was changed.
    expect(found.at(-1)).toMatch(/ 2 differences\.$/);
  });
});
