import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../messaging/eventually';
import { Broker } from '../support/broker';
import { DatabaseServer } from '../support/database-server';
import { readinessOf } from './support/readiness';
import { startSystem, type System } from './support/system';

/** Servers of their own, because they die. */
let folder: string;
let broker: Broker;
let database: DatabaseServer;
let system: System;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-outage-'));
  [broker, database] = await Promise.all([Broker.start(join(folder, 'nats')), DatabaseServer.start(folder)]);
  system = await startSystem({
    roles: ['api', 'saga', 'worker', 'synthesizer'],
    database: { url: database.url, drop: () => database.stop() },
    environment: {
      NATS_URL: broker.url,
      LEASE_MS: '1000',
      HEARTBEAT_MS: '200',
      SWEEP_MS: '100',
      REDISPATCH_FIRST_MS: '200',
      REDISPATCH_MS: '300',
    },
  });
});
afterAll(async () => {
  await system.stop();
  await broker.kill();
  rmSync(folder, { recursive: true, force: true });
});

const readiness = (): Promise<string> => readinessOf(system);
const ALL_READY = 'api ok saga ok worker ok synthesizer ok';

it('says who cannot work without NATS; the api goes on, and its jobs end once NATS is back', async () => {
  await eventually(ALL_READY, readiness);
  await broker.kill();
  await eventually('api ok saga /nats worker /nats synthesizer /nats', readiness);
  const { id, job } = await system.client.createThread({ message: 'q' });
  expect((await system.client.getJob(id, job.id)).status).toBe('pending');
  await broker.start();
  await eventually(ALL_READY, readiness);
  expect((await system.client.finalJob(id, job.id)).status).toBe('completed');
});

it('says who cannot work without the database, and serves again once it is back', async () => {
  const known = await system.client.research({ message: 'q' });
  await database.crash();
  // No other api is well, so this one goes on and tells of the outage.
  await eventually('api ok without /database saga /database,/requests worker ok synthesizer /database', readiness);
  for (const [method, path, body] of [
    ['POST', '/v1/threads', { message: 'q' }],
    ['GET', '/v1/threads', undefined],
    ['GET', `/v1/threads/${known.threadId}`, undefined],
    ['GET', `/v1/threads/${known.threadId}/jobs/${known.id}`, undefined],
    ['DELETE', `/v1/threads/${known.threadId}`, undefined],
  ] as const) {
    const answer = await system.client.send(method, path, body);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  // What the runbook looks for in the log finds them.
  const [, sought = ''] = /grep -E '([^']+)'/.exec(readFileSync('docs/runbooks/RequestErrorsFast.md', 'utf8')) ?? [];
  const found = system.logged.filter((line) => new RegExp(sought).test(line));
  expect(found).toEqual(expect.arrayContaining([expect.stringContaining('"reason":"unavailable"')]));
  await database.start();
  await eventually(ALL_READY, readiness);
  expect((await system.client.getJob(known.threadId, known.id)).status).toBe('completed');
  expect((await system.client.research({ message: 'q' })).status).toBe('completed');
});
