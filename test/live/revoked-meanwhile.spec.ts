import fastify from 'fastify';
import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { EventPage } from '@lib/store/views/event-pages';
import type { EventView } from '@lib/store/views/event.view';
import type { Reader } from '@lib/store/views/reader';
import type { Caller } from '../../src/access/caller';
import { EventStreams } from '../../src/live/event-streams';
import { JobChanges } from '../../src/live/job-changes';

const CALLER = { tenantId: 'default', keyId: 'key_1' } as Caller;
const PAGE: EventPage = { events: [{ version: 1 } as EventView], version: 1, isFinal: false };

it('a stream ends whose key is found to be revoked while its first events are read', async () => {
  const transport = createMemoryTransport();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const findEnded = async () => {
    setImmediate(end);
    return [[CALLER.keyId, 'key_revoked'] as const];
  };
  const changes = new JobChanges({ transport, findChanged: async () => [], findEnded, logger: pino({ level: 'silent' }) });
  const reader = { readEventPage: () => ended.then(() => PAGE) } as unknown as Reader;
  const streams = new EventStreams(reader, changes);
  const server = fastify();
  server.get('/', (_, reply) => streams.open(reply, CALLER, 'thr_1', 'job_1'));
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    expect(await response.text()).toContain('id: 1\n');
  } finally {
    await changes.stop();
    server.server.closeAllConnections();
    await Promise.all([server.close(), transport.close()]);
  }
});
