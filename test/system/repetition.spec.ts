import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import fc from '../support/properties';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS }, 'provider-c': { reserveCents: 300 } } });
});
afterAll(() => system.stop());

interface Sent {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & ThreadCreatedView;
}

async function send(method: string, path: string, key: string | null, body?: unknown, client = system.client): Promise<Sent> {
  const headers = {
    ...client.headers(),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { 'idempotency-key': key }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(client.address + path, { method, headers, ...(body === undefined ? {} : { body: text }) });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) as Sent['body'] };
}

const isReplayed = ({ headers }: Sent) => headers.get('idempotent-replayed') === 'true';
const create = (key: string | null, message = 'How?') => send('POST', '/v1/threads', key, { message, providers: ['provider-d'] });
const count = async (type: string, streamId: string | null = null): Promise<number> => {
  const text = 'select count(*)::int as count from event where type = $1 and stream_id = coalesce($2, stream_id)';
  return (await system.query<{ count: number }>(text, [type, streamId]))[0]?.count ?? 0;
};

const ROUTES = ['create', 'message', 'pursue', 'cancel', 'delete'] as const;

interface Asked {
  request: [method: string, path: string, body: unknown];
  /** What it leaves in the history, and of which stream; null: of a new one. */
  effect: [type: string, streamId: string | null];
  status: number;
}

/** A request of the route, on a thread of its own. */
async function requestOf(route: (typeof ROUTES)[number], text: string): Promise<Asked> {
  const research = { budget: 'L', mode: 'methodical', spidering: true };
  if (route === 'create')
    return { request: ['POST', '/v1/threads', { message: text, ...research }], effect: ['ThreadCreated', null], status: 201 };
  const { body } = await create(null);
  const thread = `/v1/threads/${body.id}`;
  const job = `${thread}/jobs/${body.job.id}`;
  const requests: Record<Exclude<typeof route, 'create'>, Asked> = {
    message: { request: ['POST', `${thread}/messages`, { message: text }], effect: ['MessageAdded', body.id], status: 201 },
    pursue: { request: ['POST', `${job}/pursue`, { topic: text, ...research }], effect: ['JobAdded', body.id], status: 201 },
    cancel: { request: ['POST', `${job}/cancel`, undefined], effect: ['JobCancelled', body.job.id], status: 200 },
    delete: { request: ['DELETE', thread, undefined], effect: ['ThreadDeleted', body.id], status: 200 },
  };
  return requests[route];
}

it('a request with a key is done once on every route, and each repetition gets the first answer', async () => {
  const routes = fc.constantFrom(...ROUTES);
  const keys = fc.string({ minLength: 1, maxLength: 255, unit: 'grapheme-ascii' }).filter((key) => key.trim() === key);
  const texts = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }).filter((text) => /\S/.test(text) && !text.includes('\0'));
  await fc.assert(
    fc.asyncProperty(routes, keys, texts, fc.integer({ min: 1, max: 8 }), async (route, key, text, others) => {
      const unique = key.slice(0, 200) + randomUUID();
      const { request, effect, status } = await requestOf(route, text);
      const [method, path, body] = request;
      const before = await count(...effect);
      const answers = await Promise.all(Array.from({ length: 1 + others }, () => send(method, path, unique, body)));
      answers.push(await send(method, path, unique, body));
      const [first] = answers as [Sent];
      expect(first.status).toBe(status);
      expect(new Set(answers.map(({ status, text: answer, headers }) => `${status} ${headers.get('location')} ${answer}`)).size).toBe(1);
      expect(answers.filter(isReplayed)).toHaveLength(others + 1);
      expect(await count(...effect)).toBe(before + 1);
    }),
    { numRuns: 40 },
  );
}, 120_000);

it('shows the job as it was at first, whatever became of it', async () => {
  const key = randomUUID();
  const first = await send('POST', '/v1/threads', key, { message: 'q', providers: ['provider-a'] });
  await system.client.finalJob(first.body.id, first.body.job.id);
  const again = await send('POST', '/v1/threads', key, { message: 'q', providers: ['provider-a'] });
  expect(again.text).toBe(first.text);
  expect(again.body.job.status).toBe('pending');
});

it('another body with the same key is refused; spaces and the order of properties make no other body', async () => {
  const key = randomUUID();
  const first = await send('POST', '/v1/threads', key, '{"message":"q","budget":"S"}');
  const same = await send('POST', '/v1/threads', key, ' {"budget" : "S",\n"message":"q"} ');
  expect([first.status, same.status, isReplayed(same), same.text]).toEqual([201, 201, true, first.text]);
  const other = await send('POST', '/v1/threads', key, { message: 'q', budget: 'XS' });
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect(isReplayed(other)).toBe(false);
});

it('a key is of one tenant, one route and one thread', async () => {
  const key = randomUUID();
  const stranger = system.client.withKey(await system.keyOf('stranger'));
  const mine = await create(key);
  const theirs = await send('POST', '/v1/threads', key, { message: 'How?', providers: ['provider-d'] }, stranger);
  const other = await create(null);
  const messages = await Promise.all(
    [mine, other].map(({ body }) => send('POST', `/v1/threads/${body.id}/messages`, key, { message: 'm' })),
  );
  expect([theirs, ...messages].map((answer) => [answer.status, isReplayed(answer)])).toEqual([
    [201, false],
    [201, false],
    [201, false],
  ]);
  expect(theirs.body.id).not.toBe(mine.body.id);
});

it('what was refused is not kept', async () => {
  const key = randomUUID();
  const tooSmall = { message: 'q', budget: 'XXS', providers: ['provider-c'] };
  expect((await send('POST', '/v1/threads', key, tooSmall)).body.code).toBe('budget_too_small');
  expect((await send('POST', '/v1/threads', key, { message: ' ' })).status).toBe(400);
  const accepted = await send('POST', '/v1/threads', key, { ...tooSmall, budget: 'L' });
  expect([accepted.status, isReplayed(accepted)]).toEqual([201, false]);
});

it('after its thread was deleted a repetition finds nothing, starts nothing and shows no content; the deletion itself may be repeated', async () => {
  const [key, other] = [randomUUID(), randomUUID()];
  const first = await create(key);
  const thread = `/v1/threads/${first.body.id}`;
  const pursue = `${thread}/jobs/${first.body.job.id}/pursue`;
  const topic = { topic: 't', providers: ['provider-d'] };
  expect((await send('POST', pursue, key, topic)).status).toBe(201);
  expect((await send('POST', `${thread}/messages`, key, { message: 'm' })).status).toBe(201);
  const deleted = [await send('DELETE', thread, key), await send('DELETE', thread, key)];
  expect(deleted.map(({ status, text }) => [status, text])).toEqual([
    [200, '{"deleted":true}'],
    [200, '{"deleted":true}'],
  ]);
  expect(deleted.map(isReplayed)).toEqual([false, true]);
  const jobs = await count('JobRequested');
  const repeated = [
    await create(key),
    await send('POST', pursue, key, topic),
    await send('POST', `${thread}/messages`, key, { message: 'm' }),
    await send('DELETE', thread, other),
  ];
  expect(repeated.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([404, 'thread_not_found']));
  expect(await count('JobRequested')).toBe(jobs);
});

it('after 24 hours the key is free again', async () => {
  const key = randomUUID();
  const first = await create(key);
  const [row] = await system.query<{ hours: number }>(`
    select round(extract(epoch from max(expires_at) - now()) / 3600)::int as hours from keyed_request`);
  expect(row?.hours).toBe(24);
  await system.query(`update keyed_request set expires_at = expires_at - interval '24 hours'`);
  const later = await create(key);
  expect([later.status, isReplayed(later)]).toEqual([201, false]);
  expect(later.body.id).not.toBe(first.body.id);
  expect((await create(key)).text).toBe(later.text);
});

it('the same request that another process has not ended is waited for, and then said to be under way', async () => {
  const key = randomUUID();
  const first = await create(key);
  // What the other process holds, as if its commit took long.
  const [row] = await system.query<{ digest: Buffer }>('delete from keyed_request where stream_id = $1 returning digest', [
    first.body.job.id,
  ]);
  const holder = new Client({ connectionString: system.env.DATABASE_URL });
  await holder.connect();
  await holder.query('select pg_advisory_lock($1::int8)', [row?.digest.readBigInt64BE().toString()]);
  const jobs = await count('JobRequested');
  const refused = await create(key);
  expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await count('JobRequested')).toBe(jobs);

  const waiting = create(key);
  await sleep(200);
  await holder.end();
  const answer = await waiting;
  expect([answer.status, await count('JobRequested')]).toEqual([201, jobs + 1]);
}, 30_000);

describe('a key that is none', () => {
  it.each<[string, string[], string]>([
    ['empty', [''], 'is empty'],
    ['of spaces', ['   '], 'is empty'],
    ['of 256 characters', ['k'.repeat(256)], 'has 256 characters'],
    ['with a tab', ['a\tb'], 'has a character that is not printable ASCII'],
    ['with a letter beyond ASCII', ['clé'], 'has a character that is not printable ASCII'],
    ['given twice', ['one', 'one'], 'is given 2 times'],
  ])('is refused: %s', async (_, keys, found) => {
    for (const [method, path] of [
      ['POST', '/v1/threads'],
      ['DELETE', `/v1/threads/${(await create(null)).body.id}`],
    ] as const) {
      const before = await count('ThreadDeleted');
      const asked = httpRequest(system.client.address + path, {
        method,
        headers: { ...system.client.headers(), 'content-type': 'application/json', 'Idempotency-Key': keys },
      });
      asked.end(method === 'POST' ? '{"message":"q"}' : undefined);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const body = (await json(response)) as object;
      const message = `Idempotency-Key ${found}: send it once, with 1 to 255 printable characters of ASCII.`;
      expect([response.statusCode, body]).toMatchObject([
        400,
        { code: 'invalid_request', errors: [{ pointer: '/Idempotency-Key', message }] },
      ]);
      expect(await count('ThreadDeleted')).toBe(before);
    }
  });

  it('255 printable characters are one', async () => {
    const key = Array.from({ length: 255 }, (_, place) => String.fromCharCode(0x21 + (place % 94))).join('');
    const [first, again] = [await create(key), await create(key)];
    expect([first.status, again.text, isReplayed(again)]).toEqual([201, first.text, true]);
  });
});

it('neither keys nor bodies can be read in what is recorded', async () => {
  const rows = await system.query<{ row: string; sizes: string }>(
    "select keyed_request::text as row, length(digest) || '/' || length(body_digest) as sizes from keyed_request",
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { row, sizes } of rows) {
    expect(sizes).toBe('32/32');
    expect(row).toMatch(/^\("\\\\x[0-9a-f]{64}","\\\\x[0-9a-f]{64}",(thr|job)_[0-9a-z]{26},\d+,"[^"]*"\)$/);
  }
});
