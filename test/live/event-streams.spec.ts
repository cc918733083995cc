import { connect } from 'node:net';
import { holdings } from '@lib/memory/holdings';
import type { EventView } from '@lib/store/views/event.view';
import { wantsEventStream } from '../../src/live/accept';
import { follow } from '../support/event-source';
import { eventually } from '../messaging/eventually';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

jest.setTimeout(120_000);

let system: System;
beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } } });
});
afterAll(() => system.stop());

async function created(provider: string) {
  const { id: threadId, job } = await system.client.createThread({ message: 'How?', providers: [provider] });
  return { threadId, jobId: job.id, path: `/v1/threads/${threadId}/jobs/${job.id}` };
}
async function finalJob() {
  const job = await created('provider-a');
  await system.client.finalJob(job.threadId, job.jobId);
  return { ...job, events: await system.client.events(job.threadId, job.jobId) };
}
const streamOf = (path: string, lastEventId?: string) =>
  follow(`${system.client.address}${path}/events`, { headers: system.client.headers(), lastEventId });

it('a stream gives the events that the list gives, each under its version, and ends after the final one', async () => {
  const { path, events } = await finalJob();
  const stream = await streamOf(path);
  expect(stream.data).toEqual(events);
  expect(stream.ids).toEqual(events.map(({ version }: EventView) => String(version)));
  expect(stream.isEnded).toBe(true);
  expect(stream.retryMs).toBeGreaterThan(1_000);
  for (const { version } of events.slice(0, -1)) {
    expect((await streamOf(path, String(version))).data).toEqual(events.slice(version));
  }
});

it('no proxy keeps it back or changes it', async () => {
  const { headers } = await streamOf((await finalJob()).path);
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(headers.get('cache-control')).toBe('private, no-store, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/./);
});

it('what a client has of a job that is final is answered with 204', async () => {
  const { path, events } = await finalJob();
  expect(await streamOf(path, String(events.length))).toMatchObject({ status: 204, text: '' });
});

it.each(['-1', '1.5', 'x', '1e3', '0x1', ' ', "1'", '9'.repeat(10), '\u00e9', 'null', '1,2'])(
  '%j is no id of an event',
  async (lastEventId) => {
    const { path } = await finalJob();
    const { status, text } = await streamOf(path, lastEventId);
    // White space around a header is no part of it.
    if (lastEventId.trim() === '') expect(status).toBe(200);
    else expect([status, JSON.parse(text)]).toMatchObject([400, { errors: [{ pointer: '/Last-Event-ID', code: 'invalid_event_id' }] }]);
  },
);

it('an event that the job does not have is refused, and one of nobody is not looked for', async () => {
  const open = await created('provider-d');
  for (const [path, id] of [
    [open.path, '999'],
    [(await finalJob()).path, '999999999'],
  ] as const) {
    const { status, text } = await streamOf(path, id);
    expect([status, JSON.parse(text)]).toMatchObject([400, { errors: [{ pointer: '/Last-Event-ID', code: 'unknown_event' }] }]);
  }
  const stranger = system.client.withKey(await system.keyOf('stranger'));
  const strange = await follow(`${stranger.address}${open.path}/events`, { headers: stranger.headers() });
  expect([strange.status, JSON.parse(strange.text)]).toMatchObject([404, { code: 'job_not_found' }]);
});

it('a stream ends when its thread is deleted, and is 404 then', async () => {
  const { threadId, path } = await created('provider-d');
  const streaming = streamOf(path);
  await system.client.expect(200, 'DELETE', `/v1/threads/${threadId}`);
  expect((await streaming).isEnded).toBe(true);
  expect((await streamOf(path)).status).toBe(404);
});

it('whoever does not ask for a stream gets the list', async () => {
  const { path, events } = await finalJob();
  const accepts = [
    ...[
      '*/*',
      'application/json',
      'text/*',
      '',
      'text/event-stream;q=0',
      'text/event-stream, application/json',
      ',;,',
      'text/event-streams',
    ],
    ...['text/event-stream;q=0.5, application/json;q=0.6', 'x'.repeat(8000), 'text/event-stream;q=0.001;q=1, application/json'],
  ];
  for (const accept of accepts) {
    const response = await fetch(`${system.client.address}${path}/events`, { headers: { ...system.client.headers(), accept } });
    expect([accept, response.headers.get('content-type')]).toEqual([accept, expect.stringMatching(/^application\/json/)]);
    expect(((await response.json()) as { events: unknown }).events).toEqual(events);
  }
  const asked = [
    'text/event-stream',
    'Text/Event-Stream; charset=utf-8',
    'text/event-stream, */*;q=0.1',
    'application/json;q=0.9, text/event-stream',
  ];
  expect(asked.map(wantsEventStream)).toEqual(asked.map(() => true));
});

it('a HEAD of a stream has its headers and ends', async () => {
  const { path } = await created('provider-d');
  const headers = { ...system.client.headers(), accept: 'text/event-stream' };
  const response = await fetch(`${system.client.address}${path}/events`, { method: 'HEAD', headers });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'text/event-stream', '']);
});

it('a reader who hangs up is waited for no longer', async () => {
  const { path } = await created('provider-d');
  const { hostname, port } = new URL(system.client.address);
  const before = await waiting();
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${path}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: ${system.client.headers().authorization}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  expect(await waiting()).toBe(before + 1);
  socket.destroy();
  await eventually(before, waiting);
});

async function waiting(): Promise<number> {
  return holdings().find(({ name }) => name === 'waiting clients')?.items ?? 0;
}
