import { randomUUID } from 'node:crypto';
import { eventually } from '../messaging/eventually';
import { Client, Unanswered } from '../support/client';
import { Supervisor } from '../support/supervisor';
import { answers, Sink } from '../webhooks/support/sink';

jest.setTimeout(240_000);

const KILLED = { code: null, signal: 'SIGKILL' };
const DELIVERING = { WEBHOOK_LOOPBACK: 'allowed', SWEEP_MS: '20' };
const EVENT_TYPES = ['job.cancelled', 'thread.deleted'];

let supervisor: Supervisor;
let client: Client;
let sink: Sink;
let webhook: { id: string; secret: string };

beforeAll(async () => {
  [supervisor, sink] = await Promise.all([Supervisor.start(), Sink.start()]);
  await supervisor.start('api', DELIVERING);
  client = new Client(supervisor);
});
afterAll(async () => {
  await supervisor?.close();
  await sink?.close();
});
beforeEach(async () => {
  sink.received.length = 0;
  sink.behaviour = answers(204);
  webhook = (await client.call('POST', '/v1/webhooks', { url: sink.url, eventTypes: EVENT_TYPES })).body as typeof webhook;
});
afterEach(async () => {
  await client.call('DELETE', `/v1/webhooks/${webhook.id}`);
  await Promise.all(supervisor.running('webhooks').map((process) => process.kill()));
});

/** Null if nobody answered. */
async function createOn(address: string | null, key: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
  const body = JSON.stringify({ url: sink.url, eventTypes: EVENT_TYPES, description: key });
  const response = await fetch(`${address}/v1/webhooks`, { method: 'POST', headers, body }).catch(() => null);
  return response && `${response.status} ${await response.text()}`;
}

async function createThread(): Promise<{ threadId: string; jobId: string }> {
  const { body } = await client.call('POST', '/v1/threads', { message: 'Who is told?' });
  return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
}
async function cancelJob(): Promise<string> {
  const { threadId, jobId } = await createThread();
  await client.call('POST', `/v1/threads/${threadId}/jobs/${jobId}/cancel`);
  return jobId;
}

const delivered = async (): Promise<number> => {
  const { body } = await client.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=100`);
  return (body.deliveries as { status: string }[]).filter(({ status }) => status === 'delivered').length;
};
/** The leases of those who died run out. */
const letLeasesEnd = () =>
  supervisor.pool.query(`update webhook_delivery set due_at = clock_timestamp() where due_at is not null and attempts > 0`);
const told = () => sink.verified(webhook.secret);

it('an event is delivered though the api was killed between its commit and its answer, and nobody delivered then', async () => {
  const { threadId } = await createThread();
  const lasting = supervisor.the('api');
  const doomed = await supervisor.start('api', { ...DELIVERING, KILL_POINT: 'delete.after-commit' });
  const onDoomed = new Client({ apiKey: supervisor.apiKey, apiAddresses: () => [doomed.address ?? ''] });
  await expect(onDoomed.call('DELETE', `/v1/threads/${threadId}`)).rejects.toThrow(Unanswered);
  expect(await doomed.ended).toEqual(KILLED);
  expect(lasting.isRunning).toBe(true);
  expect(sink.received).toEqual([]);
  await supervisor.start('webhooks', DELIVERING);
  await sink.has(1);
  expect(told()).toMatchObject([{ type: 'thread.deleted', data: { threadId } }]);
});

it('a new webhook whose api was killed between its commit and its answer is there once, and a repetition shows its secret', async () => {
  const lasting = supervisor.the('api');
  const doomed = await supervisor.start('api', { ...DELIVERING, KILL_POINT: 'webhook.after-commit' });
  const key = randomUUID();
  expect(await createOn(doomed.address, key)).toBeNull();
  expect(await doomed.ended).toEqual(KILLED);
  const answers = await Promise.all([1, 2, 3].map(() => createOn(lasting.address, key)));
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^201 .*"secret":"whsec_/);
  const { body } = await client.call('GET', '/v1/webhooks');
  const created = (body.webhooks as { id: string; description: string }[]).filter(({ description }) => description === key);
  expect(created).toHaveLength(1);
  await client.call('DELETE', `/v1/webhooks/${created[0]?.id}`);
});

it('an attempt that is killed while the receiver takes its time comes again, under the same id', async () => {
  sink.behaviour = () => undefined;
  const process = await supervisor.start('webhooks', DELIVERING);
  const jobId = await cancelJob();
  await sink.has(1);
  expect(await process.kill()).toEqual(KILLED);
  sink.behaviour = answers(200);
  await supervisor.start('webhooks', DELIVERING);
  await letLeasesEnd();
  await eventually(1, delivered, 30_000);
  expect(told().map(({ type, data }) => [type, data.jobId])).toEqual([1, 2].map(() => ['job.cancelled', jobId]));
  expect(new Set(told().map(({ id }) => id)).size).toBe(1);
});

it('an attempt whose answer was received and not recorded comes again, once', async () => {
  const process = await supervisor.start('webhooks', { ...DELIVERING, KILL_POINT: 'webhook.after-answer' });
  await cancelJob();
  expect(await process.ended).toEqual(KILLED);
  expect(sink.received).toHaveLength(1);
  expect(await delivered()).toBe(0);
  await supervisor.start('webhooks', DELIVERING);
  await letLeasesEnd();
  await eventually(1, delivered, 30_000);
  expect(sink.received).toHaveLength(2);
  expect(new Set(told().map(({ id }) => id)).size).toBe(1);
});

it('of two processes of which one is killed again and again every event arrives, and none twice but what it had in hand', async () => {
  const events = 40;
  const kills = 3;
  await supervisor.start('webhooks', DELIVERING);
  const jobIds = new Set<string>();
  for (let kill = 1; kill <= kills; kill += 1) {
    const doomed = await supervisor.start('webhooks', { ...DELIVERING, KILL_POINT: 'webhook.after-answer' });
    // Whichever of both is first; sooner or later that is the doomed one.
    for (let tries = 0; doomed.isRunning && tries < 200; tries += 1) jobIds.add(await cancelJob());
    expect(await doomed.ended).toEqual(KILLED);
  }
  while (jobIds.size < events) jobIds.add(await cancelJob());
  await letLeasesEnd();
  const ended = async () => (await supervisor.pool.query('select from webhook_delivery where due_at is not null')).rowCount;
  await eventually(0, ended, 60_000);
  const received = told().map(({ data }) => data.jobId ?? '');
  expect(new Set(received)).toEqual(jobIds);
  // A process has four deliveries of a webhook in hand at most, and those of the lasting one had their leases ended as well.
  expect(received.length - jobIds.size).toBeGreaterThanOrEqual(kills);
  expect(received.length - jobIds.size).toBeLessThanOrEqual((kills + 1) * 4);
});
