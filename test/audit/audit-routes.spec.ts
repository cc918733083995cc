import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { digestOfStreams, readReceipt } from '@lib/audit/format/deletion-receipt';
import { leafOf } from '@lib/audit/format/log-leaf';
import { isConsistent, rootOfInclusion } from '@lib/audit/format/merkle-proofs';
import { parseNote, signerKey, signersOf } from '@lib/audit/format/signed-note';
import type { ConsistencyProofView, InclusionProofView } from '@lib/store/views/log.view';
import { eventually } from '../messaging/eventually';
import { HttpClient } from '../system/support/http-client';
import { startSystem, type System } from '../system/support/system';

const ORIGIN = 'audit.example.org/research';
const SEED = Buffer.alloc(32, 7);
const key = signerKey(ORIGIN, SEED);

let system: System;
let client: HttpClient;
beforeAll(async () => {
  system = await startSystem({
    environment: { CHECKPOINT_KEY: SEED.toString('base64'), CHECKPOINT_ORIGIN: ORIGIN, CHECKPOINT_MS: '100' },
  });
  client = system.client;
});
afterAll(() => system.stop());

async function newest() {
  const answer = await fetch(`${client.address}/v1/audit/checkpoint`, { headers: client.headers() });
  const note = parseNote(await answer.text());
  return { type: answer.headers.get('content-type'), note, head: parseCheckpoint(note.text) };
}

const included = (streamId: string, version: number, by = client) =>
  by.send<InclusionProofView>('GET', `/v1/audit/proofs/inclusion?streamId=${streamId}&version=${version}`);

it('proves to a client that each event of its job stands in a log that goes on, signed by the key that it knows', async () => {
  const { id: threadId, job } = await client.createThread({ message: 'How?' });
  await client.finalJob(threadId, job.id);
  await eventually(200, async () => (await included(job.id, 1)).status, 20_000);
  const older = await newest();
  expect(older.type).toBe('text/plain; charset=utf-8');
  expect(signersOf(older.note, [key])).toHaveLength(1);
  const { body } = await included(job.id, 1);
  const { head } = { head: parseCheckpoint(parseNote(body.checkpoint).text) };
  const leaf = leafOf({ ...body.event, hash: Buffer.from(body.event.hash, 'hex') });
  const hashes = body.proof.map((hash) => Buffer.from(hash, 'base64'));
  expect(rootOfInclusion({ index: body.index, size: body.size, leaf, hashes })).toEqual(head.root);
  const [first] = await client.events(threadId, job.id);
  expect(body.event).toMatchObject({ streamId: job.id, version: 1, hash: first?.hash });

  await client.createThread({ message: 'And then?' });
  await eventually(true, async () => (await newest()).head.size > older.head.size, 20_000);
  const proof = await client.expect<ConsistencyProofView>(200, 'GET', `/v1/audit/proofs/consistency?from=${older.head.size}`);
  const newer = parseCheckpoint(parseNote(proof.checkpoint).text);
  const consistency = { first: older.head.size, second: newer.size, firstRoot: older.head.root, secondRoot: newer.root };
  expect(isConsistent({ ...consistency, hashes: proof.proof.map((hash) => Buffer.from(hash, 'base64')) })).toBe(true);
});

it('shows nobody where the events of another tenant stand', async () => {
  const { id: threadId, job } = await client.createThread({ message: 'Mine' });
  await client.finalJob(threadId, job.id);
  await eventually(200, async () => (await included(threadId, 1)).status, 20_000);
  const stranger = client.withKey(await system.keyOf('another'));
  for (const streamId of [threadId, job.id]) {
    const { status, body } = await included(streamId, 1, stranger);
    const detail = `The stream ${streamId} does not exist: GET /v1/audit/events names those that do.`;
    expect({ status, body }).toEqual({ status: 404, body: expect.objectContaining({ code: 'event_not_found', detail }) });
  }
  expect((await fetch(`${client.address}/v1/audit/checkpoint`)).status).toBe(401);
  const last = (await client.events(threadId, job.id)).length;
  expect(await included(job.id, 4711)).toMatchObject({
    status: 404,
    body: { detail: `The stream ${job.id} has ${last} events and none of version 4711: ask for a version from 1 to ${last}.` },
  });
});

it('proves an event of the caller’s own tenant under the id with which the feed lists it, and of no other tenant', async () => {
  await eventually(200, async () => (await included('ten_default', 1)).status, 20_000);
  const { events } = await client.expect<{ events: { streamId: string; version: number; hash: string }[] }>(200, 'GET', '/v1/audit/events');
  const listed = events.find(({ streamId }) => streamId === 'ten_default');
  expect(listed?.version).toBe(1);
  expect((await included('ten_default', 1)).body.event).toMatchObject({ streamId: 'ten_default', version: 1, hash: listed?.hash });
  const stranger = client.withKey(await system.keyOf('another'));
  const { status, text } = await included('ten_default', 1, stranger);
  expect([status, text]).toEqual([400, expect.stringContaining('or ten_another.')]);
});

it('still proves what was erased, without a word of it', async () => {
  const { id: threadId, job } = await client.createThread({ message: 'A canary of this test' });
  await client.finalJob(threadId, job.id);
  await client.expect(200, 'DELETE', `/v1/threads/${threadId}`);
  await eventually(200, async () => (await included(job.id, 1)).status, 20_000);
  const { text } = await included(job.id, 1);
  expect(text).not.toContain('canary');
});

it('gives whoever deleted a thread a signed receipt, once the log has signed it, and nobody else', async () => {
  const { id: threadId, job } = await client.createThread({ message: 'A canary of this test' });
  await client.finalJob(threadId, job.id);
  const receiptOf = (id: string, by = client) =>
    by.send<{ note: string; streams: { streamId: string }[] }>('GET', `/v1/audit/deletions/${id}`);
  const detail = `No thread ${threadId} was deleted: only a thread that was deleted has a receipt; ask again after DELETE /v1/threads/${threadId}.`;
  expect(await receiptOf(threadId)).toMatchObject({ status: 404, body: { code: 'deletion_not_found', detail } });
  expect((await client.send('DELETE', `/v1/threads/${threadId}`)).body).toEqual({ deleted: true });
  const early = await receiptOf(threadId);
  if (early.status !== 200) {
    expect(early).toMatchObject({ status: 409, body: { code: 'deletion_not_signed' } });
    expect(early.headers.get('retry-after')).toBe('60');
  }
  await eventually(200, async () => (await receiptOf(threadId)).status, 20_000);
  const { body, text } = await receiptOf(threadId);
  const note = parseNote(body.note);
  expect(signersOf(note, [key])).toHaveLength(1);
  const { actor, streams, checkpoint, threadId: said } = readReceipt(note.text);
  expect({ actor, said, listed: body.streams.map(({ streamId }) => streamId) }).toEqual({
    actor: expect.stringMatching(/^key:\S+$/),
    said: threadId,
    listed: [threadId, job.id],
  });
  expect(streams).toEqual(digestOfStreams(body.streams as never));
  expect(checkpoint.size).toBeLessThanOrEqual((await newest()).head.size);
  expect(text).not.toContain('canary');
  const stranger = client.withKey(await system.keyOf('another'));
  expect(await receiptOf(threadId, stranger)).toMatchObject({ status: 404, body: { code: 'deletion_not_found' } });
  expect(await receiptOf('../x')).toMatchObject({ status: 404 });
});

it.each([
  ['inclusion', '/streamId', 'required'],
  ['inclusion?streamId=nothing&version=1', '/streamId', 'invalid_id'],
  ['inclusion?streamId=ten_another&version=1', '/streamId', 'invalid_id'],
  ['inclusion?streamId=job_01jd6xw8k2e4zvq7h3m5n9p0rs&version=0', '/version', 'invalid_version'],
  ['inclusion?streamId=job_01jd6xw8k2e4zvq7h3m5n9p0rs&version=99999999999', '/version', 'invalid_version'],
  ['consistency', '/from', 'required'],
  ['consistency?from=-1', '/from', 'invalid_size'],
  ['consistency?from=1&from=2', '/from', 'repeated'],
  ['consistency?from=1&to=1e9', '/to', 'invalid_size'],
  ['consistency?from=2&to=1', '/from', 'invalid_size'],
  ['consistency?from=0&to=999999999', '/to', 'invalid_size'],
  ['consistency?from=999999999', '/from', 'invalid_size'],
])('refuses %s', async (path, pointer, code) => {
  await eventually(true, async () => (await newest()).head.size > 1, 20_000);
  const { status, body } = await client.send<{ errors: object[] }>('GET', `/v1/audit/proofs/${path}`);
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: expect.arrayContaining([expect.objectContaining({ pointer, code })]),
  });
});

it.each([
  ['from=2&to=1', 'from is 2: it must not be larger than to, which is 1.'],
  ['from=1&to=999999999', 'to is 999999999: it must not be larger than the newest checkpoint, whose size is SIZE.'],
  ['from=999999999', 'from is 999999999: it must not be larger than the newest checkpoint, whose size is SIZE.'],
])('names the size that the log does not have, and the largest that it may be: %s', async (sizes, text) => {
  await eventually(true, async () => (await newest()).head.size > 1, 20_000);
  const { body } = await client.send<{ detail: string }>('GET', `/v1/audit/proofs/consistency?${sizes}`);
  expect(body.detail.replace(/size is [1-9]\d*\.$/, 'size is SIZE.')).toBe(text);
});

it('says that there is no checkpoint where nothing signs', async () => {
  const unsigned = await startSystem({ environment: { CHECKPOINT_MS: '100' } });
  const { status, body } = await unsigned.client.send('GET', '/v1/audit/checkpoint');
  const warned = unsigned.logged.filter((line) => line.includes('no_checkpoints'));
  await unsigned.stop();
  expect({ status, code: body.code, warned: warned.length }).toEqual({ status: 404, code: 'checkpoint_not_found', warned: 1 });
});
