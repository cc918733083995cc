import { Client } from 'undici';
import { eventually } from '../messaging/eventually';
import { createResolver, guardedConnector } from '../../src/webhooks/guarded-connector';
import { SERVER_FAILURE, SILENCE, startNameServer, type NameServer } from './support/name-server';
import { Sink } from './support/sink';

const METADATA = '169.254.169.254';

type AddressesOf = (question: number, family: 4 | 6) => ReturnType<Parameters<typeof startNameServer>[0]>;

/** Where a name points to, by the first label of it. */
const NAMES: Record<string, AddressesOf> = {
  here: () => ['127.0.0.1'],
  rebinding: (question) => [question === 1 ? '127.0.0.1' : METADATA],
  metadata: () => [METADATA],
  mixed: () => ['127.0.0.1', '10.0.0.1'],
  mapped: () => ['::ffff:127.0.0.1'],
  embedded: () => ['64:ff9b::7f00:1'],
  local: () => ['fe80::1'],
  none: () => null,
  empty: () => [],
  broken: () => SERVER_FAILURE,
  'half-broken': (_, family) => (family === 4 ? [] : SERVER_FAILURE),
  'half-known': (_, family) => (family === 4 ? ['127.0.0.1'] : SERVER_FAILURE),
  silent: () => SILENCE,
  'half-silent': (_, family) => (family === 4 ? ['127.0.0.1'] : SILENCE),
  'other-half-silent': (_, family) => (family === 4 ? [] : SILENCE),
};

let names: NameServer;
let sink: Sink;
beforeEach(async () => {
  names = await startNameServer((name, question, family) => NAMES[name.split('.')[0] ?? '']?.(question, family) ?? null);
  sink = await Sink.start();
});
afterEach(async () => {
  names.close();
  await sink.close();
});

/** @returns the status, or the name of the error */
async function reach(host: string, rules = { loopback: true }, server = names.address): Promise<number | string> {
  const connect = guardedConnector(rules, createResolver([server]), 5_000);
  const client = new Client(`http://${host}:${new URL(sink.url).port}`, { connect, pipelining: 0 });
  try {
    const { statusCode, body } = await client.request({ method: 'POST', path: '/' });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as Error).name;
  } finally {
    await client.destroy();
  }
}

it('reaches what is allowed, by its address and by its name, for which it asks once', async () => {
  expect(await reach('127.0.0.1')).toBe(204);
  expect(await reach('here.example.com')).toBe(204);
  expect(names.asked.get('here.example.com')).toBe(1);
  expect(sink.received).toHaveLength(2);
});

it('decides each time it connects, on the address that it then connects to', async () => {
  expect(await reach('rebinding.example.com')).toBe(204);
  expect(names.asked.get('rebinding.example.com')).toBe(1);
  expect(await reach('rebinding.example.com')).toBe('AddressRefused');
  expect(sink.received).toHaveLength(1);
});

it.each(['metadata', 'mixed', 'mapped', 'embedded', 'local'])('refuses a name whose addresses are %s', async (label) => {
  expect(await reach(`${label}.example.com`)).toBe('AddressRefused');
  expect(sink.received).toEqual([]);
});

it.each(['none', 'empty'])('finds no address where there is %s', async (label) => {
  expect(await reach(`${label}.example.com`)).toBe('NameNotFound');
});

it.each(['broken', 'half-broken'])('does not call a name missing whose servers fail: %s', async (label) => {
  expect(await reach(`${label}.example.com`)).toBe('NameNotResolved');
});

it('does not call a name missing that nobody could be asked for', async () => {
  const { address } = names;
  names.close();
  names = await startNameServer(() => null);
  expect(await reach('here.example.com', { loopback: true }, address)).toBe('NameNotResolved');
});

it('takes the addresses of one family where the look-up of the other fails', async () => {
  expect(await reach('half-known.example.com')).toBe(204);
});

it('waits only briefly for the addresses of one family once it has those of the other', async () => {
  const began = performance.now();
  expect(await reach('half-silent.example.com')).toBe(204);
  expect(performance.now() - began).toBeLessThan(1_900);
});

it.each(['silent', 'other-half-silent'])(
  'gives up a look-up after some seconds, however many servers there are: %s',
  async (label) => {
    const others = await Promise.all([1, 2].map(() => startNameServer(() => SILENCE)));
    const resolve = createResolver([names, ...others].map(({ address }) => address));
    const began = performance.now();
    await expect(resolve(`${label}.example.com`)).rejects.toMatchObject({ name: 'NameNotResolved' });
    expect(performance.now() - began).toBeLessThan(9_000);
    for (const other of others) other.close();
  },
  30_000,
);

it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '[::1]', 'here.example.com'])(
  'where loopback is not allowed, refuses %s',
  async (host) => {
    expect(await reach(host, { loopback: false })).toBe('AddressRefused');
    expect(sink.received).toEqual([]);
  },
);

it('a name server that does not answer holds up nobody else', async () => {
  const silent = await startNameServer(() => SILENCE);
  const resolve = createResolver([silent.address]);
  const lookUps: Promise<unknown>[] = [];
  const noted: typeof resolve = (name) => {
    const lookUp = resolve(name);
    lookUps.push(lookUp);
    return lookUp;
  };
  const connect = guardedConnector({ loopback: true }, noted, 5_000);
  const clients = Array.from({ length: 50 }, (_, place) => new Client(`http://stuck-${place}.example.com`, { connect }));
  const stuck = clients.map((client) => client.request({ method: 'GET', path: '/' }).catch(() => 'given up'));
  await eventually(true, async () => silent.asked.size > 0);
  expect(await Promise.race([reach('here.example.com'), ...stuck])).toBe(204);
  await Promise.all(clients.map((client) => client.destroy()));
  expect(new Set(await Promise.all(stuck))).toEqual(new Set(['given up']));
  // A socket that waits for its name keeps a process from ending.
  silent.speak();
  await Promise.allSettled(lookUps);
  silent.close();
});

it('a look-up leaves no timer behind, and none comes with an answer that is too late', async () => {
  const begun = jest.spyOn(globalThis, 'setTimeout');
  const ended = jest.spyOn(globalThis, 'clearTimeout');
  const silent = await startNameServer((_, __, family) => (family === 4 ? ['127.0.0.1'] : SILENCE));
  expect(await createResolver([silent.address])('half.example.com')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  silent.speak(['127.0.0.1', '::1']);
  await createResolver([names.address])('here.example.com');
  expect(begun.mock.results.length).toBeGreaterThan(0);
  for (const { value } of begun.mock.results) expect(ended.mock.calls.map(([timer]) => timer)).toContain(value);
  jest.restoreAllMocks();
  silent.close();
});
