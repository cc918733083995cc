import { createDatabase } from '../servers/database';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import { onNats, startSystem, type System } from './support/system';

let system: System;
let proxy: PostgresProxy;
beforeAll(async () => {
  const database = await createDatabase();
  proxy = await startPostgresProxy(database.url);
  const drop = async () => {
    await proxy.close();
    await database.drop();
  };
  // An api alone, which is idle between requests.
  system = await startSystem({ database: { url: proxy.url, drop }, providers: {}, roles: ['api'], environment: onNats() });
});
afterAll(async () => {
  await system.stop();
  jest.restoreAllMocks();
});

const now = performance.now.bind(performance);
let aheadMs = 0;

/** Nobody asks anything for a while, during which the connections are forgotten. */
function idle(how: 'told' | 'in silence'): void {
  proxy.forget(how);
  aheadMs += 60_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
}

const create = () => system.client.send('POST', '/v1/threads', { message: 'How?', providers: ['provider-a'] });

describe.each(['told', 'in silence'] as const)('after its idle connection to the database was forgotten, %s,', (how) => {
  it('an api answers the first read', async () => {
    const { body } = await create();
    idle(how);
    expect(await system.client.send('GET', `/v1/threads/${String(body.id)}`)).toMatchObject({ status: 200 });
  });

  it('an api does the first write, once', async () => {
    const threads = async () => (await system.query(`select from event where type = 'ThreadCreated'`)).length;
    const before = await threads();
    idle(how);
    expect(await create()).toMatchObject({ status: 201 });
    expect(await threads()).toBe(before + 1);
  });
});
