import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { holdings } from '@lib/memory/holdings';
import { eventually } from '../messaging/eventually';
import { startApi, type TestApi } from './support/api';

/** What only a real connection shows: bodies that arrive in pieces, clients that keep sending, bytes that are no HTTP. */
let api: TestApi;
let address: URL;

beforeEach(async () => {
  api = await startApi();
  await api.app.listen(0, '127.0.0.1');
  address = new URL('/v1/threads', await api.app.getUrl());
});

afterEach(async () => {
  await api.app.close();
});

const headers = (key = api.key) => ({ 'content-type': 'application/json', authorization: `Bearer ${key}` });

/** A chunked body so far along that it counts with the largest that is allowed. */
const LONG = `${' '.repeat(64 * 1024)}{"message":"`;

/** Of a body that may become as long as any one tenant has room for eight, and all of them for sixteen. */
function begin(count: number, key = api.key, start = LONG) {
  return Array.from({ length: count }, () => {
    const sending = request(address, { method: 'POST', headers: headers(key) });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    sending.write(start);
    return { sending, answered };
  });
}
const held = () => holdings().find(({ name }) => name === 'request bodies');
const holding = async () => held()?.items ?? 0;
const heldBytes = async () => held()?.bytes ?? 0;
const send = (key = api.key) => fetch(address, { method: 'POST', headers: headers(key), body: '{"message":"Is there room?"}' });

/** A client in a process of its own, so that it sends while the server answers. Prints the distinct statuses or error codes. */
const SENDER = `
  const [url, authorization, chunked] = process.argv.slice(1);
  const text = JSON.stringify({ message: 'a'.repeat(2 * 1024 * 1024) });
  const stream = () => new Blob([text]).stream();
  const seen = new Set();
  for (let round = 0; round < 25; round += 1) {
    const body = chunked ? stream() : text;
    const headers = { 'content-type': 'application/json', authorization };
    try {
      const response = await fetch(url, { method: 'POST', body, headers, duplex: 'half' });
      seen.add(response.status + ' ' + (await response.json()).code);
    } catch (error) {
      seen.add(String(error.cause?.code ?? error));
    }
  }
  console.log([...seen].join());`;

it.each(['', 'chunked'])('answers a client that is still sending 2 MB %s', async (chunked) => {
  const send = async (authorization: string) => {
    const parameters = ['--input-type=module', '-e', SENDER, address.href, authorization, chunked];
    return (await promisify(execFile)(process.execPath, parameters)).stdout.trim();
  };
  expect(await send(`Bearer ${api.key}`)).toBe('413 payload_too_large');
  expect(await send('Bearer nobody')).toBe('401 invalid_api_key');
  expect(api.threads.bodies).toEqual([]);
});

it.each(['text/plain', 'application/x-www-form-urlencoded'])('refuses a body of type %s', async (type) => {
  const response = await fetch(address, { method: 'POST', body: 'message=a', headers: { ...headers(), 'content-type': type } });
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
});

it('refuses a chunked body that is empty', async () => {
  const response = await fetch(address, { method: 'POST', body: new Blob([]).stream(), headers: headers(), duplex: 'half' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_json', errors: [{ pointer: '' }] });
});

it('refuses bodies for which there is no room, until others were answered or given up', async () => {
  const opened = [...begin(8), ...begin(8, api.otherKey)];
  await eventually(16, holding);
  const refused = await send();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 'unavailable' });
  expect((await fetch(address, { headers: headers() })).status).toBe(200);
  const [first, second, ...others] = opened;
  second?.sending.destroy();
  first?.sending.end('Why?"}');
  const [answer] = (await first?.answered) as [IncomingMessage];
  expect(answer.statusCode).toBe(201);
  answer.resume();
  await eventually(14, holding);
  expect((await send()).status).toBe(201);
  for (const { sending } of others) sending.destroy();
  await eventually(0, holding);
});

it('leaves room for the bodies of others, however many a tenant begins, and begins anew before they are old', async () => {
  for (let wave = 0; wave < 3; wave += 1) {
    const begun = begin(16);
    const statuses: (number | undefined)[] = [];
    for (const { answered } of begun) answered.then(([{ statusCode }]) => statuses.push(statusCode)).catch(() => undefined);
    await eventually(8, async () => statuses.length);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect([(await send(api.otherKey)).status, (await send()).status]).toEqual([201, 503]);
    for (const { sending } of begun) sending.destroy();
    await eventually(0, holding);
  }
});

it('has room for many chunked bodies at a time that are short', async () => {
  const begun = begin(40, api.key, '{"message":"');
  await eventually(40, holding);
  for (const { sending } of begun) sending.end('Why?"}');
  const answers = await Promise.all(begun.map(({ answered }) => answered));
  expect(new Set(answers.map(([{ statusCode }]) => statusCode))).toEqual(new Set([201]));
  for (const [answer] of answers) answer.resume();
  await eventually(0, holding);
});

it.each([
  ['short', '{"message":"'],
  ['long', LONG],
])('holds what came of a %s chunked body, and not what could have come, while its request is answered', async (_, start) => {
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  const create = api.threads.create.bind(api.threads);
  jest.spyOn(api.threads, 'create').mockImplementation((command) => isAnswered.then(() => create(command)) as never);
  const begun = begin(8, api.key, start);
  for (const { sending } of begun) sending.end('Why?"}');
  await eventually(8 * 4 * `${start}Why?"}`.length, heldBytes);
  const others = begin(8, api.otherKey);
  await eventually(16, holding);
  answer();
  for (const { answered } of begun) {
    const [response] = await answered;
    expect(response.statusCode).toBe(201);
    response.resume();
  }
  for (const { sending } of others) sending.destroy();
  await eventually(0, holding);
});

it('refuses a chunked body that becomes long when there is no more room, and goes on with one that stays short', async () => {
  const others = begin(7);
  const [grows, stays] = begin(2, api.key, '{"message":"');
  await eventually(9, holding);
  const [last] = begin(1);
  const [refused] = (await last?.answered) as [IncomingMessage];
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  grows?.sending.write(' '.repeat(64 * 1024));
  const [refusedLater] = (await grows?.answered) as [IncomingMessage];
  expect([refusedLater.statusCode, await json(refusedLater)]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
  stays?.sending.end('Why?"}');
  const [answer] = (await stays?.answered) as [IncomingMessage];
  expect(answer.statusCode).toBe(201);
  answer.resume();
  for (const { sending } of [...others, ...[grows, last].flatMap((sent) => sent ?? [])]) sending.destroy();
  await eventually(0, holding);
});

it('gives back the room of a chunked body that is too large', async () => {
  const [sent] = begin(1);
  sent?.sending.write('a'.repeat(2 * 1024 * 1024));
  const [refused] = (await sent?.answered) as [IncomingMessage];
  expect([refused.statusCode, await json(refused)]).toEqual([413, expect.objectContaining({ code: 'payload_too_large' })]);
  await eventually(0, holding);
  sent?.sending.destroy();
});

it('takes no room for the body of a GET, which is not read', async () => {
  jest.spyOn(api.threads, 'listThreads').mockReturnValue(new Promise(() => undefined));
  const sending = request(address, { method: 'GET', headers: { ...headers(), 'transfer-encoding': 'chunked' } });
  sending.on('error', () => undefined);
  sending.end('a body');
  await eventually(1, async () => jest.mocked(api.threads.listThreads).mock.calls.length);
  expect(await holding()).toBe(0);
  sending.destroy();
});

it('ends none of the bodies of others for a tenant that has its half', async () => {
  const now = jest.spyOn(performance, 'now');
  const others = begin(4, api.otherKey);
  await eventually(4, holding);
  now.mockReturnValue(performance.now() + 6_000);
  const own = begin(8);
  await eventually(12, holding);
  expect((await send()).status).toBe(503);
  expect(await holding()).toBe(12);
  now.mockRestore();
  for (const { sending } of [...others, ...own]) sending.destroy();
  await eventually(0, holding);
});

it('lets no slow bodies keep out the others for longer than five seconds', async () => {
  const slow = [...begin(8, api.otherKey), ...begin(8)];
  const statusOf = async () => (await send()).status;
  await eventually(503, statusOf);
  const trickle = setInterval(() => slow.forEach(({ sending }) => sending.write('a')), 500);
  await eventually(201, statusOf, 30_000);
  clearInterval(trickle);
  const [ended] = await Promise.race(slow.map(({ answered }) => answered));
  expect(ended.statusCode).toBe(408);
  expect(await json(ended)).toMatchObject({ code: 'request_timeout' });
  expect(await statusOf()).toBe(201);
  // The others are ended only when their room is needed.
  slow.at(-1)?.sending.end('"}');
  const [last] = (await slow.at(-1)?.answered) as [IncomingMessage];
  expect(last.statusCode).toBe(201);
  last.resume();
  for (const { sending } of slow) sending.destroy();
}, 60_000);

it('reads characters that are split between two packets', async () => {
  const [start, end] = ['{"message":"', '"}'].map((text) => Buffer.from(text));
  const character = Buffer.from('😀');
  const sending = request(address, { method: 'POST', headers: headers() });
  sending.write(Buffer.concat([start ?? Buffer.of(), character.subarray(0, 2)]));
  await once(sending, 'socket');
  sending.end(Buffer.concat([character.subarray(2), end ?? Buffer.of()]));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  expect(await json(response)).toMatchObject({ message: { content: '😀' } });
});

it('answers a request whose body is still on the way when the server closes', async () => {
  const sending = request(address, { method: 'POST', headers: headers() });
  const accepted = once(api.app.getHttpServer(), 'request');
  sending.write('{"message":');
  await accepted;
  const closed = api.app.close();
  sending.end('"A question"}');
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(201);
  await json(response);
  await closed;
});

it.each([
  ['bytes that are no HTTP', 'hello\r\n\r\n', '400 Bad Request', 'invalid_request'],
  [
    'header fields of 20 KB',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'headers_too_large',
  ],
  ['no Host', 'GET /v1/threads HTTP/1.1\r\nconnection: close\r\nauthorization: Bearer {key}\r\n\r\n', '400 Bad Request', 'invalid_request'],
  [
    'an expectation',
    'POST /v1/threads HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: 200-ok\r\ncontent-length: 0\r\nauthorization: Bearer {key}\r\n\r\n',
    '417 Expectation Failed',
    'expectation_failed',
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400 Bad Request', 'invalid_request'],
])('answers %s with problem details', async (_, bytes, status, code) => {
  const [head = '', body = ''] = (await exchange(bytes.replace('{key}', api.key))).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
  expect(head).toMatch(/\r\ncontent-type: application\/problem\+json/i);
  expect(JSON.parse(body)).toMatchObject({ code, status: Number.parseInt(status), error: expect.any(String) });
});

it('says in one quiet line that a client hung up in the middle of its body', async () => {
  const sending = request(address, { method: 'POST', headers: { ...headers(), 'content-length': 100 } });
  sending.on('error', () => undefined);
  sending.write('{"message":"');
  await eventually(1, holding);
  sending.destroy();
  const lines = () => api.logged.map((line) => JSON.parse(line) as { level: string; msg: string; reason?: string; stack?: string });
  const about = () => lines().filter(({ level, reason }) => reason !== undefined || level === 'error');
  await eventually(1, async () => about().length);
  expect(about()).toEqual([expect.objectContaining({ level: 'info', reason: 'client_gone' })]);
  expect(about()[0]).not.toHaveProperty('stack');
});

it('waits for a body after 100-continue', async () => {
  const sending = request(address, { method: 'POST', headers: { ...headers(), expect: '100-continue' } });
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.end('{"message":"A question"}');
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(201);
  await json(response);
});

/** Sends bytes as they are and gives everything that comes back until the server closes. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(address.port), address.hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.end(bytes);
  await once(socket, 'close');
  return Buffer.concat(received).toString();
}
