import type { AuditReadListView } from '@lib/store/views/audit-read.view';
import { forgetReads } from '@lib/store/log/read-trail';
import { createPool } from '@lib/store/postgres/pool';
import { ROUTE_SCOPES } from '../../src/access/route-scopes';
import { eventually } from '../messaging/eventually';
import { follow } from '../support/event-source';
import type { HttpClient } from '../system/support/http-client';
import { startSystem, type System } from '../system/support/system';

jest.setTimeout(120_000);

let system: System;
let client: HttpClient;
beforeAll(async () => {
  system = await startSystem({ environment: { CHECKPOINT_MS: '50', BASE_PATH: '/research/v1' } });
  client = system.client;
});
afterAll(() => system.stop());

const READS = '/v1/audit/reads';
const readsOf = async (by: HttpClient, query = '') => (await by.expect<AuditReadListView>(200, 'GET', `${READS}${query}`)).reads;
const keyIdOf = (by: HttpClient) => by.headers().authorization?.split('_')[2] ?? '';

it('records each request to a route for auditors once, with the key, what it asked for and the id that the log has', async () => {
  const by = client.withKey(await system.keyOf('reading.room'));
  const { threadId, id: jobId } = await by.research({ message: 'How?', providers: ['provider-a'] });
  const asked = [
    [`/v1/audit/jobs/${jobId}`, '/v1/audit/jobs/{jobId}', jobId],
    [`/v1/audit/jobs/${jobId}?version=2`, '/v1/audit/jobs/{jobId}', jobId],
    [`/v1/audit/events?threadId=${threadId}&type=a%20secret`, '/v1/audit/events', threadId],
    [`/v1/audit/events?limit=0`, '/v1/audit/events', null],
    [`/v1/audit/proofs/inclusion?streamId=${jobId}&version=1`, '/v1/audit/proofs/inclusion', jobId],
    ['/v1/audit/proofs/inclusion?streamId=ten_reading.room&version=1', '/v1/audit/proofs/inclusion', 'ten_reading.room'],
    [`/v1/audit/proofs/consistency?from=1`, '/v1/audit/proofs/consistency', null],
    [`/v1/audit/checkpoint`, '/v1/audit/checkpoint', null],
    [READS, READS, null],
  ] as const;
  for (const [path] of asked) await fetch(by.address + path, { headers: by.headers() });
  await by.send('GET', '/v1/me');
  await follow(`${by.address}/v1/audit/events`, { headers: by.headers(), until: () => true });
  const reads = (await readsOf(by)).reverse();
  const expected = [...asked, ['', '/v1/audit/events', null] as const, ['', READS, null] as const];
  expect(reads.map(({ route, resource }) => [route, resource])).toEqual(expected.map(([, route, resource]) => [route, resource]));
  for (const { keyId, address, readAt } of reads) {
    expect([keyId, address]).toEqual([keyIdOf(by), null]);
    expect(Math.abs(Date.parse(readAt) - Date.now())).toBeLessThan(100_000);
  }
  const logged = system.logged.map((line) => JSON.parse(line) as { requestId?: string; correlationId?: string });
  const known = new Set(logged.map(({ requestId, correlationId }) => correlationId ?? requestId));
  expect(reads.slice(0, asked.length).filter(({ requestId }) => !known.has(requestId))).toEqual([]);
  expect(JSON.stringify(reads)).not.toContain('secret');
});

it('covers every route that needs audit:read, whoever adds one', async () => {
  const by = client.withKey(await system.keyOf('covering'));
  const routes = Object.entries(ROUTE_SCOPES).flatMap(([route, scope]) =>
    scope === 'audit:read' ? [route.split(' ') as [string, string]] : [],
  );
  for (const [method, path] of routes) {
    const response = await fetch(
      by.address + path.replaceAll(/\{(\w{3})\w+\}/g, (_, name: string) => `${name === 'job' ? 'job' : 'thr'}_01jd6xw8k2e4zvq7h3m5n9p0rs`),
      { method, headers: by.headers() },
    );
    await response.body?.cancel();
  }
  const reads = await readsOf(by, '?limit=100');
  expect(new Set(reads.map(({ route }) => route))).toEqual(new Set(routes.map(([, path]) => path)));
});

it('is no event, and is told in pages, of one key if asked, to the tenant alone', async () => {
  const [mine, other] = [client.withKey(await system.keyOf('paging')), client.withKey(await system.keyOf('paging'))];
  const stranger = client.withKey(await system.keyOf('a-stranger'));
  for (const by of [mine, other, mine, stranger]) await fetch(`${by.address}/v1/audit/events`, { headers: by.headers() });
  const events = await system.query<{ count: string }>('select count(*) as count from event');
  const first = await mine.send<AuditReadListView>('GET', `${READS}?limit=2`);
  expect(first.body.limit).toBe(2);
  const [, next = ''] = /^<\/research\/v1([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  const second = await mine.send<AuditReadListView>('GET', next);
  expect([...first.body.reads, ...second.body.reads].map(({ keyId, route }) => [keyId, route])).toEqual([
    [keyIdOf(mine), READS],
    [keyIdOf(mine), '/v1/audit/events'],
    [keyIdOf(other), '/v1/audit/events'],
    [keyIdOf(mine), '/v1/audit/events'],
  ]);
  expect(next).toContain(`cursor=${first.body.nextCursor ?? ''}`);
  expect([second.headers.get('link'), second.body.nextCursor]).toEqual([null, null]);
  expect((await readsOf(mine, `?keyId=${keyIdOf(other)}`)).map(({ keyId }) => keyId)).toEqual([keyIdOf(other)]);
  expect((await readsOf(stranger)).filter(({ keyId }) => keyId !== keyIdOf(stranger))).toEqual([]);
  expect(await system.query('select count(*) as count from event')).toEqual(events);
});

it.each([
  ['limit=0', '/limit'],
  ['cursor=0', '/cursor'],
  ['cursor=1e3', '/cursor'],
  [`cursor=${'9'.repeat(16)}`, '/cursor'],
  ['keyId=', '/keyId'],
  ['keyId=%00', '/keyId'],
  ['from=2026-11-21', '/from'],
])('refuses %s', async (query, pointer) => {
  const { status, body } = await client.send<{ errors: object[] }>('GET', `${READS}?${query}`);
  expect([status, body.errors]).toMatchObject([400, [{ pointer }]]);
});

it('answers nothing that it cannot record', async () => {
  await system.query('alter table audit_read rename to away');
  const { status } = await client.send('GET', '/v1/audit/events');
  await system.query('alter table away rename to audit_read');
  expect(status).toBe(500);
  expect((await client.send('GET', '/v1/audit/events')).status).toBe(200);
});

it('says from where, if the deployment says whom it believes', async () => {
  const trusting = await startSystem({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  const given = ['203.0.113.7', '[2001:db8::7]:4711', '::ffff:198.51.100.9', 'a-secret-name', '1.2.3.4, 203.0.113.8'];
  for (const address of given)
    await fetch(`${trusting.client.address}/v1/audit/checkpoint`, {
      headers: { ...trusting.client.headers(), 'x-forwarded-for': address },
    });
  const reads = await readsOf(trusting.client);
  await trusting.stop();
  expect(reads.map(({ address }) => address)).toEqual(['127.0.0.1', '203.0.113.8', null, '198.51.100.9', '2001:db8::7', '203.0.113.7']);
});

it('is forgotten after as many days as the setting says', async () => {
  const by = client.withKey(await system.keyOf('forgetting'));
  for (let turn = 0; turn < 3; turn += 1) await readsOf(by);
  await system.query(`update audit_read set read_at = read_at - interval '30 days' where tenant_id = 'forgetting'`);
  const pool = createPool(system.env.DATABASE_URL ?? '', 1);
  expect(await forgetReads(pool, 31, 10)).toBe(0);
  expect([await forgetReads(pool, 29, 2), await forgetReads(pool, 29, 2)]).toEqual([2, 1]);
  await pool.end();
  expect(await readsOf(by)).toHaveLength(1);
  // A saga does so when it starts.
  await system.query(`update audit_read set read_at = read_at - interval '401 days' where tenant_id = 'forgetting'`);
  const saga = await startSystem({
    roles: ['all'],
    database: { url: system.env.DATABASE_URL ?? '', drop: async () => undefined },
    environment: same(),
  });
  const left = async () =>
    Number((await system.query<{ count: string }>(`select count(*) as count from audit_read where tenant_id = 'forgetting'`))[0]?.count);
  await eventually(0, left, 30_000);
  await saga.stop();
});

/** Of a second process on the same database. */
const same = () => ({ MASTER_KEY: system.env.MASTER_KEY?.toString('base64') ?? '' });
