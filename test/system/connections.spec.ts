import { startSystem, type System } from './support/system';

let system: System;
beforeAll(async () => {
  // The first key is written through the ORM, in the pool's only connection.
  system = await startSystem({ environment: { DATABASE_POOL: '1' } });
});
afterAll(() => system.stop());

it('a process has one pool, and every role works with a single connection', async () => {
  expect(await system.client.research({ message: 'How?' })).toMatchObject({ status: 'completed' });
  const sessions = await system.query('select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
  expect(sessions).toHaveLength(1);
});
