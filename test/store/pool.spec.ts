import { createPool } from '@lib/store/postgres/pool';
import { createTestStore, type TestStore } from '../support/store';

let test: TestStore;
beforeEach(async () => {
  test = await createTestStore();
});
afterEach(async () => {
  jest.useRealTimers();
  await test.close();
});

it('an idle connection that is kept is replaced after a quarter of an hour', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance', 'Date'] });
  await using closing = new AsyncDisposableStack();
  const pool = createPool(test.databaseUrl, 1, 30_000, 1);
  closing.defer(() => pool.end());
  const pid = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const first = await pid();
  jest.advanceTimersByTime(14 * 60_000);
  expect(await pid()).toBe(first);
  jest.advanceTimersByTime(60_000);
  expect(await pid()).not.toBe(first);
});
