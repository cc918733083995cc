import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import type { RoleProcess } from '../support/role-process';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(120_000);

let supervisor: Supervisor;
let proxy: PostgresProxy;
let apis: RoleProcess[];
beforeAll(async () => {
  supervisor = await Supervisor.start();
  proxy = await startPostgresProxy(supervisor.database.url);
  apis = [await supervisor.start('api'), await supervisor.start('api', { DATABASE_URL: proxy.url })];
});
beforeEach(() => eventually('200 200', readiness, 30_000));
afterAll(async () => {
  await supervisor?.close();
  await proxy?.close();
});

/** Of both, as a balancer asks them. */
async function readiness(): Promise<string> {
  const answers = await Promise.all(apis.map(({ address }) => fetch(`${address}/health/ready`)));
  return answers.map(({ status }) => status).join(' ');
}

it('a database that is down for all takes no api out of its balancer: each says so to its clients', async () => {
  await supervisor.database.crash();
  const seen = new Set<string>();
  const client = new Client(supervisor);
  const until = performance.now() + 8_000;
  while (performance.now() < until) {
    seen.add(await readiness());
    const { status, headers } = await client.call('POST', '/v1/threads', { message: 'How?' });
    seen.add(`${status} after ${headers.get('retry-after')}`);
  }
  await supervisor.database.start();
  expect(seen).toEqual(new Set(['200 200', '503 after 5']));
});

it('an api that alone has lost the database is taken out, and comes back', async () => {
  proxy.interrupt();
  await eventually('200 503', readiness, 30_000);
  const other = new Client({ apiKey: supervisor.apiKey, apiAddresses: () => [apis[0]?.address ?? ''] });
  expect((await other.call('POST', '/v1/threads', { message: 'How?' })).status).toBe(201);
  proxy.resume();
  await eventually('200 200', readiness, 30_000);
});

it('an api that alone has lost the database, and nobody is left beside it, is asked again', async () => {
  proxy.interrupt();
  await eventually('200 503', readiness, 30_000);
  await supervisor.database.crash();
  // Whoever lost it last knows of nobody who is better.
  for (const round of [1, 2, 3]) expect([round, (await readiness()).split(' ')[0]]).toEqual([round, '200']);
  proxy.resume();
  await supervisor.database.start();
});
