import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { createPool } from '@lib/store/postgres/pool';
import { createMetrics } from '../../src/telemetry/metrics';
import { ObservedTransport } from '../../src/telemetry/observed-transport';
import { eventually } from '../messaging/eventually';
import { createMigratedDatabase } from '../servers/database';
import { FAILING, NEVER_MS } from '../system/support/providers-file';
import { onNats, startSystem, type System } from '../system/support/system';
import { sampleOf, scrape, type Sample } from './scrape';
import { HOLD } from '../support/hold';

jest.setTimeout(120_000);

const adminOf = ({ logged }: System): string => {
  const lines = logged.map((line) => JSON.parse(line) as { reason?: string; address?: string });
  return String(lines.find(({ reason }) => reason === 'admin')?.address);
};

describe('a running service tells', () => {
  let system: System;
  let url: string;

  beforeAll(async () => {
    const database = await createMigratedDatabase();
    url = database.url;
    system = await startSystem({
      database,
      providers: { 'provider-a': { reserveCents: 5, costCents: 3 }, 'provider-b': FAILING, 'provider-d': { latencyMs: NEVER_MS } },
      environment: { ADMIN_PORT: '0', METRICS_TENANTS: 'default, unheard-of', WEBHOOK_LOOPBACK: 'allowed', SWEEP_MS: '100' },
    });
  });
  afterAll(() => system.stop());

  const told = (): Promise<Sample[]> => scrape(adminOf(system));
  const value = async (name: string, labels: Record<string, string> = {}) => sampleOf(await told(), name, labels);
  const becomes = (wanted: number, name: string, labels: Record<string, string> = {}) =>
    eventually(wanted, () => value(name, labels), 30_000);

  it('how long providers took and what they billed, by what came of it', async () => {
    await system.client.research({ message: 'q', providers: ['provider-a', 'provider-b'] });
    await becomes(1, 'research_provider_call_seconds_count', { provider: 'provider-a', outcome: 'completed', failure: '' });
    await becomes(1, 'research_provider_call_seconds_count', { provider: 'provider-b', outcome: 'failed', failure: 'auth' });
    await becomes(0.03, 'research_provider_billed_dollars_total', { provider: 'provider-a', outcome: 'completed' });
    expect(await value('research_work_dispatched_total', { kind: 'step', outcome: 'queued' })).toBeGreaterThanOrEqual(2);
    expect(await value('research_work_deliveries_total', { kind: 'step', again: 'false' })).toBeGreaterThanOrEqual(2);
  });

  it('jobs and cents of the tenants that it was told to tell apart, and of the others together', async () => {
    const stranger = system.client.withKey(await system.keyOf('stranger'));
    await stranger.research({ message: 'q', providers: ['provider-a'] });
    await becomes(1, 'research_tenant_jobs_finished_total', { tenant: 'other', status: 'completed' });
    expect(await value('research_tenant_jobs_finished_total', { tenant: 'default', status: 'completed' })).toBeGreaterThanOrEqual(1);
    expect(await value('research_tenant_charged_dollars_total', { tenant: 'other' })).toBeCloseTo(0.03);
    expect(JSON.stringify(await told())).not.toContain('stranger');
  });

  it('who waits by long polls and event streams', async () => {
    const { client } = system;
    const thread = await client.createThread({ message: 'q', providers: ['provider-d'] });
    const path = `${client.address}/v1/threads/${thread.id}/jobs/${thread.job.id}`;
    const leaving = new AbortController();
    const { signal } = leaving;
    const poll = fetch(path, { headers: { ...client.headers(), prefer: 'wait=60' }, signal }).catch(() => null);
    await fetch(`${path}/events`, { headers: { ...client.headers(), accept: 'text/event-stream' }, signal });
    await becomes(1, 'research_waiting_clients', { kind: 'long poll' });
    await becomes(1, 'research_waiting_clients', { kind: 'event stream' });
    expect(await value('research_held_items', { name: 'waiting clients' })).toBe(2);
    leaving.abort();
    await poll;
    await becomes(0, 'research_waiting_clients');
    await client.expect(200, 'DELETE', `/v1/threads/${thread.id}`);
  });

  it('writes that had to be decided again', async () => {
    const { client } = system;
    const thread = await client.createThread({ message: 'q', providers: ['provider-a'] });
    await client.finalJob(thread.id, thread.job.id);
    const pool = createPool(url, 1);
    const holder = await pool.connect();
    await holder.query(HOLD);
    await holder.query('select from thread_key where thread_id = $1 for update', [thread.id]);
    const added = client.send('POST', `/v1/threads/${thread.id}/messages`, { message: 'more' });
    await eventually(true, async () => (await value('research_commit_conflicts_total', { reason: 'locked' })) > 0);
    await holder.query('rollback');
    holder.release();
    await pool.end();
    expect((await added).status).toBe(201);
  });

  it('what became of deliveries to webhooks, what is due, and which are off', async () => {
    const { client } = system;
    const gone = createServer((_, response) => response.writeHead(410).end()).listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const address = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
    await client.expect(201, 'POST', '/v1/webhooks', { url: address, eventTypes: ['job.completed'] });
    await client.expect(201, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/', eventTypes: ['job.completed'] });
    await client.research({ message: 'q', providers: ['provider-a'] });
    await becomes(1, 'research_webhook_attempts_total', { outcome: 'gone' });
    await becomes(1, 'research_webhooks_disabled_total', { reason: 'gone' });
    await eventually(true, async () => (await value('research_webhook_attempts_total', { outcome: 'connection' })) > 0);
    await becomes(1, 'research_webhooks_disabled');
    await eventually(true, async () => (await value('research_webhook_deliveries_pending')) > 0, 20_000);
    expect(await value('research_webhook_delivery_oldest_seconds')).toBeGreaterThanOrEqual(0);
    gone.close();
  });
});

it('a saga without workers tells what its sweepers dispatch again', async () => {
  const environment = { ...onNats(), ADMIN_PORT: '0', SWEEP_MS: '50', REDISPATCH_FIRST_MS: '100', REDISPATCH_MS: '200' };
  const system = await startSystem({ roles: ['api,saga'], environment });
  try {
    await system.client.createThread({ message: 'q', providers: ['provider-a'] });
    const swept = async () =>
      sampleOf(await scrape(adminOf(system)), 'research_swept_total', { kind: 'dispatch step', outcome: 'already_queued' });
    await eventually(true, async () => (await swept()) > 0, 20_000);
    expect(await swept()).toBeGreaterThan(0);
  } finally {
    await system.stop();
  }
});

it('wake-ups that come again are told apart', async () => {
  const metrics = createMetrics({ roles: 'worker', build: 'test' });
  const transport = new ObservedTransport(createMemoryTransport(), { tracing: null, metrics });
  const acknowledged = Promise.withResolvers<void>();
  await transport.consume({ kind: 'synthesis' }, 1, async (delivery) => {
    if (delivery.deliveries === 1) return delivery.retryAfter(1);
    delivery.ack();
    acknowledged.resolve();
  });
  await transport.dispatch({ kind: 'synthesis', jobId: 'job_1', first: true });
  await acknowledged.promise;
  const { values } = await metrics.deliveries.get();
  expect(values.filter(({ value }) => value > 0)).toEqual([
    { labels: { kind: 'synthesis', again: 'false' }, value: 1 },
    { labels: { kind: 'synthesis', again: 'true' }, value: 1 },
  ]);
  await transport.close();
});
