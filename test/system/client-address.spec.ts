import { createHmac, hkdfSync } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { eventually } from '../messaging/eventually';
import { verifyHistories } from '../../src/audit/verify-histories';
import { createPool } from '@lib/store/postgres/pool';
import { startSystem, type System } from './support/system';

jest.setTimeout(120_000);

const MINE = '203.0.113.77';
let system: System;
beforeAll(async () => {
  system = await startSystem({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => system.stop());

const headers = (address = MINE) => ({ ...system.client.headers(), 'content-type': 'application/json', 'x-forwarded-for': address });
const post = async (path: string, body: object, address?: string) =>
  (await (await fetch(system.client.address + path, { method: 'POST', headers: headers(address), body: JSON.stringify(body) })).json()) as {
    id: string;
    job: { id: string };
  };

interface Row {
  type: string;
  actor: string;
  digest: string | null;
}
const eventsOf = (streamId: string) =>
  system.query<Row>(
    `select type, meta ->> 'actor' as actor, facts ->> 'clientDigest' as digest from event where stream_id = $1 order by version`,
    [streamId],
  );

/** As docs/audit.md says it, from the master key and the thread's row. */
async function digestOf(threadId: string, address: string): Promise<string> {
  const [row] = await system.query<{ kek_id: string; wrapped: Buffer }>('select kek_id, wrapped from thread_key where thread_id = $1', [
    threadId,
  ]);
  if (!row || !system.env.MASTER_KEY) throw new Error('there is no key');
  const key = new KeyRing([system.env.MASTER_KEY]).unwrap(threadId, row.kek_id, row.wrapped);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'research-threads keyed digests', 32));
  return createHmac('sha256', derived).update(`client address\n${address}`).digest('hex');
}

/** Everything that the database holds. */
async function everything(): Promise<string> {
  const tables = await system.query<{ name: string }>(`select format('%I', relname) as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  const rows = await Promise.all(tables.map(({ name }) => system.query<{ row: string }>(`select t::text as row from ${name} as t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

it('of what a client asks for, a keyed digest of its address is recorded and never the address; what follows from it has none', async () => {
  const { id: threadId, job } = await post('/v1/threads', { message: 'How?', providers: ['provider-a'] });
  await system.client.finalJob(threadId, job.id);
  await post(`/v1/threads/${threadId}/messages`, { message: 'And?' }, '[2001:db8::77]:4711');
  const events = [...(await eventsOf(threadId)), ...(await eventsOf(job.id))];
  const [mine, other] = [await digestOf(threadId, MINE), await digestOf(threadId, '2001:db8::77')];
  expect(events.map(({ type, digest }) => [type, digest])).toEqual(
    events.map(({ type, actor }, place) => [type, actor.startsWith('key:') ? (type === 'MessageAdded' && place > 1 ? other : mine) : null]),
  );
  expect(new Set(events.map(({ digest }) => digest))).toEqual(new Set([mine, other, null]));
  const stored = await everything();
  expect(stored).toContain(mine);
  for (const address of [MINE, '2001:db8::77']) expect(stored).not.toContain(address);
  const pool = createPool(system.env.DATABASE_URL ?? '', 1);
  expect((await verifyHistories(pool, {}, () => undefined)).faults).toEqual([]);
  await pool.end();
});

it('the log of requests says the address, under the id that the events have', async () => {
  const { id: threadId } = await post('/v1/threads', { message: 'How?', providers: ['provider-a'] }, '198.51.100.3');
  const [event] = await system.query<{ correlation: string }>(
    `select meta ->> 'correlationId' as correlation from event where stream_id = $1 and version = 1`,
    [threadId],
  );
  const lines = () => system.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');
  const logged = async () => lines().find(({ requestId, correlationId }) => (correlationId ?? requestId) === event?.correlation)?.address;
  await eventually(true, async () => (await logged()) !== undefined);
  expect(await logged()).toBe('198.51.100.3');
});

it('after a DELETE nothing is left to make the digest with', async () => {
  const { id: threadId } = await post('/v1/threads', { message: 'How?', providers: ['provider-a'] });
  const before = await digestOf(threadId, MINE);
  await fetch(`${system.client.address}/v1/threads/${threadId}`, { method: 'DELETE', headers: headers() });
  await expect(digestOf(threadId, MINE)).rejects.toThrow('there is no key');
  expect((await eventsOf(threadId)).map(({ digest }) => digest)).toContain(before);
});

it('a tool that is called over MCP says from where it was called, whatever the call claims', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${system.client.address}/mcp`), {
      requestInit: { headers: { ...system.client.headers(), 'x-forwarded-for': MINE, 'x-caller-address': '192.0.2.66' } },
    }),
  );
  await client.callTool({ name: 'research', arguments: { question: 'By a tool?', providers: ['provider-a'] } });
  await client.close();
  const [thread] = await system.query<{ id: string }>('select id from thread order by created_at desc, id desc limit 1');
  const events = await eventsOf(thread?.id ?? '');
  expect(events.find(({ type }) => type === 'ThreadCreated')?.digest).toBe(await digestOf(thread?.id ?? '', MINE));
});

it('where the deployment trusts nobody, nothing is recorded', async () => {
  const plain = await startSystem();
  const { id } = await plain.client.createThread({ message: 'How?', providers: ['provider-a'] });
  const rows = await plain.query<{ facts: object }>('select facts from event where stream_id = $1', [id]);
  await plain.stop();
  expect(rows.filter(({ facts }) => 'clientDigest' in facts)).toEqual([]);
  expect(plain.logged.some((line) => 'address' in (JSON.parse(line) as object) && line.includes('"request"'))).toBe(false);
});
