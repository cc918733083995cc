import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { MAX_UNSEEN } from '@lib/domain/webhook';
import type { WebhookInput } from '@lib/store/webhooks/webhook-changes';
import { deliveryView, webhookView } from '../../src/webhooks/webhook-answers';
import { createResolver } from '../../src/webhooks/guarded-connector';
import { eventually } from '../messaging/eventually';
import { createJob, META, TENANT } from '../support/store';
import { Delivery } from './support/delivery';
import { SERVER_FAILURE, startNameServer } from './support/name-server';
import { answers, Sink, type Behaviour } from './support/sink';

/** As docs/webhooks.md says. */
const MAX_ATTEMPTS = 8;

jest.setTimeout(60_000);

let delivery: Delivery;
let sink: Sink;
beforeEach(async () => {
  [delivery, sink] = await Promise.all([Delivery.start(), Sink.start()]);
});
afterEach(async () => {
  await delivery.close();
  await sink.close();
});

describe('what is told', () => {
  it('are the events that the webhook asks for, with ids and a status alone, signed, under the id of the event', async () => {
    const { id, secret } = await delivery.webhook(sink.url);
    const cancelled = await delivery.cancelledJob();
    const { threadId } = await createJob(delivery.store, { query: 'What nobody may read in a webhook' });
    await delivery.store.threads.delete(threadId, TENANT, META);
    delivery.deliver();
    await sink.has(2);
    const told = sink.verified(secret).sort((one, other) => one.type.localeCompare(other.type));
    expect(told).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'job.cancelled',
        timestamp: expect.any(String),
        data: { ...cancelled, stepIds: undefined, status: 'cancelled' },
      },
      { id: expect.stringMatching(/^evt_/), type: 'thread.deleted', timestamp: expect.any(String), data: { threadId } },
    ]);
    const { rows } = await delivery.store.pool.query<{ event_id: string; at: string }>(
      `select event_id, meta ->> 'occurredAt' as at from event where type in ('JobCancelled', 'ThreadDeleted') order by type`,
    );
    expect(told.map((one) => [one.id, one.timestamp])).toEqual(rows.map(({ event_id, at }) => [event_id, at]));
    expect(sink.received[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'research-threads-webhooks/1' });
    await eventually(2, async () => (await delivery.deliveriesOf(id)).filter(({ status }) => status === 'delivered').length);
  });

  it('is nothing that it does not ask for, nothing of other tenants, and nothing while it is disabled', async () => {
    await delivery.addTenant('another');
    const other = await delivery.webhook(sink.url, { tenantId: 'another' });
    const picky = await delivery.webhook(sink.url, { eventTypes: ['job.completed'] });
    const off = await delivery.webhook(sink.url);
    await (await delivery.store.webhooks.changes()).update({ tenantId: TENANT, id: off.id }, { enabled: false });
    await delivery.cancelledJob();
    for (const { id } of [picky, off]) expect(await delivery.deliveriesOf(id)).toEqual([]);
    expect(await delivery.deliveriesOf(other.id, 'another')).toEqual([]);
  });

  it('stands in the database once the event does, and is gone with its thread, but that the thread was deleted', async () => {
    const { id } = await delivery.webhook(sink.url);
    const { threadId } = await delivery.cancelledJob();
    expect((await delivery.deliveriesOf(id)).map(({ type, status }) => [type, status])).toEqual([['job.cancelled', 'pending']]);
    await delivery.store.threads.delete(threadId, TENANT, META);
    await delivery.store.erasure.erase(threadId);
    expect((await delivery.deliveriesOf(id)).map(({ type, status }) => [type, status])).toEqual([['thread.deleted', 'pending']]);
  });

  it('is written whichever build appends the event', async () => {
    const { id } = await delivery.webhook(sink.url);
    const { jobId } = await createJob(delivery.store);
    // The statement that the build before webhooks ends with, as far as the event goes.
    await delivery.store.pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, 1000, 'evt_of_another_build', 'JobFailed', 1, '{}', meta, '', '' from event where stream_id = $1 and version = 1`,
      [jobId],
    );
    expect(await delivery.deliveriesOf(id)).toMatchObject([{ eventId: 'evt_of_another_build', type: 'job.failed', jobId }]);
  });

  it('carries a signature by each of two secrets after a rotation, and dates each attempt', async () => {
    const { id, secret } = await delivery.webhook(sink.url);
    const changes = await delivery.store.webhooks.changes();
    const number = await changes.rotateSecret({ tenantId: TENANT, id }, null);
    const fresh = (await delivery.store.webhooks.secret(TENANT, id, number)).secret.text;
    expect(fresh).not.toBe(secret);
    sink.behaviour = answers(500);
    delivery.deliver();
    await delivery.cancelledJob();
    await delivery.attempted(id, 1);
    for (const one of [secret, fresh]) expect(sink.verified(one)).toHaveLength(1);
    // A third ends the first one at once.
    await changes.rotateSecret({ tenantId: TENANT, id }, null);
    sink.behaviour = answers(204);
    await delivery.letTimePass();
    await sink.has(2);
    const [first, second] = sink.received;
    const headers = second?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(second?.body ?? '', headers)).toThrow('No matching signature');
    expect(new Webhook(fresh).verify(second?.body ?? '', headers)).toBeTruthy();
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30);
    expect(() => new Webhook(fresh).verify(second?.body.replace('cancelled', 'completed') ?? '', headers)).toThrow();
  });
});

describe('a process whose own clock is off', () => {
  const OTHERS = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setInterval'] as const;
  afterEach(() => jest.useRealTimers());

  it.each([-48, -3, 3, 48])('by %i h dates what it sends by the clock of the database, so that receivers take it', async (hours) => {
    const { id, secret } = await delivery.webhook(sink.url);
    const changes = await delivery.store.webhooks.changes();
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...OTHERS, 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const number = await changes.rotateSecret({ tenantId: TENANT, id }, null);
    const fresh = (await delivery.store.webhooks.secret(TENANT, id, number)).secret.text;
    const shown = webhookView(await delivery.store.webhooks.get(TENANT, id));
    expect(shown.previousSecretExpiresAt).not.toBeNull();
    await delivery.cancelledJob();
    delivery.deliver();
    await sink.has(1);
    jest.useRealTimers();
    // The secret before is in force for a day, on that clock too.
    for (const one of [secret, fresh]) expect(sink.verified(one)).toMatchObject([{ type: 'job.cancelled' }]);
  });

  it('dates what its owner changes of a webhook by that clock too', async () => {
    const changes = await delivery.store.webhooks.changes();
    const began = Date.now();
    jest.useFakeTimers({ now: began + 48 * 3_600_000, doNotFake: [...OTHERS, 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const input: WebhookInput = { url: sink.url, description: '', eventTypes: ['job.failed'], enabled: false };
    const own = { tenantId: TENANT, id: await changes.create(TENANT, input, null) };
    const made = await delivery.store.webhooks.get(TENANT, own.id);
    await changes.update(own, { enabled: true });
    await changes.update(own, { enabled: false });
    const disabled = await delivery.store.webhooks.get(TENANT, own.id);
    await changes.rotateSecret(own, null);
    const rotated = await delivery.store.webhooks.get(TENANT, own.id);
    jest.useRealTimers();
    const times = [made.disabledAt, disabled.disabledAt, disabled.updatedAt, rotated.updatedAt].map((time) => time?.getTime() ?? Infinity);
    expect(Math.max(...times) - began).toBeLessThan(3_600_000);
  });
});

describe('a receiver', () => {
  const hangsUp: Behaviour = (response) => response.socket?.destroy();
  const never: Behaviour = () => undefined;

  it.each<[string, Behaviour, number | null, string]>([
    ['answers 500', answers(500), 500, 'status'],
    ['answers 404', answers(404), 404, 'status'],
    ['redirects to a private address', answers(302, { location: 'http://169.254.169.254/latest/meta-data' }), 302, 'redirect'],
    ['redirects to itself', answers(307, { location: '/elsewhere' }), 307, 'redirect'],
    ['never answers', never, null, 'timeout'],
    ['hangs up', hangsUp, null, 'connection'],
    ['answers what is no HTTP', (response) => response.socket?.end('no HTTP\r\n\r\n'), null, 'connection'],
  ])('that %s is tried again after about 5 s, and only it is asked', async (_, behaviour, responseStatus, error) => {
    sink.behaviour = behaviour;
    const { id } = await delivery.webhook(sink.url);
    delivery.deliver({ timeoutMs: 500 });
    await delivery.cancelledJob();
    const { status, dueAt, attemptedAt, ...rest } = await delivery.attempted(id, 1);
    expect({ status, ...rest }).toMatchObject({ status: 'pending', responseStatus, error });
    const waits = (dueAt?.getTime() ?? 0) - (attemptedAt?.getTime() ?? 0);
    expect(waits).toBeGreaterThan(4_400);
    expect(waits).toBeLessThan(15_000);
    expect(sink.received.map(({ path }) => path)).toEqual(['/hook']);
    await eventually(true, async () => (await delivery.store.webhooks.get(TENANT, id)).failingSince !== null);
    sink.behaviour = answers(200);
    await delivery.letTimePass();
    expect(await delivery.attempted(id, 2)).toMatchObject({ status: 'delivered', responseStatus: 200, error: null, dueAt: null });
    await eventually(null, async () => (await delivery.store.webhooks.get(TENANT, id)).failingSince);
  });

  it('whose name could not be looked up is tried again, and does not count as failing, however long it was', async () => {
    const names = await startNameServer(() => SERVER_FAILURE);
    const { id } = await delivery.webhook('https://hook.example.com/');
    await delivery.cancelledJob();
    delivery.deliver({ resolve: createResolver([names.address]) });
    expect(await delivery.attempted(id, 1)).toMatchObject({ status: 'pending', responseStatus: null, error: 'name_not_resolved' });
    await delivery.letTimePass();
    await delivery.attempted(id, 2);
    expect(await delivery.store.webhooks.get(TENANT, id)).toMatchObject({ enabled: true, failingSince: null });
    names.close();
  });

  it('to which this process can open no connection are tried again, do not count as failing, and the operator is told once what is lacking', async () => {
    const lacking = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE', syscall: 'connect' });
    const { id } = await delivery.webhook('https://hook.example.com/');
    await delivery.cancelledJob();
    delivery.deliver({ resolve: () => Promise.reject(lacking) });
    expect(await delivery.attempted(id, 1)).toMatchObject({ status: 'pending', responseStatus: null, error: 'not_called' });
    await delivery.letTimePass();
    await delivery.attempted(id, 2);
    expect(await delivery.store.webhooks.get(TENANT, id)).toMatchObject({ enabled: true, failingSince: null });
    expect(delivery.logged.filter(({ reason }) => reason === 'webhook_not_called')).toMatchObject([
      { times: 1, why: expect.stringContaining('ulimit -n') },
    ]);
  });

  it('is not told whether a name has an address that is refused, or none', async () => {
    const shown = async (addresses: { address: string; family: number }[]) => {
      const { id } = await delivery.webhook('https://hook.example.com/');
      await delivery.cancelledJob();
      const deliverer = delivery.deliver({ resolve: async () => addresses });
      const attempted = await delivery.attempted(id, 1);
      await deliverer.stop(1_000);
      return [attempted.error, deliveryView(attempted).error];
    };
    expect(await shown([])).toEqual(['name_not_found', 'address_refused']);
    expect(await shown([{ address: '10.0.0.1', family: 4 }])).toEqual(['address_refused', 'address_refused']);
  });

  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  const SOON = [4, 15] as const;
  const HOUR = 3_600;
  const DAY = 24 * HOUR;

  it.each<[number, string, readonly [least: number, most: number]]>([
    [429, '600', [600, 610]],
    [503, '  600 ', [600, 610]],
    [503, inSeconds(2 * HOUR), [HOUR, 2 * HOUR]],
    [429, '999999999999', [DAY, DAY + 10]],
    [503, inSeconds(90 * DAY), [DAY, DAY + 10]],
    // Sooner than it would be tried anyway.
    [429, '1', SOON],
    [429, inSeconds(-60), SOON],
    // Not said so that it can be read, or by an answer that does not say it.
    ...['', '-600', '6e2', '0x258', 'soon', '600 s', '600, 700', 'NaN', 'Infinity', '2099-01-01', 'Fri, 99 Foo'].map(
      (text): [number, string, typeof SOON] => [503, text, SOON],
    ),
    [500, '600', SOON],
    [404, '600', SOON],
  ])('that answers %i and asks to come again after %j is asked again in time', async (status, retryAfter, [least, most]) => {
    sink.behaviour = answers(status, { 'retry-after': retryAfter });
    const { id } = await delivery.webhook(sink.url);
    delivery.deliver();
    await delivery.cancelledJob();
    const { dueAt, attemptedAt, ...rest } = await delivery.attempted(id, 1);
    expect(rest).toMatchObject({ status: 'pending', responseStatus: status, error: 'status' });
    const waits = ((dueAt?.getTime() ?? 0) - (attemptedAt?.getTime() ?? 0)) / 1000;
    expect(waits).toBeGreaterThanOrEqual(least);
    expect(waits).toBeLessThanOrEqual(most);
  });

  it('that answers with 200 MB is heard out as far as its status', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024);
    sink.behaviour = (response) => {
      response.writeHead(200);
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    };
    const { id } = await delivery.webhook(sink.url);
    delivery.deliver();
    await delivery.cancelledJob();
    expect(await delivery.attempted(id, 1)).toMatchObject({ status: 'delivered', responseStatus: 200 });
    expect(sent).toBeLessThan(50);
  });

  it('that answers 410 is disabled at once with that reason; what waited for it is dropped', async () => {
    sink.behaviour = answers(410);
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    delivery.deliver({ perWebhook: 1 });
    await eventually(false, async () => (await delivery.store.webhooks.get(TENANT, id)).enabled);
    expect(await delivery.store.webhooks.get(TENANT, id)).toMatchObject({ disabledReason: 'gone', disabledAt: expect.any(Date) });
    expect(await delivery.attempted(id, 1)).toMatchObject({ status: 'failed', error: 'gone', responseStatus: 410 });
    await delivery.cancelledJob();
    expect(await delivery.deliveriesOf(id)).toHaveLength(1);
    expect(delivery.logged).toContainEqual(expect.objectContaining({ reason: 'webhook_disabled', webhookId: id, why: 'gone' }));
  });

  it('that has failed for a week is disabled with that reason once every attempt of an event has failed, and not a minute earlier', async () => {
    sink.behaviour = answers(503);
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    const { pool } = delivery.store;
    const fails = (since: string) =>
      pool.query(`update webhook set failing_since = clock_timestamp() - $1::interval where id = $2`, [since, id]);
    const isEnabled = async () => (await delivery.store.webhooks.get(TENANT, id)).enabled;
    const attempt = async (count: number) => {
      const deliverer = delivery.deliver();
      await delivery.attempted(id, count);
      // It is judged after the attempt is recorded.
      await deliverer.stop(10_000);
      await delivery.letTimePass();
    };
    const lastOfAll = () => pool.query("update webhook_delivery set failures = $1, error = 'status'", [MAX_ATTEMPTS - 1]);
    await fails('7 days 1 minute');
    await attempt(1);
    expect(await isEnabled()).toBe(true);
    await lastOfAll();
    await fails('6 days 23 hours 59 minutes');
    await attempt(2);
    expect(await isEnabled()).toBe(true);
    await delivery.cancelledJob();
    await lastOfAll();
    await fails('7 days 1 minute');
    delivery.deliver();
    await eventually(false, isEnabled);
    expect((await delivery.store.webhooks.get(TENANT, id)).disabledReason).toBe('failing');
    expect(sink.received).toHaveLength(3);
  });

  it('what waits for it when it is disabled is not sent', async () => {
    sink.behaviour = answers(503);
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    const deliverer = delivery.deliver();
    await delivery.attempted(id, 1);
    await deliverer.stop(10_000);
    await delivery.store.pool.query('update webhook set enabled = false where id = $1', [id]);
    await delivery.letTimePass();
    delivery.deliver();
    await eventually('failed', async () => (await delivery.deliveriesOf(id))[0]?.status);
    // Nothing was sent the second time, so it is no attempt.
    expect(await delivery.deliveriesOf(id)).toMatchObject([{ error: 'webhook_disabled', attempts: 1, attemptedAt: expect.any(Date) }]);
    expect(sink.received).toHaveLength(1);
  });

  it('that fails every attempt is tried eight times, and again on request', async () => {
    sink.behaviour = answers(500);
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    delivery.deliver();
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await delivery.attempted(id, attempt);
      await delivery.letTimePass();
    }
    await eventually('failed', async () => (await delivery.deliveriesOf(id))[0]?.status);
    expect(await delivery.attempted(id, MAX_ATTEMPTS)).toMatchObject({ status: 'failed', error: 'status', dueAt: null });
    expect(sink.received).toHaveLength(MAX_ATTEMPTS);
    sink.behaviour = answers(200);
    const [failed] = await delivery.deliveriesOf(id);
    await (await delivery.store.webhooks.changes()).redeliver({ tenantId: TENANT, id }, failed?.eventId ?? '', null);
    await eventually('delivered', async () => (await delivery.deliveriesOf(id))[0]?.status);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('of which attempts were taken and never seen again, as where answers of the database are lost, has all of its own', async () => {
    sink.behaviour = answers(500);
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    const { deliveries, pool } = delivery.store;
    const lost = async () => {
      const room = { free: 10, perWebhook: 4, perTenant: 16, failing: false, underWay: [], leaseMs: 60_000 };
      expect(await deliveries.take(room)).toHaveLength(1);
      await delivery.letTimePass();
    };
    for (let taken = 0; taken < MAX_UNSEEN; taken += 1) await lost();
    const hours = `select round(extract(epoch from due_at - clock_timestamp()) / 3600) as hours from webhook_delivery`;
    await pool.query('update webhook_delivery set due_at = clock_timestamp()');
    await deliveries.take({ free: 10, perWebhook: 4, perTenant: 16, failing: false, underWay: [], leaseMs: 60_000 });
    expect((await pool.query(hours)).rows).toEqual([{ hours: '1' }]);
    await pool.query('update webhook_delivery set unseen = $1, due_at = clock_timestamp()', [MAX_UNSEEN - 1]);
    delivery.deliver();
    await sink.has(1);
    await eventually('status', async () => (await delivery.deliveriesOf(id))[0]?.error);
    const { rows } = await pool.query('select status, failures, unseen from webhook_delivery');
    expect(rows).toEqual([{ status: 'pending', failures: 1, unseen: MAX_UNSEEN }]);
    // What may end its processes is given up in the end; asked for again it has all of its attempts.
    await pool.query('update webhook_delivery set error = null, response_status = null');
    await delivery.letTimePass();
    await eventually('interrupted', async () => (await delivery.deliveriesOf(id))[0]?.error);
    expect(sink.received).toHaveLength(1);
    sink.behaviour = answers(204);
    const [failed] = await delivery.deliveriesOf(id);
    await (await delivery.store.webhooks.changes()).redeliver({ tenantId: TENANT, id }, failed?.eventId ?? '', null);
    await eventually('delivered', async () => (await delivery.deliveriesOf(id))[0]?.status);
  });

  it('that fails while its event is asked for again gets that event with all of its attempts', async () => {
    const answer = Promise.withResolvers<void>();
    sink.behaviour = (response, request) => void answer.promise.then(() => answers(500)(response, request));
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    await delivery.store.pool.query("update webhook_delivery set failures = $1, error = 'status'", [MAX_ATTEMPTS - 1]);
    const deliverer = delivery.deliver({ perWebhook: 1 });
    await sink.has(1);
    const [underWay] = await delivery.deliveriesOf(id);
    await (await delivery.store.webhooks.changes()).redeliver({ tenantId: TENANT, id }, underWay?.eventId ?? '', null);
    sink.behaviour = answers(204);
    answer.resolve();
    await eventually('delivered', async () => (await delivery.deliveriesOf(id))[0]?.status);
    expect(sink.received).toHaveLength(2);
    await deliverer.stop(1_000);
  });

  it('fails no longer once anything was delivered, be it by an attempt that began before the failure', async () => {
    const pending: (() => void)[] = [];
    sink.behaviour = (response, request) => {
      const status = pending.length === 1 ? 204 : 500;
      pending.push(() => answers(status)(response, request));
    };
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    await delivery.cancelledJob();
    delivery.deliver();
    await sink.has(2);
    pending[0]?.();
    await eventually(true, async () => (await delivery.store.webhooks.get(TENANT, id)).failingSince !== null);
    pending[1]?.();
    await eventually(null, async () => (await delivery.store.webhooks.get(TENANT, id)).failingSince);
    expect((await delivery.deliveriesOf(id)).map(({ status }) => status).sort()).toEqual(['delivered', 'pending']);
  });

  it('that moves to another URL is judged by that one alone, and gets there what the old one refused as gone', async () => {
    const answer = Promise.withResolvers<void>();
    sink.behaviour = (response, request) => void answer.promise.then(() => answers(410)(response, request));
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    delivery.deliver();
    await sink.has(1);
    await delivery.store.pool.query('update webhook set failing_since = clock_timestamp()');
    await (await delivery.store.webhooks.changes()).update({ tenantId: TENANT, id }, { url: `${sink.url}/elsewhere` });
    expect((await delivery.store.webhooks.get(TENANT, id)).failingSince).toBeNull();
    answer.resolve();
    expect(await delivery.attempted(id, 1)).toMatchObject({ status: 'pending', error: 'gone', responseStatus: 410 });
    expect(await delivery.store.webhooks.get(TENANT, id)).toMatchObject({ enabled: true, failingSince: null });
    sink.behaviour = answers(204);
    await delivery.letTimePass();
    expect(await delivery.attempted(id, 2)).toMatchObject({ status: 'delivered' });
    expect(sink.received.map(({ path }) => path)).toEqual(['/hook', '/hook/elsewhere']);
    expect((await delivery.store.webhooks.get(TENANT, id)).enabled).toBe(true);
  });
});

describe('a dead receiver', () => {
  it('delays no other, however much waits for it and however many of its kind there are', async () => {
    const dead = await Sink.start(() => undefined);
    const eventTypes: ['job.cancelled'] = ['job.cancelled'];
    const stuck = await Promise.all(Array.from({ length: 6 }, () => delivery.webhook(dead.url, { eventTypes })));
    for (let job = 0; job < 10; job += 1) await delivery.cancelledJob();
    const { secret } = await delivery.webhook(sink.url, { eventTypes });
    // Far fewer at a time than the dead ones would take, and each of those for longer than the test may last.
    delivery.deliver({ most: 8, perWebhook: 1, timeoutMs: 50_000 });
    await dead.has(6);
    for (let job = 0; job < 20; job += 1) await delivery.cancelledJob();
    await sink.has(20);
    expect(sink.verified(secret)).toHaveLength(20);
    // One at a time for each: nobody has more of the room than that.
    expect(dead.received).toHaveLength(stuck.length);
    await dead.close();
  });

  it('leaves its place to others once it is known to fail, even where the dead ones are more than there is room', async () => {
    const dead = await Sink.start(() => undefined);
    const stuck = await Promise.all(Array.from({ length: 5 }, () => delivery.webhook(dead.url)));
    await delivery.store.pool.query('update webhook set failing_since = clock_timestamp()');
    await delivery.webhook(sink.url);
    for (let job = 0; job < 3; job += 1) await delivery.cancelledJob();
    delivery.deliver({ most: 2, perWebhook: 1, timeoutMs: 50_000 });
    await Promise.all([sink.has(3), dead.has(2)]);
    expect(dead.received.length).toBeLessThan(stuck.length);
    await dead.close();
  });
});

it('a webhook that begins to fail while attempts are under way gets no more at a time than before', async () => {
  // The first is refused, and no other is answered.
  sink.behaviour = (response, request) => void (sink.received.length === 1 && answers(500)(response, request));
  const { id } = await delivery.webhook(sink.url);
  for (let job = 0; job < 12; job += 1) await delivery.cancelledJob();
  const take = jest.spyOn(delivery.store.deliveries, 'take');
  delivery.deliver({ timeoutMs: 50_000 });
  await sink.has(5);
  const looked = take.mock.calls.length;
  await eventually(true, async () => take.mock.calls.slice(looked).filter(([{ failing }]) => failing).length > 2);
  expect((await delivery.store.webhooks.get(TENANT, id)).failingSince).toBeInstanceOf(Date);
  expect((await delivery.deliveriesOf(id)).filter(({ attempts }) => attempts > 0)).toHaveLength(5);
  expect(sink.received).toHaveLength(5);
});

describe('a tenant', () => {
  it('whose receivers all take their time leaves room to the others', async () => {
    const slow = await Sink.start(() => undefined);
    await delivery.addTenant('another');
    for (let webhook = 0; webhook < 12; webhook += 1) await delivery.webhook(slow.url, { tenantId: 'another' });
    await delivery.webhook(sink.url);
    for (let job = 0; job < 2; job += 1) {
      const { jobId } = await createJob(delivery.store, { tenantId: 'another' });
      await delivery.store.jobs.execute(jobId, { type: 'CancelJob' }, META);
    }
    delivery.deliver({ most: 8, perWebhook: 2, perTenant: 5, timeoutMs: 50_000 });
    await slow.has(5);
    await delivery.cancelledJob();
    await delivery.cancelledJob();
    await sink.has(2);
    expect(slow.received).toHaveLength(5);
    await slow.close();
  });
});

describe('several processes', () => {
  it('deliver each event once, as long as none of them dies', async () => {
    const { id, secret } = await delivery.webhook(sink.url);
    for (const _ of [1, 2, 3]) delivery.deliver();
    await Promise.all(Array.from({ length: 60 }, () => delivery.cancelledJob()));
    await sink.has(60);
    await eventually(60, async () => (await delivery.deliveriesOf(id)).filter(({ status }) => status === 'delivered').length);
    expect(new Set(sink.verified(secret).map((told) => told.id)).size).toBe(60);
    expect(sink.received).toHaveLength(60);
  });

  it('take up what one that stopped has left, without counting it as a failure', async () => {
    sink.behaviour = () => undefined;
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    const first = delivery.deliver({ timeoutMs: 50_000 });
    await sink.has(1);
    await first.stop(0);
    expect((await delivery.store.webhooks.get(TENANT, id)).failingSince).toBeNull();
    sink.behaviour = answers(204);
    await delivery.letTimePass();
    delivery.deliver();
    expect(await delivery.attempted(id, 2)).toMatchObject({ status: 'delivered' });
  });

  it('remove what was written for a webhook while it was deleted', async () => {
    const { id } = await delivery.webhook(sink.url);
    await delivery.cancelledJob();
    await delivery.store.pool.query('delete from webhook where id = $1', [id]);
    delivery.deliver();
    const left = async () => (await delivery.store.pool.query('select from webhook_delivery')).rowCount;
    await eventually(0, left);
    expect(sink.received).toEqual([]);
  });
});

it('a webhook of the release before, which took control characters in a URL, is still told', async () => {
  const { secret } = await delivery.webhook(sink.url.replace(/\/?$/, '/ho\nok\t'));
  delivery.deliver();
  await delivery.cancelledJob();
  await sink.has(1);
  expect(sink.verified(secret)).toHaveLength(1);
});

it('a webhook that cannot be opened is told to the operator, and keeps no other from being told', async () => {
  const broken = await delivery.webhook(sink.url);
  await delivery.store.pool.query(`update webhook set sealed = '\\x00' where id = $1`, [broken.id]);
  const { secret } = await delivery.webhook(sink.url);
  await delivery.cancelledJob();
  delivery.deliver();
  await sink.has(1);
  expect(sink.verified(secret)).toHaveLength(1);
  await eventually(true, async () => delivery.logged.some(({ alert, webhookId }) => alert === true && webhookId === broken.id));
});

it('what is stored of a webhook shows neither its URL nor its secret nor its description', async () => {
  const { secret } = await delivery.webhook(`${sink.url}?token=not-for-everybody`);
  const { rows } = await delivery.store.pool.query<{ row: string }>('select webhook::text as row from webhook');
  const stored = Buffer.concat(rows.map(({ row }) => Buffer.from(row)));
  for (const hidden of ['not-for-everybody', secret, secret.slice('whsec_'.length), Buffer.from('not-for-everybody').toString('hex')])
    expect(stored.includes(hidden)).toBe(false);
});

it('a connection that is opened and then silent is given up in time', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined).resume()));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  // As TLS, which the server never answers.
  const { id } = await delivery.webhook(`https://127.0.0.1:${port}/`);
  await delivery.cancelledJob();
  delivery.deliver({ timeoutMs: 500 });
  expect(await delivery.attempted(id, 1)).toMatchObject({ error: 'timeout', responseStatus: null });
  await eventually(true, async () => sockets.every(({ closed }) => closed));
  silent.close();
  const refused = connect(port, '127.0.0.1');
  await once(refused, 'error');
});
