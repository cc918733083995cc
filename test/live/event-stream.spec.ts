import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { holdings } from '@lib/memory/holdings';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { EventPage } from '@lib/store/views/event-pages';
import type { EventView } from '@lib/store/views/event.view';
import { EventStream } from '../../src/live/event-stream';
import { messagesOf } from '../../src/live/event-streams';
import { JobChanges, type JobWatch } from '../../src/live/job-changes';

const PAGE = 32;
const PAGES = 500;
/** More than the system keeps for a reader: of all pages about 80 MB. */
const PADDING = 'x'.repeat(5_000);

const page = (after: number): EventPage => {
  const events = Array.from({ length: PAGE }, (_, place) => ({ version: after + place + 1, type: PADDING }) as EventView);
  return { events, version: PAGE * PAGES, isFinal: true };
};

const next = (watch: JobWatch) => {
  const messages = messagesOf(page(watch.version), watch.version);
  watch.version = messages.version;
  return messages;
};

function watchedJobs() {
  const transport = createMemoryTransport();
  const sources = { transport, findChanged: async () => [], findEnded: async () => [], logger: pino({ level: 'silent' }) };
  return { transport, changes: new JobChanges(sources) };
}

/** Watches a job for a client, and streams its events once that begins. @param counted called for each page after the first */
function streamTo(changes: JobChanges, response: ServerResponse, counted: () => void): { begin: () => void } {
  let stream: EventStream;
  const look = () => stream.look(read);
  const watch = changes.watch({ jobId: 'job_1', tenantId: 'acme', keyId: 'k', kind: 'event stream', look, end: () => stream.end() });
  if (!watch) throw new Error('there was no room');
  const read = async () => {
    counted();
    return next(watch);
  };
  const begin = () => {
    stream = new EventStream({ response, watch });
    stream.begin({}, next(watch));
  };
  return { begin };
}

it('of a reader who takes nothing no more than a page waits; when it takes again it gets everything once and in order', async () => {
  const { transport, changes } = watchedJobs();
  let pages = 0;
  let served: ServerResponse | null = null;
  const server = createServer((_, response) => {
    served = response;
    streamTo(changes, response, () => (pages += 1)).begin();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve));

  // Until nothing more is read.
  for (let before = -1; before !== pages;) {
    before = pages;
    await delay(300);
  }
  expect(pages).toBeLessThan(PAGES - 1);
  expect((served as ServerResponse | null)?.writableLength).toBeLessThan(2 * PAGE * (PADDING.length + 100));

  const ids: number[] = [];
  let rest = '';
  for await (const bytes of response) {
    const lines = (rest + String(bytes)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('id: ')) ids.push(Number(line.slice(4)));
  }
  expect(ids).toEqual(Array.from({ length: PAGE * PAGES }, (_, place) => place + 1));
  expect(pages).toBe(PAGES - 1);
  server.close();
  await Promise.all([changes.stop(), transport.close()]);
}, 60_000);

it('a client that has hung up before the first event takes no place and no more of the database', async () => {
  const { transport, changes } = watchedJobs();
  let pages = 0;
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const stream = streamTo(changes, response, () => (pages += 1));
    // While the first events are read from the database.
    response.once('close', () => {
      stream.begin();
      resolve();
    });
    request.socket.resetAndDestroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  get({ port, host: '127.0.0.1' }).on('error', () => undefined);
  await begun;
  await new Promise(setImmediate);
  expect(holdings().find(({ name }) => name === 'waiting clients')).toMatchObject({ items: 0 });
  expect(pages).toBe(0);
  server.close();
  await Promise.all([changes.stop(), transport.close()]);
});
