import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';

import { MAX_MESSAGE_CODE_POINTS } from '@lib/domain/vocabulary';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { eventually } from '../messaging/eventually';
import type { RoleProcess } from '../support/role-process';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(240_000);

/** Part of the attack that stalled every tenant for 34 s and took 3.3 GB: messages as large as they may be, which no compression makes small. */
const MESSAGES = 400;
const CONTENT = Array.from({ length: MAX_MESSAGE_CODE_POINTS }, () => String.fromCodePoint(0x20000 + randomInt(0x8000))).join('');
const CONTENT_BYTES = MESSAGES * Buffer.byteLength(CONTENT);
const AT_ONCE = 8;
const PLACES_OF_TENANT = 64;
/** What a process may take for a long answer: garbage that was not collected yet, for the most part, of which a busy machine leaves 77 MB. */
const MAX_BYTES = 112 * 1024 * 1024;

let supervisor: Supervisor;
let api: RoleProcess;
let thread: ThreadCreatedView;
beforeAll(async () => {
  supervisor = await Supervisor.start();
  api = await supervisor.start('api');
  thread = (await (await post('/v1/threads', { message: 'How?', budget: 'XXS' })).json()) as ThreadCreatedView;
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
    const added = Array.from({ length: AT_ONCE }, () => post(`/v1/threads/${thread.id}/messages`, { message: CONTENT }));
    expect((await Promise.all(added)).map(({ status }) => status)).toEqual(added.map(() => 201));
  }
});
afterAll(() => supervisor?.close());

const headers = () => ({ authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json' });

const post = (path: string, body: object) =>
  fetch(`${api.address}${path}`, { method: 'POST', headers: headers(), body: JSON.stringify(body) });

/** A connection of its own, of which nothing is read until somebody does. */
const open = (path: string, more: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(`${api.address}${path}`, { headers: { ...headers(), ...more }, agent: false }, resolve).on('error', reject);
  });

const memory = (field: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1]) * 1024;

/** By how much the process grew at most while this went on. */
async function growthDuring(act: () => Promise<void>): Promise<number> {
  const before = memory('VmRSS');
  writeFileSync(`/proc/${api.pid}/clear_refs`, '5');
  await act();
  return memory('VmHWM') - before;
}

/** How long another client waits for its answers meanwhile: the longest of all, and all together. */
async function othersDuring(act: () => Promise<void>): Promise<{ longestMs: number; wholeMs: number }> {
  const startedAt = performance.now();
  let longestMs = 0;
  let isOver = false;
  const acting = act().finally(() => (isOver = true));
  while (!isOver) {
    const askedAt = performance.now();
    await (await fetch(`${api.address}/health/live`)).text();
    longestMs = Math.max(longestMs, performance.now() - askedAt);
  }
  await acting;
  return { longestMs, wholeMs: performance.now() - startedAt };
}

async function lengthOf(body: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  return bytes;
}

const PATHS: [string, (id: string) => string][] = [
  ['its detail', (id) => `/v1/threads/${id}`],
  ['its messages', (id) => `/v1/threads/${id}/messages`],
];

it.each(PATHS)('whoever reads %s of a long thread keeps nobody waiting, and the process small', async (_, pathOf) => {
  const read = async () => expect(await lengthOf(await open(pathOf(thread.id)))).toBeGreaterThan(CONTENT_BYTES);
  let longestShare = 1;
  const growth = await growthDuring(async () => {
    // A busy machine holds up one of three reads; a loop that is blocked holds up each.
    for (let reads = 0; reads < 3 && longestShare >= 1 / 4; reads += 1) {
      const { longestMs, wholeMs } = await othersDuring(read);
      longestShare = longestMs / wholeMs;
    }
  });
  // The longest was half of it all, and the process grew by 250 MB.
  expect(longestShare).toBeLessThan(1 / 4);
  expect(growth).toBeLessThan(MAX_BYTES);
});

it('compressed, the same answer comes in pieces too', async () => {
  let text = '';
  const growth = await growthDuring(async () => {
    const response = await open(`/v1/threads/${thread.id}/messages`, { 'accept-encoding': 'gzip' });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/-gzip"$/) as string });
    for await (const piece of response.pipe(createGunzip()).setEncoding('utf8')) text += piece as string;
  });
  const { messages } = JSON.parse(text) as { messages: { content: string }[] };
  expect([messages.length, messages.at(-1)?.content === CONTENT]).toEqual([MESSAGES + 1, true]);
  expect(growth).toBeLessThan(MAX_BYTES);
});

it('clients that take nothing hold little, and nothing once they have gone; a tenant has half of the places', async () => {
  const path = `/v1/threads/${thread.id}/messages`;
  let slow: IncomingMessage[] = [];
  const growth = await growthDuring(async () => {
    slow = await Promise.all(Array.from({ length: PLACES_OF_TENANT }, () => open(path)));
  });
  expect(slow.map(({ statusCode }) => statusCode)).toEqual(slow.map(() => 200));
  expect(growth).toBeLessThan(MAX_BYTES + PLACES_OF_TENANT * 512 * 1024);
  const refused = await open(`${path}?limit=100`);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  expect([refused.headers.etag, refused.headers.link]).toEqual([undefined, undefined]);
  refused.resume();
  const page = await open(`${path}?limit=1`);
  expect([page.statusCode, (await lengthOf(page)) > 0]).toEqual([200, true]);
  for (const response of slow) response.destroy();
  await eventually(200, async () => {
    const response = await open(path, { 'x-request-id': 'again' });
    response.destroy();
    return response.statusCode;
  });
});
