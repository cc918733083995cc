import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { hostileAddresses } from '../api/support/hostile-addresses';
import { hostileBodies } from '../api/support/hostile-bodies';
import type { HostileRequest } from '../api/support/hostile-request';
import { startSystem, type System } from './support/system';

/** The whole table of hostile requests, over a socket and against the real store. */
let system: System;
let key: string;
let threadId: string;
let jobId: string;

beforeAll(async () => {
  system = await startSystem();
  key = await system.keyOf('default');
  const job = await system.client.research({ message: 'A question' });
  [threadId, jobId] = [job.threadId, job.id];
});
afterAll(() => system.stop());

/** A client that sends the path as it is written: `fetch` would tidy it up first. */
function send(hostile: HostileRequest, keyText: string | null): Promise<{ status: number; type: string; body: Record<string, unknown> }> {
  const { hostname, port } = new URL(system.client.address);
  const path = hostile.path.replace('{threadId}', threadId).replace('{jobId}', jobId);
  const length = hostile.body === undefined ? {} : { 'content-length': Buffer.byteLength(hostile.body) };
  const authorization = keyText === null ? {} : { authorization: `Bearer ${keyText}` };
  const { method, headers } = hostile;
  return new Promise((accept, reject) => {
    const sending = httpRequest({ hostname, port, method, path, headers: { ...headers, ...length, ...authorization } }, (response) => {
      text(response)
        .then((body) => ({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          body: JSON.parse(body) as Record<string, unknown>,
        }))
        .then(accept, reject);
    });
    sending.on('error', reject);
    sending.end(hostile.body);
  });
}

const table = [...hostileBodies(), ...hostileAddresses()];
const inGroupsOf = <Item>(size: number, items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, group) => items.slice(group * size, (group + 1) * size));

it('refuses each request of the table with its status, its code and every pointer', async () => {
  for (const group of inGroupsOf(16, table)) {
    const answers = await Promise.all(group.map((hostile) => send(hostile, key)));
    const seen = answers.map(({ status, type, body }, place) => ({
      name: group[place]?.name,
      status,
      type,
      code: body.code,
      pointers: (body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    }));
    expect(seen).toEqual(
      group.map(({ name, status, code, pointers }) => ({
        name,
        status,
        type: 'application/problem+json; charset=utf-8',
        code,
        pointers,
      })),
    );
  }
});

it('asks for a key before it looks at any of them', async () => {
  for (const group of inGroupsOf(16, table)) {
    const answers = await Promise.all(group.map((hostile) => send(hostile, null)));
    const seen = answers.map(({ status, body }, place) => ({ name: group[place]?.name, status, code: body.code }));
    expect(seen).toEqual(group.map(({ name }) => ({ name, status: 401, code: 'invalid_api_key' })));
  }
});

it('has done nothing for them', async () => {
  const { messages, jobs } = await system.client.getThread(threadId);
  expect([messages.length, jobs.length]).toEqual([1, 1]);
  expect((await system.client.expect<{ threads: object[] }>(200, 'GET', '/v1/threads')).threads).toHaveLength(1);
  expect(system.logged.filter((line) => /"level":"(error|fatal)"|"status":5\d\d/.test(line))).toEqual([]);
});
