import { pino } from 'pino';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { verifyHistories } from '../../src/audit/verify-histories';
import { verifyLog } from '../../src/audit/verify-log';
import { recordRemovals, removeRecorded } from '../../src/saga/skeletons';
import { eventually } from '../messaging/eventually';
import { createSeparatedDatabase, type SeparatedDatabase } from '../support/separated-roles';
import type { HttpClient } from '../system/support/http-client';
import { onNats, startSystem, type System } from '../system/support/system';

const PATIENCE_MS = 60_000;
jest.setTimeout(2 * PATIENCE_MS);

let database: SeparatedDatabase;
let system: System;
let client: HttpClient;
/** As the saga's role of the database, and as an auditor's. */
let saga: Pool;
let auditor: Pool;
beforeAll(async () => {
  database = await createSeparatedDatabase();
  const roles = ['api', 'saga,worker,synthesizer,webhooks'];
  system = await startSystem({
    database,
    roles,
    environment: { ...onNats(), CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'), CHECKPOINT_MS: '100' },
  });
  client = system.client;
  saga = createPool(database.urls.service, 2);
  auditor = createPool(database.urls.audit, 2);
});
afterAll(async () => {
  await saga?.end();
  await auditor?.end();
  await system?.stop();
});

const answer = async (path: string, by = client) => {
  const { status, body } = await by.send<{ code?: string; detail?: string; events?: { type: string; streamId: string; facts: object }[] }>(
    'GET',
    path,
  );
  return { status, body };
};

it('tells whoever asks for what was removed that it was, and goes on with the rest', async () => {
  const { id: threadId, job } = await client.createThread({ message: 'A canary of this test' });
  await client.finalJob(threadId, job.id);
  const { id: livingId } = await client.createThread({ message: 'Another' });
  await client.expect(200, 'DELETE', `/v1/threads/${threadId}`);
  await eventually(200, async () => (await answer(`/v1/audit/deletions/${threadId}`)).status, PATIENCE_MS);
  const receipt = await answer(`/v1/audit/deletions/${threadId}`);
  const order = { days: 1, logger: pino({ level: 'silent' }), signal: new AbortController().signal };
  expect(await recordRemovals(saga, new Date('2100-01-01'), order)).toBe(1);
  // As soon as the service has signed it.
  await eventually(1, () => removeRecorded(saga, order), PATIENCE_MS);

  expect(await answer(`/v1/audit/deletions/${threadId}`)).toEqual(receipt);
  const stranger = client.withKey(await system.keyOf('another'));
  for (const path of [
    `/v1/audit/jobs/${job.id}`,
    `/v1/audit/proofs/inclusion?streamId=${job.id}&version=1`,
    `/v1/audit/proofs/inclusion?streamId=${threadId}&version=1`,
    `/v1/audit/events?threadId=${threadId}`,
  ]) {
    const detail = expect.stringMatching(new RegExp(`removed on .*, as version \\d+ of ten_default records.*deletions/${threadId}`));
    expect([path, await answer(path)]).toEqual([path, { status: 410, body: expect.objectContaining({ code: 'history_removed', detail }) }]);
    expect((await answer(path, stranger)).body.code).not.toBe('history_removed');
  }
  expect((await answer(`/v1/threads/${threadId}`)).status).toBe(404);
  expect((await answer(`/v1/threads/${livingId}`)).status).toBe(200);

  const all = async () => {
    const events: { type: string; streamId: string; facts: object }[] = [];
    for (let path: string | null = '/v1/audit/events?limit=7'; path !== null;) {
      const page: { body: { events?: typeof events; cursor?: string }; headers: Headers } = await client.send('GET', path);
      events.push(...(page.body.events ?? []));
      path =
        page.headers
          .get('link')
          ?.match(/<([^>]+)>; rel="next"/)?.[1]
          ?.replace(/^https?:\/\/[^/]+/, '') ?? null;
    }
    return events;
  };
  const told = await all();
  expect(told.filter(({ type }) => type === 'SkeletonsRemoved').map(({ facts }) => facts)).toEqual([
    { threads: [expect.objectContaining({ threadId })] },
  ]);
  expect(told.filter(({ streamId }) => [threadId, job.id].includes(streamId))).toEqual([]);
  expect(told.filter(({ streamId }) => streamId === livingId).length).toBeGreaterThan(0);
  const { faults } = await verifyHistories(auditor, {}, () => undefined);
  expect([...faults, ...(await verifyLog(auditor, [], [], () => undefined)).faults]).toEqual([]);
});
