import { pino } from 'pino';
import { changeKey } from '@lib/store/access/api-keys';
import { holdings } from '@lib/memory/holdings';
import { createPool } from '@lib/store/postgres/pool';
import type { AuditEventListView, AuditEventView } from '@lib/store/views/audit-event.view';
import { LogFollowers, MAX_FOLLOWERS } from '../../src/audit/log-followers';
import { eventually } from '../messaging/eventually';
import { follow, type FollowOptions } from '../support/event-source';
import { createKey } from '../support/keys';
import { META } from '../support/store';
import type { HttpClient } from '../system/support/http-client';
import { startSystem, type System } from '../system/support/system';

jest.setTimeout(120_000);

let system: System;
let client: HttpClient;
beforeAll(async () => {
  system = await startSystem({ environment: { CHECKPOINT_MS: '50' } });
  client = system.client;
});
afterAll(() => system.stop());

const streamOf = (by: HttpClient, query = '', options: Partial<FollowOptions> = {}) =>
  follow(`${by.address}/v1/audit/events${query}`, { headers: by.headers(), ...options });

/** A tenant of its own with a finished job, and all of its events as the list tells them. */
async function tenantWithJob(tenantId: string) {
  const by = client.withKey(await system.keyOf(tenantId));
  const { threadId } = await by.research({ message: 'How?', providers: ['provider-a'] });
  return { by, threadId, events: await listed(by, 'JobCompleted') };
}
async function listed(by: HttpClient, until: string): Promise<AuditEventView[]> {
  const read = async () => (await by.send<AuditEventListView>('GET', '/v1/audit/events?limit=100')).body.events;
  await eventually(true, async () => (await read()).some(({ type }) => type === until), 30_000);
  return read();
}

it('a stream gives the events that the list gives, from its beginning or after an id or a cursor, and goes on', async () => {
  const { by, events } = await tenantWithJob('streaming');
  const { status, headers, ids, data } = await streamOf(by, '', { until: (seen) => seen.ids.length >= events.length });
  expect(data).toEqual(events);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream',
    'private, no-store, no-transform',
  ]);
  const rest = { until: (seen: { ids: string[] }) => seen.ids.length >= events.length - 5 };
  expect((await streamOf(by, '', { ...rest, lastEventId: ids[4] })).data).toEqual(events.slice(5));
  expect((await streamOf(by, `?cursor=${ids[4]}`, rest)).data).toEqual(events.slice(5));
  expect((await streamOf(by, `?cursor=${ids[0]}`, { ...rest, lastEventId: ids[4] })).data).toEqual(events.slice(5));
  const { body } = await by.send<AuditEventListView>('GET', `/v1/audit/events?limit=100&cursor=${ids[4]}`);
  expect(body.events).toEqual(events.slice(5));
  const coming = streamOf(by, '', { lastEventId: ids.at(-1), until: (seen) => seen.data.some(({ type }) => type === 'JobCompleted') });
  await by.research({ message: 'And now?', providers: ['provider-a'] });
  expect((await coming).data).toEqual((await listed(by, 'JobCompleted')).slice(events.length, events.length + (await coming).ids.length));
});

it('filters, and moves a client on over what does not fit', async () => {
  const { by, threadId, events } = await tenantWithJob('filtering');
  const completed = events.filter(({ type }) => type === 'JobCompleted');
  const { data, ids, text } = await streamOf(by, `?type=JobCompleted&threadId=${threadId}&actor=role%3Asynthesizer`, {
    until: (seen) => seen.ids.length > 0,
  });
  expect(data).toEqual(completed);
  expect(ids).toHaveLength(1);
  const none = await streamOf(by, '?type=JobRedriven', { until: (seen) => seen.text.includes('id: ') });
  const [, reached] = /\nid: (\S+)\n\n$/.exec(none.text) ?? [];
  expect(none.data).toEqual([]);
  expect(text).not.toBe('');
  const { body } = await by.send<AuditEventListView>('GET', `/v1/audit/events?cursor=${reached}`);
  expect(body.events.filter(({ index }) => index <= (events.at(-1)?.index ?? 0))).toEqual([]);
});

it.each([
  ['x', '', 400, 'invalid_request'],
  ['MTcuMDJj', '', 400, 'invalid_request'],
  ['\u00e9', '', 400, 'invalid_request'],
  [Buffer.from(`999999.${'0'.repeat(16)}`).toString('base64url'), '', 409, 'log_restored'],
  ['', '?cursor=x', 400, 'invalid_request'],
  ['', '?type=', 400, 'invalid_request'],
  ['', '?type=NothingOfThisName', 400, 'invalid_request'],
  ['', '?unknown=1', 400, 'invalid_request'],
])('is refused after %j with %j', async (lastEventId, query, status, code) => {
  const answer = await streamOf(client, query, { lastEventId });
  expect({ status: answer.status, code: (JSON.parse(answer.text) as { code: string }).code }).toEqual({ status, code });
});

it('a HEAD has its headers and ends; whoever hangs up is followed no longer', async () => {
  const headers = { ...client.headers(), accept: 'text/event-stream' };
  const head = await fetch(`${client.address}/v1/audit/events`, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/event-stream', '']);
  await streamOf(client, '', { until: () => true });
  await eventually(0, async () => holdings().find(({ name }) => name === 'followers of the log')?.items);
});

it('ends where the log that it followed was taken back by a restore', async () => {
  const { by, events } = await tenantWithJob('restored');
  const following = streamOf(by, '', {
    until: (seen) => {
      if (seen.ids.length === events.length) void system.query(`update log_entry set leaf_hash = sha256('') where tenant_id = 'restored'`);
      return false;
    },
  });
  await eventually(1, async () => holdings().find(({ name }) => name === 'followers of the log')?.items);
  await by.research({ message: 'After it', providers: ['provider-a'] });
  const { isEnded, ids } = await following;
  expect([isEnded, ids.length]).toEqual([true, events.length]);
  expect((await streamOf(by, '', { lastEventId: ids.at(-1) })).status).toBe(409);
});

it('ends once its key may no longer read for auditors, as it does with the key', async () => {
  const keys = { pool: createPool(system.env.DATABASE_URL ?? '', 1), pepper: system.env.API_KEY_PEPPER ?? '' };
  const token = await createKey(keys, 'narrowed', null);
  const following = streamOf(client.withKey(token));
  await eventually(1, async () => holdings().find(({ name }) => name === 'followers of the log')?.items);
  await changeKey(keys, token.slice(8, 20), { scopes: ['threads:read', 'threads:write'] }, META);
  await keys.pool.end();
  expect((await following).isEnded).toBe(true);
});

it('says so where there is no log', async () => {
  const without = await startSystem({ environment: { CHECKPOINT_MS: '0' } });
  const { status } = await streamOf(without.client);
  await without.stop();
  expect(status).toBe(409);
});

describe('those who follow', () => {
  const open = (findGrown: ConstructorParameters<typeof LogFollowers>[0]['findGrown'], ended: string[] = []) =>
    new LogFollowers({
      findGrown,
      findEnded: async () => ended.map((keyId) => [keyId, 'key_revoked'] as const),
      logger: pino({ level: 'silent' }),
    });
  const followed = (followers: LogFollowers, tenantId: string, keyId = 'key') => {
    const told: string[] = [];
    const look = async () => void told.push('look');
    return { told, turn: followers.follow({ tenantId, keyId, look, end: () => void told.push('end') }) };
  };

  it('leave places to other tenants, and all of them have a bound', async () => {
    const followers = open(async () => ({ size: 0, tenants: [] }));
    const own = Array.from({ length: MAX_FOLLOWERS / 2 }, () => followed(followers, 'mine').turn);
    expect(own).not.toContain(null);
    expect(followed(followers, 'mine').turn).toBeNull();
    const others = Array.from({ length: MAX_FOLLOWERS / 2 }, (_, place) => followed(followers, `other-${place}`).turn);
    expect(others).not.toContain(null);
    expect(followed(followers, 'one-more').turn).toBeNull();
    own[0]?.stop();
    expect(followed(followers, 'mine').turn).not.toBeNull();
    await followers.stop();
    expect(followed(followers, 'late').turn).toBeNull();
  });

  it('cost one statement together, and read only when their tenant has more; a look that failed comes again', async () => {
    let statements = 0;
    let size = 5;
    const followers = open(async (seen) => {
      statements += 1;
      if (statements === 3) throw new Error('the database is away');
      return { size, tenants: seen.filter((one) => one.tenantId === 'busy' && one.size < size).map(({ tenantId }) => tenantId) };
    });
    const all = ['busy', 'busy', 'quiet', 'quiet'].map((tenantId) => followed(followers, tenantId));
    all.forEach(({ turn }) => turn?.rest());
    await eventually('1,1,0,0', async () => all.map(({ told }) => told.length).join(), 20_000);
    size = 6;
    await eventually('2,2,0,0', async () => all.map(({ told }) => told.length).join(), 20_000);
    expect(statements).toBeLessThan(8);
    await followers.stop();
    expect(all.map(({ told }) => told.at(-1))).toEqual(['end', 'end', 'end', 'end']);
  });

  it('end with their key', async () => {
    const followers = open(async () => ({ size: 0, tenants: [] }), ['revoked']);
    const [revoked, other] = [followed(followers, 'mine', 'revoked'), followed(followers, 'mine')];
    await eventually('end', async () => revoked.told.join(), 30_000);
    expect(other.told).toEqual([]);
    await followers.stop();
  });
});
