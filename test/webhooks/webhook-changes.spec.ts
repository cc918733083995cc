import { randomBytes } from 'node:crypto';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { RequestRepeated, RequestUnderWay } from '@lib/store/requests/idempotent-requests';
import type { WebhookInput } from '@lib/store/webhooks/webhook-changes';
import { openStore, type Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { startPostgresProxy } from '../support/postgres-proxy';
import { createJob, TENANT } from '../support/store';
import { Delivery } from './support/delivery';
import { HOLD } from '../support/hold';

let delivery: Delivery;
beforeAll(async () => {
  delivery = await Delivery.start();
});
afterAll(() => delivery.close());

const INPUT: WebhookInput = { url: 'https://example.com/', description: '', eventTypes: ['job.failed'], enabled: true };

/** Asks again while the other process has not ended, as its client is told to: on a slow machine that takes longer than the one waits. */
async function create(store: Delivery['store'], request: { digest: Buffer; bodyDigest: Buffer }): Promise<string> {
  for (;;)
    try {
      return await (await store.webhooks.changes()).create(TENANT, INPUT, request);
    } catch (error) {
      if (!(error instanceof RequestUnderWay)) throw error;
    }
}

it('of two processes that are sent the same request at once, one does it and the other hears so', async () => {
  const processes = [delivery.store, delivery.test.another()];
  for (let round = 0; round < 10; round += 1) {
    const request = { digest: randomBytes(32), bodyDigest: randomBytes(32) };
    const results = await Promise.allSettled(processes.map((store) => create(store, request)));
    const [done, ...others] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(others).toEqual([]);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).name] : []))).toEqual([
      RequestRepeated.name,
    ]);
    expect(await delivery.store.requests.find(request.digest)).toMatchObject({ streamId: done, version: 1 });
    expect((await delivery.store.webhooks.list(TENANT)).items).toHaveLength(round + 1);
  }
});

it('a request that is refused leaves nothing behind, not even itself', async () => {
  const request = { digest: randomBytes(32), bodyDigest: randomBytes(32) };
  const own = { tenantId: TENANT, id: 'whk_00000000000000000000000000' };
  await expect((await delivery.store.webhooks.changes()).delete(own, request)).rejects.toMatchObject({ code: 'webhook_not_found' });
  expect(await delivery.store.requests.find(request.digest)).toBeNull();
});

it('changes that are made at once are all made', async () => {
  const { id } = await delivery.webhook('https://example.com/');
  const own = { tenantId: TENANT, id };
  const changes = await delivery.store.webhooks.changes();
  await Promise.all([
    changes.update(own, { url: 'https://example.com/elsewhere' }),
    changes.update(own, { description: 'Mine' }),
    changes.rotateSecret(own, null),
    changes.update(own, { eventTypes: ['thread.deleted'] }),
  ]);
  const webhook = await delivery.store.webhooks.get(TENANT, id);
  expect(webhook).toMatchObject({ url: 'https://example.com/elsewhere', description: 'Mine', eventTypes: ['thread.deleted'] });
  expect(webhook.secrets.map(({ number }) => number)).toEqual([2, 1]);
});

it('deliveries are listed newest first, whatever order of letters the database has', async () => {
  const { id } = await delivery.webhook('https://example.com/');
  await delivery.store.pool.query('alter table webhook_delivery alter column event_id type text collate "und-x-icu"');
  const changes = await delivery.store.webhooks.changes();
  const told: string[] = [];
  for (const _ of [1, 2, 3]) told.unshift(await changes.sendTest({ tenantId: TENANT, id }, null));
  const page = (before: string | null) => delivery.store.webhooks.deliveries(TENANT, id, { before, limit: 2 });
  expect((await page(null)).map(({ eventId }) => eventId)).toEqual(told.slice(0, 2));
  expect((await page(told[1] ?? null)).map(({ eventId }) => eventId)).toEqual(told.slice(2));
});

it('a process that is cut off in the middle of a change keeps its rows for seconds, and works again once it is heard', async () => {
  const own = { tenantId: TENANT, id: (await delivery.webhook('https://example.com/')).id };
  const proxy = await startPostgresProxy(delivery.test.databaseUrl);
  const { masterKey } = delivery.test;
  const cut = openStore({ databaseUrl: proxy.url, connections: 1, masterKeys: [masterKey], leaseMs: 30_000, redispatchFirstMs: 10_000 });
  const holdsRow = async () => {
    const text = `select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and query like '%from "webhook"%for update%'`;
    return (await delivery.store.pool.query(text)).rowCount === 1;
  };
  const updatedBy = (store: Store) => async () => {
    const changes = await store.webhooks.changes();
    return changes.update(own, { description: 'Mine' }).then(
      () => 'done',
      (error: Error) => error.name,
    );
  };
  proxy.delayAnswerOf('for update', 60_000);
  const unheard = updatedBy(cut)();
  await eventually(true, holdsRow);
  proxy.silence();
  await eventually('done', updatedBy(delivery.store), 20_000);
  expect(await unheard).toBe('StoreUnavailable');
  proxy.resume();
  await eventually('done', updatedBy(cut), 20_000);
  await cut.close();
  await proxy.close();
}, 60_000);

it('a process that stands still in the middle of a change keeps the others from nothing but that', async () => {
  const { id } = await delivery.webhook('https://example.com/');
  const other = await delivery.test.another().pool.connect();
  await other.query(HOLD);
  await other.query('select from tenant where id = $1 for update', [TENANT]);
  await other.query('select from webhook where id = $1 for update', [id]);
  const changes = await delivery.store.webhooks.changes();
  const waiting = Array.from({ length: 20 }, (_, place) =>
    place % 2 === 0 ? changes.update({ tenantId: TENANT, id }, { description: 'Mine' }) : changes.create(TENANT, INPUT, null),
  );
  const ends = Promise.allSettled(waiting);
  // None of those that wait holds a connection that this needs.
  for (let round = 0; round < 5; round += 1) await createJob(delivery.store);
  const first = await Promise.race(waiting).catch((error: unknown) => error);
  expect(first).toBeInstanceOf(StoreUnavailable);
  await other.query('rollback');
  other.release();
  await ends;
  await changes.update({ tenantId: TENANT, id }, { description: 'Again' });
  expect(await delivery.store.webhooks.get(TENANT, id)).toMatchObject({ description: 'Again' });
}, 30_000);

it('a database that is gone is an outage, and no failure of the service', async () => {
  const gone = delivery.test.another();
  const { webhooks, deliveries } = gone;
  const changes = await webhooks.changes();
  await gone.pool.query('select 1');
  await delivery.store.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  gone.pool.options.port = 1;
  await expect(changes.create(TENANT, INPUT, null)).rejects.toMatchObject({ name: 'StoreUnavailable' });
  await expect(webhooks.list(TENANT)).rejects.toMatchObject({ name: 'StoreUnavailable' });
  await expect(deliveries.removeOld(1)).rejects.toMatchObject({ name: 'StoreUnavailable' });
});
