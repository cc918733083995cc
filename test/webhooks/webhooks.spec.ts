import { randomUUID } from 'node:crypto';
import { newId } from '@lib/store/new-id';
import type {
  WebhookCreatedView,
  WebhookDeliveryListView,
  WebhookListView,
  WebhookSecretView,
  WebhookView,
} from '@lib/store/views/webhook.view';
import { eventually } from '../messaging/eventually';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';
import { answers, Sink } from './support/sink';

const ALL = ['job.completed', 'job.failed', 'job.cancelled', 'thread.deleted'];

let system: System;
let sink: Sink;
beforeAll(async () => {
  [system, sink] = await Promise.all([
    startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } }, environment: { WEBHOOK_LOOPBACK: 'allowed', SWEEP_MS: '20' } }),
    Sink.start(),
  ]);
});
afterAll(async () => {
  await system.stop();
  await sink.close();
});
beforeEach(() => {
  sink.behaviour = answers(204);
  sink.received.length = 0;
});
afterEach(async () => {
  const { webhooks } = await system.client.expect<WebhookListView>(200, 'GET', '/v1/webhooks');
  for (const { id } of webhooks) await system.client.expect(200, 'DELETE', `/v1/webhooks/${id}`);
});

const create = (body: object = {}) =>
  system.client.expect<WebhookCreatedView>(201, 'POST', '/v1/webhooks', { url: sink.url, eventTypes: ALL, ...body });
const deliveries = async (id: string, query = '') =>
  system.client.expect<WebhookDeliveryListView>(200, 'GET', `/v1/webhooks/${id}/deliveries${query}`);

async function keyed(method: string, path: string, key: string, body?: object) {
  const headers = { ...system.client.headers(), 'content-type': 'application/json', 'idempotency-key': key };
  const response = await fetch(system.client.address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, replayed: response.headers.get('idempotent-replayed'), text: await response.text() };
}

describe('a webhook', () => {
  it('is created, read, changed and deleted; its secret is shown once', async () => {
    const { secret, ...created } = await create({ description: 'Mine' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toEqual({
      id: expect.stringMatching(/^whk_/),
      url: sink.url,
      eventTypes: ALL,
      description: 'Mine',
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretExpiresAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const path = `/v1/webhooks/${created.id}`;
    expect(await system.client.expect(200, 'GET', path)).toEqual(created);
    expect(await system.client.expect(200, 'GET', '/v1/webhooks')).toEqual({ webhooks: [created], webhooksUnreadable: 0 });
    const changed = await system.client.expect<WebhookView>(200, 'PATCH', path, { eventTypes: ['job.failed'], enabled: false });
    expect(changed).toMatchObject({
      url: sink.url,
      eventTypes: ['job.failed'],
      description: 'Mine',
      enabled: false,
      disabledReason: 'by_request',
    });
    const again = await system.client.expect<WebhookView>(200, 'PATCH', path, { enabled: true, description: '' });
    expect(again).toMatchObject({ eventTypes: ['job.failed'], description: '', enabled: true, disabledReason: null, disabledAt: null });
    await system.query(
      `insert into webhook_delivery (webhook_id, event_id, type, occurred_at, status, ended_at)
         select $1, 'evt_' || place, 'job.failed', now(), case when place > 0 then 'delivered' else 'pending' end, case when place > 0 then now() end
         from generate_series(0, 600) as place`,
      [created.id],
    );
    expect(await system.client.expect(200, 'DELETE', path)).toEqual({ deleted: true });
    expect(await system.client.send('GET', path)).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    expect(await system.query('select from webhook_delivery where webhook_id = $1', [created.id])).toEqual([]);
    expect(system.logged.join('\n')).not.toContain(secret.slice('whsec_'.length));
  });

  it('that cannot be opened is left out of the list and counted; the others are listed, and it can be deleted', async () => {
    const [kept, changed] = [await create(), await create()];
    await system.query(`update webhook set sealed = 'changed' where id = $1`, [changed.id]);
    const { webhooks, webhooksUnreadable } = await system.client.expect<WebhookListView>(200, 'GET', '/v1/webhooks');
    expect([webhooks.map(({ id }) => id), webhooksUnreadable]).toEqual([[kept.id], 1]);
    const path = `/v1/webhooks/${changed.id}`;
    expect(await system.client.send('GET', path)).toMatchObject({ status: 500, body: { code: 'corrupt_content' } });
    expect(await system.client.expect(200, 'DELETE', path)).toEqual({ deleted: true });
  });

  it('is told of a job that completes and of a thread that is deleted', async () => {
    const { secret, id } = await create();
    const job = await system.client.research({ message: 'What is told?' });
    await sink.has(1);
    await system.client.expect(200, 'DELETE', `/v1/threads/${job.threadId}`);
    await sink.has(2);
    const [completed, deleted] = sink.verified(secret);
    expect(completed).toMatchObject({
      type: 'job.completed',
      timestamp: job.completedAt,
      data: { jobId: job.id, threadId: job.threadId, status: 'completed' },
    });
    expect(deleted).toMatchObject({ type: 'thread.deleted', data: { threadId: job.threadId } });
    // Once the rest of the thread is erased, what was told of its job is gone too.
    await eventually('delivered', async () => (await deliveries(id)).deliveries.map(({ status }) => status).join());
    const left = (await deliveries(id)).deliveries[0];
    expect(left).toMatchObject({
      id: deleted?.id,
      type: 'thread.deleted',
      jobId: null,
      status: 'delivered',
      responseStatus: 204,
      nextAttemptAt: null,
    });
  });

  it('is sent a test event, whatever it asks for, and a delivery again', async () => {
    const { secret, id } = await create({ eventTypes: ['thread.deleted'] });
    const test = await system.client.expect<{ id: string }>(202, 'POST', `/v1/webhooks/${id}/test`);
    expect(test).toMatchObject({ type: 'webhook.test', status: expect.any(String), threadId: null });
    await sink.has(1);
    expect(sink.verified(secret)).toEqual([{ id: test.id, type: 'webhook.test', timestamp: expect.any(String), data: {} }]);
    await eventually('delivered', async () => (await deliveries(id)).deliveries[0]?.status);
    await system.client.expect(202, 'POST', `/v1/webhooks/${id}/deliveries/${test.id}/redeliver`);
    await sink.has(2);
    expect(sink.verified(secret)[1]?.id).toBe(test.id);
    await eventually(2, async () => (await deliveries(id)).deliveries.find(({ status }) => status === 'delivered')?.attempts);
    await system.client.expect(200, 'PATCH', `/v1/webhooks/${id}`, { enabled: false });
    for (const path of ['test', `deliveries/${test.id}/redeliver`])
      expect(await system.client.send('POST', `/v1/webhooks/${id}/${path}`)).toMatchObject({
        status: 409,
        body: { code: 'webhook_disabled' },
      });
  });

  it('lists its deliveries in pages, newest first', async () => {
    const { id } = await create();
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1)
      sent.unshift((await system.client.expect<{ id: string }>(202, 'POST', `/v1/webhooks/${id}/test`)).id);
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: WebhookDeliveryListView = await deliveries(id, `?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(page.deliveries.map((one) => one.id));
      cursor = page.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(sent);
  });

  it('belongs to its tenant alone', async () => {
    const { id } = await create();
    const { id: eventId } = await system.client.expect<{ id: string }>(202, 'POST', `/v1/webhooks/${id}/test`);
    const other = system.client.withKey(await system.keyOf('another'));
    expect(await other.expect(200, 'GET', '/v1/webhooks')).toEqual({ webhooks: [], webhooksUnreadable: 0 });
    const path = `/v1/webhooks/${id}`;
    const requests: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { enabled: false }],
      ['DELETE', path],
      ['POST', `${path}/rotate-secret`],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/deliveries/${eventId}/redeliver`],
    ];
    const detail = `The webhook ${id} does not exist: GET /v1/webhooks lists those that do.`;
    for (const [method, address, body] of requests)
      expect(await other.send(method, address, body)).toMatchObject({ status: 404, body: { code: 'webhook_not_found', detail } });
    expect(await system.client.expect(200, 'GET', path)).toMatchObject({ enabled: true, previousSecretExpiresAt: null });
  });

  it('is one of twenty at most, also where many are created at once', async () => {
    const created = await Promise.all(
      Array.from({ length: 25 }, () => system.client.send('POST', '/v1/webhooks', { url: sink.url, eventTypes: ALL })),
    );
    expect(created.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const { status, body } of created.filter((one) => one.status !== 201))
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'too_many_webhooks' });
  });
});

describe('a request that is repeated with an Idempotency-Key', () => {
  it('creates one webhook, however many at once, and shows its secret again', async () => {
    const key = randomUUID();
    const body = { url: sink.url, eventTypes: ['job.failed'] };
    const same = await Promise.all(Array.from({ length: 10 }, () => keyed('POST', '/v1/webhooks', key, body)));
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(same.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    const { id, secret } = JSON.parse(same[0]?.text ?? '') as WebhookCreatedView;
    expect(secret).toMatch(/^whsec_/);
    expect((await system.client.expect<WebhookListView>(200, 'GET', '/v1/webhooks')).webhooks).toHaveLength(1);
    expect(await keyed('POST', '/v1/webhooks', key, { ...body, description: 'other' })).toMatchObject({ status: 422 });

    const rotation = randomUUID();
    const path = `/v1/webhooks/${id}/rotate-secret`;
    const [first, second] = [await keyed('POST', path, rotation), await keyed('POST', path, rotation)];
    expect(second).toEqual({ ...first, replayed: 'true' });
    const rotated = JSON.parse(first.text) as WebhookSecretView;
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previousSecretExpiresAt ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    // The first secret is still in force.
    expect(JSON.parse((await keyed('POST', '/v1/webhooks', key, body)).text)).toMatchObject({ id, secret });
    await system.client.expect(200, 'POST', path);
    expect(await keyed('POST', '/v1/webhooks', key, body)).toMatchObject({ status: 409 });

    const deletion = randomUUID();
    const deleted = { status: 200, text: '{"deleted":true}' };
    expect(await keyed('DELETE', `/v1/webhooks/${id}`, deletion)).toMatchObject(deleted);
    expect(await keyed('DELETE', `/v1/webhooks/${id}`, deletion)).toEqual({ ...deleted, replayed: 'true' });
    expect(await keyed('POST', '/v1/webhooks', key, body)).toMatchObject({ status: 404 });
  });

  it('sends one test event, and delivers again once', async () => {
    const { id } = await create();
    const [test, again] = [randomUUID(), randomUUID()];
    const [first, second] = [await keyed('POST', `/v1/webhooks/${id}/test`, test), await keyed('POST', `/v1/webhooks/${id}/test`, test)];
    expect([first.status, second.status, second.replayed]).toEqual([202, 202, 'true']);
    const { id: eventId } = JSON.parse(first.text) as { id: string };
    await eventually('delivered', async () => (await deliveries(id)).deliveries[0]?.status);
    const path = `/v1/webhooks/${id}/deliveries/${eventId}/redeliver`;
    expect((await Promise.all([keyed('POST', path, again), keyed('POST', path, again)])).map(({ status }) => status)).toEqual([202, 202]);
    await sink.has(2);
    await eventually(2, async () => (await deliveries(id)).deliveries.find(({ status }) => status === 'delivered')?.attempts);
    expect((await deliveries(id)).deliveries).toHaveLength(1);
    expect(sink.received).toHaveLength(2);
  });
});

it('a text may have as many characters as the contract says, whatever they take in memory, and an address is shown as it is delivered to', async () => {
  const description = '😀'.repeat(200);
  const created = await create({ url: '  https://EXAMPLE.com', description });
  expect(created).toMatchObject({ url: 'https://example.com/', description });
  const { errors } = await system.client.expect<{ errors: object[] }>(400, 'POST', '/v1/webhooks', {
    ...{ url: sink.url, eventTypes: ALL, description: `${description}x` },
  });
  expect(errors).toMatchObject([{ pointer: '/description', code: 'too_long', message: expect.stringContaining('201 characters') }]);
  await system.client.expect(200, 'DELETE', `/v1/webhooks/${created.id}`);
});

describe('a request that is wrong', () => {
  const right = { url: 'https://example.com/hook', eventTypes: ['job.failed'] };
  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['/url', '/eventTypes']],
    ['a list', [], ['']],
    ['null', null, ['']],
    ['unknown properties', { ...right, secret: 'whsec_x', __proto: 1 }, ['/secret', '/__proto']],
    ['a URL that is a number', { ...right, url: 1 }, ['/url']],
    ['a URL of null', { ...right, url: null }, ['/url']],
    ['a URL that is none', { ...right, url: 'example.com' }, ['/url']],
    ['a long URL', { ...right, url: `https://example.com/${'a'.repeat(3000)}` }, ['/url']],
    ['a URL with NUL', { ...right, url: 'https://exa\0mple.com/' }, ['/url']],
    ['the metadata service', { ...right, url: 'http://169.254.169.254/latest/' }, ['/url']],
    ['a private address', { ...right, url: 'https://10.0.0.8/' }, ['/url']],
    ['a mapped address', { ...right, url: 'https://[::ffff:10.0.0.8]/' }, ['/url']],
    ['an odd port', { ...right, url: 'https://example.com:22/' }, ['/url']],
    ['credentials', { ...right, url: 'https://a:b@example.com/' }, ['/url']],
    ['no event', { ...right, eventTypes: [] }, ['/eventTypes']],
    ['an unknown event', { ...right, eventTypes: ['job.completed', 'job.started'] }, ['/eventTypes/1']],
    ['an event twice', { ...right, eventTypes: ['job.failed', 'job.failed'] }, ['/eventTypes/1']],
    ['events that are no texts', { ...right, eventTypes: [null, 1] }, ['/eventTypes/0', '/eventTypes/1']],
    ['an event as a text', { ...right, eventTypes: 'job.failed' }, ['/eventTypes']],
    ['the test event', { ...right, eventTypes: ['webhook.test'] }, ['/eventTypes/0']],
    ['a description of null', { ...right, description: null }, ['/description']],
    ['a long description', { ...right, description: 'a'.repeat(201) }, ['/description']],
    ['half a character', { ...right, description: '\ud800' }, ['/description']],
    ['half a character in its URL', { ...right, url: 'https://example.com/\ud800' }, ['/url']],
    ['NUL', { ...right, description: 'a\0' }, ['/description']],
    ['enabled as a text', { ...right, enabled: 'yes' }, ['/enabled']],
  ])('is refused for %s, and leaves nothing behind', async (_, body, pointers) => {
    const answer = await system.client.send<{ code: string; errors: { pointer: string }[] }>('POST', '/v1/webhooks', body);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.errors.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort());
    expect(await system.client.expect(200, 'GET', '/v1/webhooks')).toEqual({ webhooks: [], webhooksUnreadable: 0 });
  });

  it('is refused where a change would be', async () => {
    const { id } = await create();
    const path = `/v1/webhooks/${id}`;
    for (const body of [{ url: 'https://10.0.0.8/' }, { url: null }, { eventTypes: [] }, { enabled: null }, { id: 'whk_' }])
      expect(await system.client.send('PATCH', path, body)).toMatchObject({ status: 400 });
    expect(await system.client.expect(200, 'GET', path)).toMatchObject({ url: sink.url, eventTypes: ALL });
  });

  it.each([
    ['GET', '/v1/webhooks/whk_1', 400],
    ['GET', `/v1/webhooks/${newId('whk')}`, 404],
    ['DELETE', `/v1/webhooks/${newId('whk')}`, 404],
    ['POST', `/v1/webhooks/${newId('whk')}/test`, 404],
    ['POST', `/v1/webhooks/${newId('whk')}/rotate-secret`, 404],
    ['POST', `/v1/webhooks/${newId('whk')}/deliveries/${newId('evt')}/redeliver`, 404],
    ['POST', `/v1/webhooks/${newId('whk')}/deliveries/evt_/redeliver`, 400],
    ['GET', `/v1/webhooks/${newId('whk')}/deliveries`, 404],
    ['GET', `/v1/webhooks/${newId('whk')}/deliveries?cursor=x`, 400],
    ['GET', `/v1/webhooks/${newId('whk')}/deliveries?limit=0`, 400],
    ['GET', `/v1/webhooks?limit=1`, 400],
    ['PUT', `/v1/webhooks/${newId('whk')}`, 405],
  ])('%s %s is %d', async (method, path, status) => {
    expect((await system.client.send(method, path)).status).toBe(status);
  });

  it('names a delivery that there is not', async () => {
    const { id } = await create();
    const eventId = newId('evt');
    const answer = await system.client.send('POST', `/v1/webhooks/${id}/deliveries/${eventId}/redeliver`);
    const detail = expect.stringContaining(`The webhook ${id} has no delivery ${eventId}: GET /v1/webhooks/${id}/deliveries lists`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'delivery_not_found', detail } });
  });
});
