import type { Attempted, Deliveries, StoredDelivery, TakenDelivery } from '@lib/store/webhooks/deliveries';
import { newId } from '@lib/store/new-id';
import { refusal } from '../support/streams';
import { META, TENANT } from '../support/store';
import { Delivery } from './support/delivery';

/** What stands in the database of deliveries, asked directly: nothing is sent anywhere. */
let delivery: Delivery;
let deliveries: Deliveries;
beforeAll(async () => {
  delivery = await Delivery.start();
  deliveries = delivery.store.deliveries;
});
afterAll(() => delivery.close());
afterEach(async () => {
  await delivery.store.pool.query('delete from webhook_delivery');
  await delivery.store.pool.query('delete from webhook');
});

const ROOM = { free: 100, perWebhook: 100, perTenant: 1_000, failing: false, underWay: [], leaseMs: 60_000 };
const take = (room: Partial<Parameters<Deliveries['take']>[0]> = {}) => deliveries.take({ ...ROOM, ...room });
const webhook = async (tenantId = TENANT): Promise<string> =>
  (await delivery.webhook('http://127.0.0.1:1/hook', { tenantId, eventTypes: ['job.cancelled'] })).id;
const FAILED: Attempted = { responseStatus: 503, error: 'status' };

/** A webhook with one delivery, and that delivery taken. */
async function taken(): Promise<{ id: string; one: TakenDelivery; now: () => Promise<StoredDelivery> }> {
  const id = await webhook();
  await delivery.cancelledJob();
  const [one] = await take();
  if (!one) throw new Error('nothing was to be taken');
  return { id, one, now: async () => (await delivery.deliveriesOf(id))[0] as StoredDelivery };
}
const ofWebhook = (id: string) => delivery.store.webhooks.get(TENANT, id);
const fails = (since: string) => delivery.store.pool.query(`update webhook set failing_since = clock_timestamp() - $1::interval`, [since]);
const dueInMs = async (id: string): Promise<number> =>
  (
    await delivery.store.pool.query<{ ms: number }>(
      'select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as ms from webhook_delivery where webhook_id = $1',
      [id],
    )
  ).rows[0]?.ms ?? 0;

describe('what is taken', () => {
  it('says what it tells and of whom, and is nobody else’s until its lease is over', async () => {
    const { id, one, now } = await taken();
    const { eventId, type, threadId, jobId, occurredAt } = await now();
    expect(one).toEqual({
      ...{ eventId, type, threadId, jobId, occurredAt, webhookId: id, tenantId: TENANT, enabled: true, isFailing: false },
      ...{ attempts: 1, failures: 1, unseen: 0, attemptedAt: expect.any(Date), sealed: expect.any(Buffer) },
    });
    expect(deliveries.open(one)).toMatchObject({ url: 'http://127.0.0.1:1/hook' });
    expect(await now()).toMatchObject({ status: 'pending', attempts: 1, responseStatus: null, error: null });
    const left = await dueInMs(id);
    expect([left > 50_000, left <= 60_000]).toEqual([true, true]);
    expect(await take()).toEqual([]);
    await delivery.letTimePass();
    expect(await take()).toMatchObject([{ attempts: 2, failures: 1 }]);
  });

  it('is as much as there is room for: in all, of a webhook and of a tenant, what is under way included', async () => {
    await delivery.addTenant('a neighbour');
    const ids = [await webhook(), await webhook()];
    for (let job = 0; job < 3; job += 1) await delivery.cancelledJob();
    const count = async (room: Parameters<typeof take>[0]) => {
      const found = await take(room);
      await delivery.letTimePass();
      return found.length;
    };
    const [webhookId = ''] = ids;
    expect(await count({})).toBe(6);
    expect(await count({ free: 4 })).toBe(4);
    expect(await count({ perWebhook: 2 })).toBe(4);
    expect(await count({ perTenant: 1 })).toBe(1);
    expect(await count({ perWebhook: 3, underWay: [{ webhookId, tenantId: TENANT }] })).toBe(5);
    expect(await count({ perTenant: 2, underWay: [{ webhookId, tenantId: TENANT }] })).toBe(1);
    expect(await count({ perTenant: 2, underWay: [{ webhookId: 'another', tenantId: 'a neighbour' }] })).toBe(2);
    expect(await count({ failing: true })).toBe(0);
    await fails('1 second');
    expect(await count({ failing: true })).toBe(6);
    expect(await count({})).toBe(0);
  });
});

it('what waits to be told of the jobs of a thread is not taken once it is deleted, although it is not erased yet', async () => {
  const { id } = await delivery.webhook('http://127.0.0.1:1/hook');
  const { threadId } = await delivery.cancelledJob();
  await delivery.store.threads.delete(threadId, TENANT, META);
  const other = await delivery.cancelledJob();
  expect(await delivery.deliveriesOf(id)).toHaveLength(3);
  const found = (await take()).map((one) => [one.type, one.threadId]).sort();
  expect(found).toEqual([
    ['job.cancelled', other.threadId],
    ['thread.deleted', threadId],
  ]);
});

describe('what an old transaction keeps of what was delivered before', () => {
  const MOVED = 400;
  it('is not read by whoever looks for what is due', async () => {
    const { pool } = delivery.store;
    await webhook();
    await delivery.cancelledJob();
    const due = (seconds: number) =>
      pool.query(`update webhook_delivery set due_at = clock_timestamp() - $1::int4 * interval '1 second'`, [seconds]);
    const backup = await pool.connect();
    await backup.query('begin isolation level repeatable read');
    await backup.query('select from webhook_delivery');
    for (let seconds = 3600; seconds > 3600 - MOVED; seconds -= 1) await due(seconds);
    await due(1);
    expect(await take()).toHaveLength(1);
    await due(1);
    const before = await entriesRead();
    expect(await take()).toHaveLength(1);
    expect((await entriesRead()) - before).toBeLessThan(MOVED);
    await backup.query('rollback');
    backup.release();
  });

  async function entriesRead(): Promise<number> {
    const { pool } = delivery.store;
    // Of the session that the pool has used last, and uses next.
    await pool.query('select pg_stat_force_next_flush()');
    await pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await pool.query<{ read: number }>(
      `select idx_tup_read::int4 as read from pg_stat_user_indexes where indexrelname = 'webhook_delivery_by_due'`,
    );
    return rows[0]?.read ?? 0;
  }
});

describe('an attempt that failed', () => {
  it('and is repeated says what came of it and when it is due; the webhook fails from then on', async () => {
    const { id, one, now } = await taken();
    expect(await deliveries.failed(one, FAILED, 600_000)).toBeNull();
    expect(await now()).toMatchObject({ status: 'pending', responseStatus: 503, error: 'status', endedAt: null });
    const left = await dueInMs(id);
    expect([left > 590_000, left <= 600_000]).toEqual([true, true]);
    expect((await ofWebhook(id)).failingSince).toBeInstanceOf(Date);
  });

  it('and was the last one ends its delivery', async () => {
    const { id, one, now } = await taken();
    expect(await deliveries.failed(one, { responseStatus: null, error: 'timeout' }, null)).toBeNull();
    expect(await now()).toMatchObject({ status: 'failed', responseStatus: null, error: 'timeout', dueAt: null, endedAt: expect.any(Date) });
    expect(await ofWebhook(id)).toMatchObject({ enabled: true, failingSince: expect.any(Date) });
  });

  it.each([
    ['6 days 23 hours', null, true],
    ['7 days 1 minute', 'failing', false],
  ] as const)('of a webhook that has failed for %s: disabled as %s', async (since, why, enabled) => {
    const { id } = await taken();
    await fails(since);
    await delivery.letTimePass();
    const [again] = await take({ failing: true });
    expect(again?.isFailing).toBe(true);
    // A delivery that is tried again proves nothing.
    expect(await deliveries.failed(again as TakenDelivery, FAILED, 1_000)).toBeNull();
    expect(await ofWebhook(id)).toMatchObject({ enabled: true });
    expect(await deliveries.failed(again as TakenDelivery, FAILED, null)).toBe(why);
    expect(await ofWebhook(id)).toMatchObject({ enabled, disabledReason: why });
    expect((await ofWebhook(id)).disabledAt === null).toBe(enabled);
    expect(await deliveries.failed(again as TakenDelivery, FAILED, null)).toBeNull();
  });

  it.each([
    [false, 'name_not_resolved'],
    [true, 'name_not_resolved'],
    [false, 'not_called'],
    [true, 'not_called'],
  ] as const)('for a reason on our side says nothing of the webhook, be it known to fail (%s) or not: %s', async (known, error) => {
    const { id, one, now } = await taken();
    if (known) await fails('8 days');
    expect(await deliveries.failed({ ...one, isFailing: known }, { responseStatus: null, error }, 1_000)).toBeNull();
    expect((await ofWebhook(id)).enabled).toBe(true);
    expect((await ofWebhook(id)).failingSince !== null).toBe(known);
    expect(await now()).toMatchObject({ status: 'pending', error });
  });

  it.each([false, true])('because the receiver is gone disables the webhook at once, be it known to fail (%s) or not', async (known) => {
    const { id, one, now } = await taken();
    if (known) await fails('1 second');
    expect(await deliveries.failed({ ...one, isFailing: known }, { responseStatus: 410, error: 'gone' }, 5_000)).toBe('gone');
    expect(await ofWebhook(id)).toMatchObject({ enabled: false, disabledReason: 'gone', failingSince: expect.any(Date) });
    expect(await now()).toMatchObject({ status: 'failed', error: 'gone', responseStatus: 410 });
  });

  it.each([
    ['is tried again', 5_000, 'pending'],
    ['ends with its last attempt', null, 'failed'],
  ])('because the receiver was gone before its webhook was changed %s', async (_, retryInMs, status) => {
    const { id, one, now } = await taken();
    await (await delivery.store.webhooks.changes()).rotateSecret({ tenantId: TENANT, id }, null);
    expect(await deliveries.failed(one, { responseStatus: 410, error: 'gone' }, retryInMs)).toBeNull();
    expect(await now()).toMatchObject({ status, error: 'gone', responseStatus: 410 });
    expect(await ofWebhook(id)).toMatchObject({ enabled: true, failingSince: null });
  });

  it('because the receiver is gone, as another attempt has found, ends its delivery too', async () => {
    const { id, one, now } = await taken();
    await delivery.store.pool.query(`update webhook set enabled = false, disabled_reason = 'gone', disabled_at = clock_timestamp()`);
    expect(await deliveries.failed(one, { responseStatus: 410, error: 'gone' }, 5_000)).toBeNull();
    expect(await now()).toMatchObject({ status: 'failed', error: 'gone' });
    expect(await ofWebhook(id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
  });

  it('says nothing of a delivery that another process has taken since, nor of a webhook that was changed', async () => {
    const { id, one, now } = await taken();
    await delivery.letTimePass();
    await take();
    await (await delivery.store.webhooks.changes()).update({ tenantId: TENANT, id }, { url: 'http://127.0.0.1:1/elsewhere' });
    for (const retryInMs of [5_000, null]) expect(await deliveries.failed(one, FAILED, retryInMs)).toBeNull();
    expect(await now()).toMatchObject({ status: 'pending', attempts: 2, error: null, responseStatus: null });
    expect(await ofWebhook(id)).toMatchObject({ enabled: true, failingSince: null });
  });
});

describe('an attempt that was delivered', () => {
  it('ends its delivery, and its webhook fails no longer', async () => {
    const { id, one, now } = await taken();
    await fails('1 hour');
    await deliveries.delivered(one, { responseStatus: 204, error: null });
    expect(await now()).toMatchObject({ status: 'delivered', responseStatus: 204, error: null, dueAt: null, endedAt: expect.any(Date) });
    expect((await ofWebhook(id)).failingSince).toBeNull();
  });

  it('is one also after the delivery was given up, and not the other way round', async () => {
    const { one, now } = await taken();
    await deliveries.end(one, 'failed', FAILED);
    await deliveries.delivered(one, { responseStatus: 200, error: null });
    expect((await now()).status).toBe('delivered');
    await deliveries.end(one, 'failed', FAILED);
    await deliveries.failed(one, FAILED, 1_000);
    expect(await now()).toMatchObject({ status: 'delivered', responseStatus: 200, dueAt: null });
  });
});

describe('deliveries are removed in pieces', () => {
  const fill = (webhookId: string, count: number, ended: string) =>
    delivery.store.pool.query(
      `insert into webhook_delivery (webhook_id, event_id, type, occurred_at, status, ended_at)
        select $1, 'evt_' || place, 'job.cancelled', now(), 'delivered', now() - $3::interval from generate_series(1, $2::int) as place`,
      [webhookId, count, ended],
    );
  const left = async () => (await delivery.store.pool.query('select from webhook_delivery')).rowCount;

  it.each([499, 500, 1_001])('all of a webhook that was removed, and of no other: %i', async (count) => {
    await fill('whk_gone', count, '1 hour');
    await fill('whk_other', 3, '1 hour');
    await deliveries.removeOf('whk_gone');
    expect(await left()).toBe(3);
  });

  it('all that ended so long ago, and nothing later', async () => {
    await fill('whk_old', 1_001, '3 hours');
    await fill('whk_new', 4, '1 hour');
    await deliveries.removeOld(2);
    expect(await left()).toBe(4);
  });
});

describe('a webhook', () => {
  it('tells its deliveries to its tenant alone, each by its event', async () => {
    const { id, now } = await taken();
    const { webhooks } = delivery.store;
    const known = await now();
    expect(await webhooks.delivery(TENANT, id, known.eventId)).toEqual(known);
    expect(await refusal(webhooks.delivery(TENANT, id, newId('evt')))).toBe('delivery_not_found');
    expect(await refusal(webhooks.delivery('another', id, known.eventId))).toBe('webhook_not_found');
    expect(await refusal(webhooks.deliveries('another', id, { before: null, limit: 5 }))).toBe('webhook_not_found');
    expect(await webhooks.deliveries(TENANT, id, { before: known.eventId, limit: 5 })).toEqual([]);
    expect(await webhooks.list('another')).toEqual({ items: [], unreadable: 0 });
  });

  it('says who disabled it and since when, sends nothing meanwhile, and forgets it once it is enabled', async () => {
    const changes = await delivery.store.webhooks.changes();
    const input = { url: 'http://127.0.0.1:1/', description: '', eventTypes: ['job.cancelled' as const] };
    const id = await changes.create(TENANT, { ...input, enabled: false }, null);
    const own = { tenantId: TENANT, id };
    const off = { enabled: false, disabledReason: 'by_request', disabledAt: expect.any(Date) as Date };
    expect(await ofWebhook(id)).toMatchObject(off);
    for (const sent of [changes.sendTest(own, null), changes.redeliver(own, newId('evt'), null)])
      await expect(sent).rejects.toMatchObject({ code: 'webhook_disabled', detail: `The webhook ${id} is disabled: enable it first.` });
    await changes.update(own, { enabled: true });
    expect(await ofWebhook(id)).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null });
    expect(await refusal(changes.redeliver(own, newId('evt'), null))).toBe('delivery_not_found');
    await changes.update(own, { enabled: false });
    expect(await ofWebhook(id)).toMatchObject(off);
    for (const other of [
      { ...own, tenantId: 'another' },
      { ...own, id: newId('whk') },
    ]) {
      expect(await refusal(changes.update(other, { enabled: true }))).toBe('webhook_not_found');
      expect(await refusal(changes.delete(other, null))).toBe('webhook_not_found');
    }
  });

  it('has no secret any more that was replaced and is over', async () => {
    const id = await webhook();
    const { webhooks } = delivery.store;
    expect((await webhooks.secret(TENANT, id, 1)).secret.number).toBe(1);
    await expect(webhooks.secret(TENANT, id, 2)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('was replaced since'),
    });
    expect(await (await webhooks.changes()).rotateSecret({ tenantId: TENANT, id }, null)).toBe(2);
    expect((await webhooks.secret(TENANT, id, 2)).webhook.secrets.map(({ number }) => number)).toEqual([2, 1]);
  });
});

describe('a webhook that cannot be opened', () => {
  it('does not count as failing, and its deliveries can be looked up', async () => {
    const { id, one } = await taken();
    await delivery.store.pool.query(`update webhook set sealed = 'changed' where id = $1`, [id]);
    const corrupt: Attempted = { responseStatus: null, error: 'corrupt_content' };
    expect(await deliveries.failed({ ...one, sealed: Buffer.from('changed') }, corrupt, 1_000)).toBeNull();
    const { rows } = await delivery.store.pool.query('select enabled, failing_since from webhook where id = $1', [id]);
    expect(rows).toEqual([{ enabled: true, failing_since: null }]);
    const listed = await delivery.store.webhooks.deliveries(TENANT, id, { before: null, limit: 5 });
    expect(listed).toMatchObject([{ eventId: one.eventId, error: 'corrupt_content' }]);
    expect(await delivery.store.webhooks.delivery(TENANT, id, one.eventId)).toMatchObject({ error: 'corrupt_content' });
    await expect(delivery.store.webhooks.deliveries('another', id, { before: null, limit: 5 })).rejects.toThrow('does not exist');
  });
});
