import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startSystem, type System } from './support/system';

/** Requests and logins that are limited, whatever else is wrong with the request. */
const BURST = 12;
const FAILURES = 3;

const limited = (environment: Record<string, string> = {}) =>
  startSystem({
    environment: { KEY_LIMITS: `requestsPerMinute=1,burst=${BURST}`, LOGIN_FAILURES_PER_MINUTE: String(FAILURES), ...environment },
  });

/** As it is written: `fetch` would tidy the address up first. */
async function send(system: System, line: string, headers: Record<string, string>): Promise<{ status: number; left: string | null }> {
  const { hostname, port } = new URL(system.client.address);
  const socket = connect(Number(port), hostname);
  const fields = Object.entries({ host: 'service', connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${fields.join('')}\r\n`);
  const answer = await text(socket);
  return { status: Number(answer.slice(9, 12)), left: /^ratelimit: (.*)\r$/im.exec(answer)?.[1] ?? null };
}

describe('a key with a limit', () => {
  let system: System;
  beforeAll(async () => (system = await limited()));
  afterAll(() => system.stop());

  it.each([
    ['that is answered', 'GET /v1/threads', 200],
    ['to nothing', 'GET /v1/nothing', 404],
    ['by a method that is not allowed', 'PUT /v1/threads', 405],
    ['with a broken parameter', 'GET /v1/threads?limit=x', 400],
    ['to a thread that is not there', `GET /v1/threads/thr_${'0'.repeat(26)}`, 404],
    ['to an address that cannot be decoded', 'GET /v1/%zz', 400],
  ])('has one request less and hears what is left after one %s', async (_, line, status) => {
    const authorization = `Bearer ${await system.keyOf('default')}`;
    expect(await send(system, line, { authorization })).toEqual({ status, left: expect.stringContaining(`"key";r=${BURST - 1};`) });
    for (let left = BURST - 2; left >= 0; left -= 1)
      expect(await send(system, line, { authorization })).toEqual({ status, left: expect.stringContaining(`"key";r=${left};`) });
    expect(await send(system, line, { authorization })).toEqual({ status: 429, left: expect.stringContaining('"key";r=0;') });
  });

  it('has as many requests less as a batch of MCP has messages', async () => {
    const client = system.client.withKey(await system.keyOf('default'));
    const headers = { ...client.headers(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const batchOf = async (length: number) => {
      const body = JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })));
      const answer = await fetch(`${client.address}/mcp`, { method: 'POST', headers, body });
      return { status: answer.status, left: answer.headers.get('ratelimit'), text: await answer.text() };
    };
    expect(await batchOf(5)).toMatchObject({ status: 200, left: expect.stringContaining(`"key";r=${BURST - 5};`) });
    expect(await batchOf(BURST)).toMatchObject({
      status: 429,
      text: expect.stringMatching(/Each message of a batch counts as a request.*rate_limited/),
    });
    expect(await batchOf(1)).toMatchObject({ status: 429, left: expect.stringContaining('"key";r=0;') });
  });

  it('who has no key hears of no limit', async () => {
    expect(await send(system, 'GET /v1/threads', {})).toEqual({ status: 401, left: null });
  });
});

/** The answers to logins without a key, each of which says that it came from elsewhere. */
async function logins(system: System, count: number, forwarded: (place: number) => string): Promise<number[]> {
  const statuses = [];
  for (let place = 0; place < count; place += 1)
    statuses.push((await send(system, 'GET /v1/threads', { 'x-forwarded-for': forwarded(place) })).status);
  return statuses;
}
const THROTTLED = [...Array<number>(FAILURES).fill(401), 429, 429];

it('who fails to log in gains nothing by an X-Forwarded-For that nobody has to believe', async () => {
  const system = await limited();
  expect(await logins(system, FAILURES + 2, (place) => `192.0.2.${place}`)).toEqual(THROTTLED);
  await system.stop();
});

it('behind a trusted proxy every client has a limit, whatever it wrote before the proxy did', async () => {
  const system = await limited({ TRUSTED_PROXIES: '127.0.0.1,::1' });
  expect(await logins(system, FAILURES + 2, (place) => `10.0.0.${place}, nonsense, 192.0.2.1`)).toEqual(THROTTLED);
  expect(await logins(system, FAILURES + 2, () => '192.0.2.1, 192.0.2.2')).toEqual(THROTTLED);
  await system.stop();
});
