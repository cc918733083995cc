import { pino } from 'pino';
import { openStore } from '@lib/store/store';
import { Retention } from '../../src/saga/retention';
import { startPostgresProxy } from '../support/postgres-proxy';
import { createJob, createTestStore, META, TENANT } from '../support/store';
import { onJob } from '../support/streams';

jest.setTimeout(120_000);

/** Each of the answers that an erasure needs in a row: together they take longer than a client waits. */
const LATE_MS = 1_100;

it('with each answer of the database 1.1 s late, an old thread is deleted and what is left of a deleted one erased', async () => {
  const test = await createTestStore();
  const [deleted, old] = [await createJob(test.store), await createJob(test.store)];
  await test.store.threads.delete(deleted.threadId, TENANT, META);
  await onJob(test.store, old.jobId, { type: 'CancelJob' });
  const proxy = await startPostgresProxy(test.databaseUrl);
  const times = { leaseMs: 30_000, redispatchFirstMs: 10_000 };
  const store = openStore({ databaseUrl: proxy.url, connections: 4, masterKeys: [test.masterKey], ...times });
  const left = async () => {
    const text = 'select count(*)::int as sealed from event where stream_id = any ($1) and sealed is not null';
    const ids = [deleted, old].flatMap(({ threadId, jobId }) => [threadId, jobId]);
    return (await test.store.pool.query<{ sealed: number }>(text, [ids])).rows[0]?.sealed;
  };
  proxy.delayAnswers(LATE_MS);
  await store.erasure.erase(deleted.threadId);
  expect(await new Retention(store, 1, pino({ level: 'silent' })).retire(new Date())).toBe(1);
  expect(await left()).toBe(0);
  proxy.delayAnswers(0);
  await store.close();
  await proxy.close();
  await test.close();
});
