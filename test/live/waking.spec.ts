import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { jobChangedSubject } from '@lib/messaging/subjects';
import type { EventView } from '@lib/store/views/event.view';
import type { FoundJob } from '@lib/store/views/job-places';
import type { Reader } from '@lib/store/views/reader';
import type { Caller } from '../../src/access/caller';
import { EventStreams } from '../../src/live/event-streams';
import { JobChanges } from '../../src/live/job-changes';
import { LongPolls } from '../../src/live/long-polls';
import { eventually } from '../messaging/eventually';

const WAITERS = 500;
/** More than are told in one turn of the event loop, and far from all. */
const FEW = 32;

const transport = createMemoryTransport();
let server: FastifyInstance;
let changes: JobChanges;
let read: string[];
let status: FoundJob['status'];
beforeEach(() => {
  read = [];
  status = 'running';
  changes = new JobChanges({ transport, findChanged: async () => [], findEnded: async () => [], logger: pino({ level: 'silent' }) });
  server = fastify();
});
afterEach(async () => {
  await changes.stop();
  await server.close();
});
afterAll(() => transport.close());

const versionNow = () => (status === 'running' ? 2 : 3);
const isOwner = (tenantId: string) => tenantId === 'owner';
/** One job, of the tenant `owner`. Says what was read of it. */
const reader = {
  findJob: async (tenantId: string) => {
    read.push(`place for ${tenantId}`);
    return isOwner(tenantId) ? { threadId: 'thr_1', version: versionNow(), status, createdAt: new Date() } : null;
  },
  readEventPage: async ({ tenantId, after }: { tenantId: string; after: number }) => {
    read.push(`events after ${after} for ${tenantId}`);
    const events = Array.from({ length: versionNow() - after }, (_, place) => ({ version: after + place + 1 }) as EventView);
    return isOwner(tenantId) ? { events, version: versionNow(), isFinal: status === 'cancelled' } : null;
  },
} as unknown as Reader;
const callerOf = (tenantId: string) => ({ tenantId, keyId: `key of ${tenantId}` }) as Caller;

function cancel(): void {
  read.length = 0;
  status = 'cancelled';
  transport.publish(jobChangedSubject('job_1'), { v: 1, version: 3 });
}

it('those who wait with the same question are answered from one look and one answer, whoever asks otherwise with another', async () => {
  const polls = new LongPolls(reader, changes);
  server.get<{ Params: { tenant: string } }>('/:tenant', (request, reply) =>
    polls.answer(reply, callerOf(request.params.tenant), {
      jobId: 'job_1',
      tagOf: String,
      read: async (known) => {
        read.push(`answer to ${request.url}${known === undefined ? '' : ' known'}`);
        return { url: request.url };
      },
    }),
  );
  const ask = (url: string) => server.inject({ url, headers: { prefer: 'wait=30' } });
  const urls = Array.from({ length: WAITERS }, (_, place) => (place % 2 === 0 ? '/owner' : '/owner?include_steps=true'));
  const waiting = urls.map(ask);
  // Another tenant's client does not wait for it, and is told nothing.
  expect((await ask('/stranger')).json()).toEqual({ url: '/stranger' });
  await eventually(WAITERS, async () => read.filter((what) => what === 'place for owner').length);
  await new Promise(setImmediate);
  cancel();
  expect((await Promise.all(waiting)).map((answer) => answer.json<{ url: string }>().url)).toEqual(urls);
  expect(read.toSorted()).toEqual(['answer to /owner', 'answer to /owner?include_steps=true', 'place for owner']);
});

it('one path in other spellings is one question, and only who shares an answer that failed is told so', async () => {
  const polls = new LongPolls(reader, changes);
  let answers = 0;
  server.get<{ Params: { tenant: string } }>('/:tenant', (request, reply) =>
    polls.answer(reply, callerOf(request.params.tenant), {
      jobId: 'job_1',
      tagOf: String,
      read: async () => {
        answers += 1;
        if (answers === 1) throw new Error('the database was away for a moment');
        return {};
      },
    }),
  );
  const waiting = Array.from({ length: WAITERS }, (_, place) =>
    server.inject({ url: place % 2 === 0 ? '/owner' : '/%6Fwner', headers: { prefer: 'wait=30' } }),
  );
  await eventually(WAITERS, async () => read.length);
  await new Promise(setImmediate);
  cancel();
  const failed = (await Promise.all(waiting)).filter(({ statusCode }) => statusCode === 500);
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThan(FEW);
  expect(answers).toBe(2);
});

it('those who follow from the same event are sent the same page, read once', async () => {
  const streams = new EventStreams(reader, changes);
  server.get<{ Params: { tenant: string } }>('/:tenant', (request, reply) =>
    streams.open(reply, callerOf(request.params.tenant), 'thr_1', 'job_1'),
  );
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const follow = async () => (await fetch(`${address}/owner`)).text();
  const following = Array.from({ length: FEW }, follow);
  await eventually(FEW, async () => read.length);
  await new Promise(setImmediate);
  cancel();
  for (const text of await Promise.all(following)) expect(text.match(/id: \d/g)).toEqual(['id: 1', 'id: 2', 'id: 3']);
  expect(read).toEqual(['events after 2 for owner']);
});

it.each(['told of a change', 'ended'])('others are answered while all who wait are %s', async (way) => {
  const woken = { now: 0 };
  // As long as an answer takes.
  const wake = () => {
    for (const from = performance.now(); performance.now() < from + 0.05;);
    woken.now += 1;
  };
  for (let place = 0; place < WAITERS; place += 1)
    changes.watch({ tenantId: 'acme', jobId: 'job_1', keyId: 'key', kind: 'long poll', look: async () => wake(), end: wake })?.rest();
  await new Promise(setImmediate);
  if (way === 'ended') void changes.stop();
  else cancel();
  const atOnce = [woken.now];
  for (let before = woken.now; woken.now < WAITERS; before = woken.now) {
    await new Promise(setImmediate);
    atOnce.push(woken.now - before);
  }
  expect(Math.max(...atOnce)).toBeLessThan(FEW);
});
