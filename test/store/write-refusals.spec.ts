import { createPool } from '@lib/store/postgres/pool';
import { createTestStore, type TestStore } from '../support/store';

let test: TestStore;
beforeEach(async () => {
  test = await createTestStore();
});
afterEach(() => test.close());

it('a connection that was begun before a server refused to write is given up, although it was open only afterwards', async () => {
  await using closing = new AsyncDisposableStack();
  const pool = createPool(test.databaseUrl, 2);
  closing.defer(() => pool.end());
  const pidOf = async (client: Pick<typeof pool, 'query'>) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const first = await pool.connect();
  await first.query('set default_transaction_read_only = on');
  // The second connection is made while the answer of the first is on its way; no order of the two may matter.
  const refused = first.query('create table written ()').catch((error: unknown) => error);
  const opening = pool.connect();
  expect(await refused).toMatchObject({ code: '25006' });
  const second = await opening;
  const pids = [await pidOf(first), await pidOf(second)];
  for (const client of [first, second]) client.release();
  const others = [await pool.connect(), await pool.connect()] as const;
  const otherPids = [await pidOf(others[0]), await pidOf(others[1])];
  for (const client of others) client.release();
  expect(new Set([...pids, ...otherPids]).size).toBe(4);
});
