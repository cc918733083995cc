import { Registry } from 'prom-client';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { Readiness } from '../../src/api/health';
import { createLogger } from '../../src/api/logging';
import { startAdminServer } from '../../src/telemetry/admin-server';
import { measureQueues } from '../../src/telemetry/queue-metrics';
import { sampleOf, scrape } from './scrape';

const logger = createLogger('silent');

async function told(transport: Parameters<typeof measureQueues>[1]) {
  // A new registry, since what was told a moment ago is told again.
  const registry = new Registry();
  measureQueues(registry, transport, logger);
  const server = await startAdminServer({ host: '127.0.0.1', port: 0, registry, readiness: new Readiness(logger), logger });
  return scrape(server.address).finally(() => server.close());
}

it('tells what waits in the queues that this process consumes, by kind and provider', async () => {
  const transport = createMemoryTransport();
  const taken = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  await transport.consume({ kind: 'step', provider: 'provider-a' }, 1, async ({ ack }) => {
    taken.resolve();
    await over.promise;
    ack();
  });
  for (const stepId of ['stp_1', 'stp_2', 'stp_3'])
    await transport.dispatch({ kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId, resumes: false });
  await taken.promise;
  const samples = await told(transport);
  const labels = { kind: 'step', provider: 'provider-a' };
  expect(sampleOf(samples, 'research_queue_pending', labels)).toBe(2);
  expect(sampleOf(samples, 'research_queue_unacknowledged', labels)).toBe(1);
  expect(samples.filter(({ name }) => name === 'research_queue_pending')).toHaveLength(1);
  over.resolve();
  await transport.close();
});

it('tells nothing of them while the broker does not answer, and all the rest', async () => {
  const silent = { backlog: () => new Promise<never>(() => undefined) };
  const refusing = { backlog: () => Promise.reject(new Error('NATS is not connected')) };
  for (const transport of [silent, refusing])
    expect((await told(transport)).filter(({ name }) => name.startsWith('research_queue'))).toEqual([]);
});
