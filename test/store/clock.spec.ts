import { openStore, type Store } from '@lib/store/store';
import { startPostgresProxy, type PostgresProxy } from '../support/postgres-proxy';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage } from '../support/streams';

const DELAY_MS = 2_000;
/** Of a busy machine, far below half of the delay. */
const TOLERANCE_MS = 500;

let test: TestStore;
let proxy: PostgresProxy;
const stores: Store[] = [];
beforeAll(async () => {
  test = await createTestStore();
  proxy = await startPostgresProxy(test.databaseUrl);
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await proxy.close();
  await test.close();
});

/** A process that has not committed yet. */
function newProcess(): Store {
  const { masterKey } = test;
  const store = openStore({ databaseUrl: proxy.url, connections: 4, masterKeys: [masterKey], leaseMs: 30_000, redispatchFirstMs: 10_000 });
  stores.push(store);
  return store;
}

/** By how much the store's time is ahead of the database's. */
async function aheadMs(store: Store): Promise<number> {
  const { rows } = await test.store.pool.query<{ now: Date }>('select clock_timestamp() as now');
  return store.now().getTime() - (rows[0]?.now.getTime() ?? 0);
}

describe('the time of an event', () => {
  it('is not moved by a commit that waited, though it is the first that tells the time', async () => {
    const store = newProcess();
    proxy.delayAnswerOf('append_', DELAY_MS);
    await createJob(store);
    expect(proxy.delayed()).toBe(1);
    expect(Math.abs(await aheadMs(store))).toBeLessThan(TOLERANCE_MS);
  });

  it('keeps what a quick commit told when a slow one follows', async () => {
    const store = newProcess();
    const { threadId } = await createJob(store);
    proxy.delayAnswerOf('append_', DELAY_MS);
    await addMessage(store, threadId);
    expect(proxy.delayed()).toBe(2);
    expect(Math.abs(await aheadMs(store))).toBeLessThan(TOLERANCE_MS);
  });

  it('follows the database, whatever the process’s clock is set to meanwhile', async () => {
    const store = newProcess();
    await createJob(store);
    const realNow = Date.now;
    Date.now = () => realNow() + 3_600_000;
    try {
      expect(Math.abs(await aheadMs(store))).toBeLessThan(TOLERANCE_MS);
    } finally {
      Date.now = realNow;
    }
  });

  it('is the database’s from the first event on, in a process whose clock is hours ahead', async () => {
    const store = newProcess();
    const Real = Date;
    const ahead = 7_200_000;
    globalThis.Date = new Proxy(Real, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [Real.now() + ahead] : given) as object,
    });
    try {
      const { jobId } = await createJob(store);
      const { rows } = await test.store.pool.query<{ aheadMs: number }>(
        `select extract(epoch from (meta->>'occurredAt')::timestamptz - clock_timestamp())::float8 * 1000 as "aheadMs" from event where stream_id = $1`,
        [jobId],
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const { aheadMs } of rows) expect(aheadMs).toBeLessThan(TOLERANCE_MS);
    } finally {
      globalThis.Date = Real;
    }
  });
});
