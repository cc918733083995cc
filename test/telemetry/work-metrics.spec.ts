import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Registry } from 'prom-client';
import { DAY_MS } from '@lib/domain/durations';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { createPool } from '@lib/store/postgres/pool';
import { Checkpointer } from '../../src/audit/checkpointer';
import { sequence } from '../../src/audit/sequencer';
import type { CheckpointSettings } from '../../src/audit/checkpoint-settings';
import { measureCheckpoints } from '../../src/telemetry/checkpoint-metrics';
import { createMetrics } from '../../src/telemetry/metrics';
import { startAdminServer, type AdminServer } from '../../src/telemetry/admin-server';
import { measureWork } from '../../src/telemetry/work-metrics';
import { Readiness } from '../../src/api/health';
import { createLogger } from '../../src/api/logging';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { eventually } from '../messaging/eventually';
import { sampleOf, scrape } from './scrape';

const logger = createLogger('silent');
/** The file of the last checkpoint of a day. */
const dayOf = (moment: Date): string => `checkpoint-${moment.toISOString().slice(0, 10)}`;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function adminOf(registry: Registry): Promise<AdminServer> {
  const server = await startAdminServer({ host: '127.0.0.1', port: 0, registry, readiness: new Readiness(logger), logger });
  closing.push(() => server.close());
  return server;
}

async function testStore(): Promise<TestStore> {
  const test = await createTestStore();
  closing.push(() => test.close());
  return test;
}

/** A new registry on each call, since what was told a moment ago is told again. */
async function tell({ store }: TestStore, settings: CheckpointSettings | null = null) {
  const registry = new Registry();
  measureWork(registry, store.pool, logger);
  measureCheckpoints(registry, store.pool, settings, logger);
  return scrape((await adminOf(registry)).address);
}

describe.each([
  ['refuses connections', async () => 1],
  [
    'answers nothing',
    async () => {
      const server: Server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      closing.push(async () => server.close());
      return (server.address() as AddressInfo).port;
    },
  ],
])('a scrape while the database %s', (_, start) => {
  it('tells what needs no database, and nothing of what waits', async () => {
    const pool = createPool(`postgresql://nobody@127.0.0.1:${await start()}/none`, 2);
    closing.push(() => pool.end());
    const { registry, jobsCreated } = createMetrics({ roles: 'saga', build: 'test' });
    jobsCreated.inc({ tier: 'M', mode: 'fast' }, 3);
    measureWork(registry, pool, logger);
    const { address } = await adminOf(registry);
    const told = await scrape(address);
    expect(sampleOf(told, 'research_info', { roles: 'saga' })).toBe(1);
    expect(sampleOf(told, 'research_jobs_created_total', { tier: 'M' })).toBe(3);
    expect(told.filter(({ name }) => /^research_(steps?_(waiting|running)|agenda|checkpoint)/.test(name))).toEqual([]);
  });
});

it('tells the age of the oldest step that waits, also where another one of its provider waits for a later time', async () => {
  const test = await testStore();
  await createJob(test.store);
  const { rows } = await test.store.pool.query<{ provider: string }>(
    `update agenda set due_at = now() - interval '15 minutes' where kind = 'dispatch step' returning provider`,
  );
  const provider = String(rows[0]?.provider);
  const { rowCount } = await test.store.pool.query(
    `insert into agenda (job_id, kind, ref, step_id, attempt, provider, due_at, look_at)
      select job_id, 'retry', ref, step_id, attempt, provider, now() + interval '1 hour', look_at from agenda where provider = $1`,
    [provider],
  );
  expect(rowCount).toBeGreaterThan(0);
  const told = await tell(test);
  expect(sampleOf(told, 'research_step_waiting_oldest_seconds', { provider })).toBeGreaterThan(890);
  expect(sampleOf(told, 'research_agenda_oldest_seconds', { kind: 'dispatch step' })).toBeGreaterThan(890);
});

it('tells of which provider no step may start, and not of one that holds back a single tenant', async () => {
  const test = await testStore();
  const { admission } = test.store;
  await admission.hold('provider-a', 60_000);
  await admission.recordFailure('provider-b', 1, 60_000);
  await test.store.pool.query(
    `insert into provider_gate (provider, failures, down, held_from) values ('provider-c/tenant', 5, true, now())`,
  );
  const held = async () => {
    const told = await tell(test);
    return PROVIDERS.filter((provider) => sampleOf(told, 'research_provider_held', { provider }) === 1);
  };
  expect(await held()).toEqual(['provider-a', 'provider-b']);
  await admission.release('provider-a');
  expect(await held()).toEqual(['provider-b']);
});

it('tells for how long events have been waiting for their place in the log', async () => {
  const test = await testStore();
  const lag = async () => (await tell(test)).find(({ name }) => name === 'research_log_lag_seconds')?.value;
  await createJob(test.store);
  expect(await lag()).toBeUndefined();
  // Transactions of other databases on the server may hold it up.
  await eventually(0, async () => (await sequence(test.store.pool), (await lag()) ?? -1));
  await createJob(test.store);
  await eventually(true, async () => ((await lag()) ?? 0) > 0.05);
  await eventually(0, async () => (await sequence(test.store.pool), (await lag()) ?? -1));
});

describe('the age of the newest checkpoint', () => {
  const KEY = Buffer.alloc(32, 7);
  const settingsOf = (folder: string | null) => ({ keys: [KEY], origin: 'audit.example.org/log', folder, witnesses: [] });
  const sign = (test: TestStore, folder: string | null = null) => new Checkpointer(test.store.pool, settingsOf(folder), logger).sign();
  const age = async (test: TestStore, folder: string | null = null) =>
    (await tell(test, settingsOf(folder))).find(({ name }) => name === 'research_checkpoint_age_seconds')?.value;

  it('is absent without any, 0 while nothing is newer than it, and then that of the last signature', async () => {
    const test = await testStore();
    await createJob(test.store);
    await sequence(test.store.pool);
    expect(await age(test)).toBeUndefined();
    await sign(test);
    await test.store.pool.query(`update checkpoint set signed_at = now() - interval '2 days'`);
    expect(await age(test)).toBe(0);
    // Nobody has given it a place in the log.
    await createJob(test.store);
    expect(await age(test)).toBeGreaterThan(170_000);
    await sequence(test.store.pool);
    expect(await age(test)).toBeGreaterThan(170_000);
    await sign(test);
    expect(await age(test)).toBe(0);
  });

  it('is that of the last one in the folder while newer ones cannot be written there, and absent while it cannot be read', async () => {
    const test = await testStore();
    const folder = mkdtempSync(join(tmpdir(), 'research-checkpoint-age-'));
    closing.push(() => rm(folder, { recursive: true }));
    const days = [dayOf(new Date()), dayOf(new Date(Date.now() + DAY_MS))].map((day) => join(folder, day));
    // There is a folder in the place of each file that is written before the newest one.
    const obstruct = () => {
      for (const day of days) rmSync(day, { force: true });
      for (const day of days) mkdirSync(day);
    };
    const clear = () => days.forEach((day) => rmSync(day, { recursive: true }));
    const append = async () => (await createJob(test.store), sequence(test.store.pool));
    await append();
    obstruct();
    await sign(test, folder);
    await test.store.pool.query(`update checkpoint set signed_at = now() - interval '2 hours'`);
    // It has the newest event, but nobody outside does.
    expect(await age(test, folder)).toBeGreaterThan(7_000);
    clear();
    await sign(test, folder);
    expect(await age(test, folder)).toBe(0);
    obstruct();
    await append();
    await sign(test, folder);
    expect(await age(test, folder)).toBeGreaterThan(0);
    clear();
    await sign(test, folder);
    expect(await age(test, folder)).toBe(0);
    expect(await age(test, join(folder, 'checkpoint'))).toBeUndefined();
  });
});
