import { createHash } from 'node:crypto';
import { leafOf } from '@lib/audit/format/log-leaf';
import { canonicalJson } from '@lib/store/history/canonical-json';
import type { AuditEventListView, AuditEventView } from '@lib/store/views/audit-event.view';
import { eventually } from '../messaging/eventually';
import fc from '../support/properties';
import type { HttpClient } from '../system/support/http-client';
import { startSystem, type System } from '../system/support/system';

let system: System;
let client: HttpClient;
beforeAll(async () => {
  system = await startSystem({ environment: { CHECKPOINT_MS: '50' } });
  client = system.client;
});
afterAll(() => system.stop());

interface Page extends AuditEventListView {
  /** Of the header `Link`. */
  next: string | null;
}

async function page(by: HttpClient, query: string): Promise<Page> {
  const { status, body, headers, text } = await by.send<AuditEventListView>('GET', `/v1/audit/events?${query}`);
  if (status !== 200) throw new Error(text);
  return { ...body, next: /^<[^>]*\?([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null };
}

/** What a reader gets from a cursor on until there is no next page, and where it goes on later. */
async function follow(by: HttpClient, query: string, from: string | null = null) {
  const events: AuditEventView[] = [];
  let [cursor, next]: (string | null)[] = [from, from === null ? query : `${query}&cursor=${from}`];
  while (next !== null && next !== undefined) {
    const read: Page = await page(by, next);
    events.push(...read.events);
    [cursor, next] = [read.cursor, read.next];
  }
  return { events, cursor: cursor ?? null };
}

const names = (events: readonly { streamId: string; version: number }[]) => events.map(({ streamId, version }) => `${streamId} ${version}`);

/** Once the log has everything that was recorded: the events of a tenant in its order. */
async function logged(tenantId: string): Promise<string[]> {
  const count = async (text: string) => Number((await system.query<{ count: string }>(text))[0]?.count);
  await eventually(
    0,
    () =>
      count(
        `select count(*) as count from event where not exists (select from log_entry as e where e.stream_id = event.stream_id and e.version = event.version)`,
      ),
    20_000,
  );
  const rows = await system.query<{ streamId: string; version: number }>(
    `select stream_id as "streamId", version from event join log_entry using (stream_id, version) where event.tenant_id = $1 order by index`,
    [tenantId],
  );
  return names(rows);
}

it('tells everything of a tenant and nothing of another, in the order of the log, each event with what its hash was made of', async () => {
  const stranger = client.withKey(await system.keyOf('another'));
  await Promise.all([client.research({ message: 'A canary of mine' }), stranger.research({ message: 'Theirs' })]);
  for (const [by, tenantId] of [
    [client, 'default'],
    [stranger, 'another'],
  ] as const) {
    const expected = await logged(tenantId);
    const { events } = await follow(by, 'limit=7');
    expect(names(events)).toEqual(expected);
    expect(new Set(events.map(({ streamId }) => streamId.slice(0, 4)))).toEqual(new Set(['ten_', 'thr_', 'job_']));
    expect(JSON.stringify(events)).not.toContain('canary');
    for (const { hash, prevHash, sealedSha256, index, appendedAt, ...skeleton } of events) {
      const digest = createHash('sha256').update(Buffer.from(prevHash, 'hex')).update(canonicalJson(skeleton));
      expect(digest.update(Buffer.from(sealedSha256 ?? '', 'hex')).digest('hex')).toBe(hash);
      const { streamId, version } = skeleton;
      const leaf = leafOf({ streamId, version, appendedAt, hash: Buffer.from(hash, 'hex') });
      const [entry] = await system.query<{ leaf: Buffer }>('select leaf_hash as leaf from log_entry where index = $1', [index]);
      expect(entry?.leaf).toEqual(leaf);
    }
  }
});

it('gives each event exactly once and in order to whoever goes on while several write, whatever the pages', async () => {
  const tenants = await Promise.all(
    [0, 1].map(async (n) => ({ tenantId: `feed-${n}`, by: client.withKey(await system.keyOf(`feed-${n}`)) })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (limits, writes) => {
        const writing = { left: writes };
        const written = Promise.all(
          tenants.flatMap(({ by }) => Array.from({ length: writes }, () => by.research({ message: 'How?', providers: ['provider-a'] }))),
        ).finally(() => (writing.left = 0));
        const readers = tenants.map(async ({ tenantId, by }) => {
          const seen: AuditEventView[] = [];
          let cursor: string | null = null;
          let pages = 0;
          const read = async () => {
            const limit = limits[(pages += 1) % limits.length] ?? 1;
            const { events, cursor: reached } = await page(by, `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
            seen.push(...events);
            cursor = reached;
            return events.length;
          };
          while (writing.left > 0) await read();
          await written;
          const expected = await logged(tenantId);
          while ((await read()) > 0);
          expect(names(seen)).toEqual(expected);
          expect(seen.map(({ index }) => index)).toEqual(seen.map(({ index }) => index).sort((one, other) => one - other));
          return pages;
        });
        expect(Math.min(...(await Promise.all(readers)))).toBeGreaterThan(1);
      },
    ),
    { numRuns: 3 },
  );
});

it('filters by actor, type, time and thread, also all at once and with a cursor', async () => {
  const by = client.withKey(await system.keyOf('filtering'));
  const first = await by.research({ message: 'First', providers: ['provider-a'] });
  await by.research({ message: 'Second', providers: ['provider-a'] });
  await logged('filtering');
  const { events: all } = await follow(by, 'limit=100');
  const filtered = async (query: string) => names((await follow(by, `limit=3&${query}`)).events);
  const of = (fits: (event: AuditEventView) => boolean) => names(all.filter(fits));
  const streams = [first.threadId, first.id];
  expect(await filtered('type=JobCompleted')).toEqual(of(({ type }) => type === 'JobCompleted'));
  expect(of(({ type }) => type === 'JobCompleted')).toHaveLength(2);
  expect(await filtered('actor=role%3Asaga')).toEqual(of(({ meta }) => meta.actor === 'role:saga'));
  expect(await filtered(`threadId=${first.threadId}`)).toEqual(of(({ streamId }) => streams.includes(streamId)));
  const [from = '', to = ''] = [3, 12].map((at) => all[at]?.meta.occurredAt);
  const inTime = ({ meta }: AuditEventView) => meta.occurredAt >= from && meta.occurredAt < to;
  expect(await filtered(`from=${from}&to=${to}`)).toEqual(of(inTime));
  expect(await filtered(`threadId=${first.threadId}&from=${from}&to=${to}&actor=role:saga&type=StepStarted`)).toEqual(
    of((event) => inTime(event) && streams.includes(event.streamId) && event.meta.actor === 'role:saga' && event.type === 'StepStarted'),
  );
  expect((await page(by, 'limit=1000')).limit).toBe(100);
  const stranger = client.withKey(await system.keyOf('another'));
  expect((await follow(stranger, `threadId=${first.threadId}`)).events).toEqual([]);
});

it('still tells what happened to a deleted thread, and that it was deleted', async () => {
  const { threadId, id } = await client.research({ message: 'A canary that goes', providers: ['provider-a'] });
  await logged('default');
  const { events: before, cursor } = await follow(client, `threadId=${threadId}`);
  await client.expect(200, 'DELETE', `/v1/threads/${threadId}`);
  await eventually(true, async () => (await follow(client, `threadId=${threadId}&type=ContentErased`)).events.length > 0, 20_000);
  await logged('default');
  const { events: after } = await follow(client, `threadId=${threadId}&limit=5`);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(new Set(after.map(({ streamId }) => streamId))).toEqual(new Set([threadId, id]));
  expect((await follow(client, `threadId=${threadId}`, cursor)).events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['ThreadDeleted', 'ContentErased']),
  );
  expect(JSON.stringify(after)).not.toContain('canary');
});

it('refuses a cursor of a log that a restore took back, and says what to do', async () => {
  const { cursor, events } = await follow(client, 'limit=100');
  const [index = '', leaf = ''] = Buffer.from(cursor ?? '', 'base64url')
    .toString()
    .split('.');
  expect(Number(index)).toBeGreaterThanOrEqual(events.at(-1)?.index ?? Infinity);
  for (const lost of [`${Number(index) + 1_000_000}.${leaf}`, `${index}.${'0'.repeat(16)}`]) {
    const { status, body } = await client.send('GET', `/v1/audit/events?cursor=${Buffer.from(lost).toString('base64url')}`);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'log_restored' });
  }
});

it.each([
  ['limit=0', '/limit', 'invalid_integer'],
  ['limit=x', '/limit', 'invalid_integer'],
  ['cursor=', '/cursor', 'invalid_cursor'],
  ['cursor=MTcuMDJj', '/cursor', 'invalid_cursor'],
  [`cursor=${Buffer.from('-1.0123456789abcdef').toString('base64url')}`, '/cursor', 'invalid_cursor'],
  [`cursor=${Buffer.from('017.0123456789abcdef').toString('base64')}=`, '/cursor', 'invalid_cursor'],
  [`cursor=${'A'.repeat(60)}`, '/cursor', 'invalid_cursor'],
  ['cursor=a&cursor=b', '/cursor', 'repeated'],
  ['from=yesterday', '/from', 'invalid_time'],
  ['to=2026-02-30T00:00:00Z', '/to', 'invalid_time'],
  ['actor=', '/actor', 'invalid_text'],
  ['actor=%00', '/actor', 'invalid_text'],
  ['actor=%E2%80%8B', '/actor', 'invalid_text'],
  ['type=', '/type', 'not_allowed'],
  ['type=jobCompleted', '/type', 'not_allowed'],
  ['type=toString', '/type', 'not_allowed'],
  ['type=JobCompleted&type=JobFailed', '/type', 'repeated'],
  [`threadId=' or true--`, '/threadId', 'invalid_id'],
  ['tenantId=another', '/tenantId', 'unknown_parameter'],
])('refuses %s', async (query, pointer, code) => {
  const { status, body } = await client.send<{ errors: object[] }>('GET', `/v1/audit/events?${query}`);
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]),
  });
});

it('names the types that it knows where one is mistyped, which would be an empty feed', async () => {
  const { status, text } = await client.send('GET', '/v1/audit/events?type=JobComplete');
  expect(status).toBe(400);
  for (const type of ['JobCompleted', 'ThreadDeleted', 'KeyRevoked', 'SkeletonsRemoved']) expect(text).toContain(type);
  await page(client, 'type=SkeletonsRemoved');
});

it('takes times at the ends of what can be said for what they are', async () => {
  expect((await page(client, 'from=9999-12-31T23:59:59-23:59')).events).toEqual([]);
  expect((await page(client, 'to=0000-01-01T00:00:00%2B23:59')).events).toEqual([]);
  expect((await page(client, 'from=0000-01-01T00:00:00%2B23:59&to=9999-12-31T23:59:59-23:59&limit=2')).events).toHaveLength(2);
});

it('writes into the log of the process which key read it, and records no event of that', async () => {
  const before = await logged('default');
  await page(client, 'limit=1');
  const line = system.logged
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .findLast(({ route }) => route === '/v1/audit/events');
  expect(line).toMatchObject({ tenantId: 'default', status: 200, keyId: expect.stringMatching(/^\w+$/) });
  expect(await logged('default')).toEqual(before);
});

it('needs the scope, and says so where there is no log', async () => {
  expect((await client.withKey(null).send('GET', '/v1/audit/events')).status).toBe(401);
  const without = await startSystem({ environment: { CHECKPOINT_MS: '0' } });
  const { status, body } = await without.client.send('GET', '/v1/audit/events');
  await without.stop();
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'log_off' });
});
