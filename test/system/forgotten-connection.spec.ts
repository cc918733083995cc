import type { PostgresProxy } from '../support/postgres-proxy';
import { startApiBehindProxy } from './support/api-behind-proxy';
import type { System } from './support/system';

let system: System;
let proxy: PostgresProxy;
beforeAll(async () => {
  // An api alone, which is idle between requests.
  ({ system, proxy } = await startApiBehindProxy());
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
