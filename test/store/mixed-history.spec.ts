import { createHash } from 'node:crypto';
import { canonicalJson } from '@lib/store/history/canonical-json';
import { verifyHistories } from '../../src/audit/verify-histories';
import { complete, externalId, report, start, success, told } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

interface Row {
  version: number;
  event_id: string;
  type: string;
  schema_version: number;
  facts: Record<string, unknown>;
  meta: object;
  sealed_sha256: Buffer | null;
}

/** What this build adds to the facts of an event, and what it replaces. */
const ADDED = ['traceId', 'causeVersion', 'contentDigest', 'asked', 'settingsSha256', 'process', 'call', 'rawDigest', 'externalIdDigest'];
function asBefore({ type, facts }: Row): Record<string, unknown> {
  const before = Object.fromEntries(Object.entries(facts).filter(([name]) => !ADDED.includes(name)));
  if (type !== 'JobRequested' && type !== 'ThreadCreated') delete before.tenantId;
  if (type === 'JobRequested') delete before.messageId;
  if (type === 'StepExternalIdRecorded') return { ...before, externalIdSha256: 'ab'.repeat(32) };
  return type === 'StepCompleted' ? { ...before, rawSha256: 'ab'.repeat(32), model: 'm-1' } : before;
}

/** Makes a history what the build before would have written, its chain included. */
async function writtenBefore(streamId: string): Promise<void> {
  const { rows } = await test.store.pool.query<Row>('select * from event where stream_id = $1 order by version', [streamId]);
  const client = await test.store.pool.connect();
  await client.query('begin');
  await client.query('alter table event disable trigger user');
  let previous: Buffer = Buffer.alloc(32);
  for (const row of rows) {
    const { version, type, meta, event_id: id } = row;
    const [facts, schemaVersion] = [asBefore(row), row.schema_version - 1];
    const digest = createHash('sha256').update(previous).update(canonicalJson({ id, streamId, version, type, schemaVersion, facts, meta }));
    const hash = (row.sealed_sha256 ? digest.update(row.sealed_sha256) : digest).digest();
    await client.query(
      'update event set facts = $3, schema_version = $4, prev_hash = $5, hash = $6 where stream_id = $1 and version = $2',
      [...[streamId, version, facts, schemaVersion, previous, hash]],
    );
    previous = hash;
  }
  // The summaries of the build before are of its own shape.
  await client.query('update thread set shape = shape - 1 where id = $1', [streamId]);
  await client.query('alter table event enable trigger user');
  await client.query('commit');
  client.release();
}

it('a job that the build before began goes on, ends and is erased, and every check passes on its history', async () => {
  const { threadId, jobId, stepIds } = await createJob(test.store);
  const [one = '', two = ''] = stepIds;
  await onJob(test.store, jobId, start(one), externalId(one, 1), start(two), report(two, 1, success()));
  for (const streamId of [threadId, jobId]) await writtenBefore(streamId);

  const later = test.another();
  await addMessage(later, threadId);
  await onJob(later, jobId, report(one, 1, told(success())), complete);
  const { rows } = await test.store.pool.query<{ schema_version: number; trace: string | null; cause: number | null; tenant: string }>(
    `select schema_version, facts ->> 'traceId' as trace, (facts -> 'causeVersion')::int as cause, facts ->> 'tenantId' as tenant
      from event where stream_id = $1 and version > 5 order by version`,
    [jobId],
  );
  // Its request had no trace; what led to what is known all the same.
  expect(rows.map(({ cause, tenant }) => [cause, tenant])).toEqual([
    [2, TENANT],
    [6, TENANT],
    [7, TENANT],
  ]);
  const checks = async () => {
    const { faults, unknown } = await verifyHistories(test.store.pool, {}, () => undefined);
    const { differences } = await viewDifferences(test.store.pool, 30_000);
    return { faults, unknown, differences };
  };
  const NOTHING = { faults: [], unknown: [], differences: [] };
  expect(await checks()).toEqual(NOTHING);
  await deleteThread(later, threadId);
  expect(await checks()).toEqual(NOTHING);
});
