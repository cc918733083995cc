import type { PoolClient } from 'pg';
import { microsFromCents } from '@lib/domain/money';
import { tenantStreamId } from '@lib/domain/tenant';
import type { Pool } from '@lib/store/postgres/pool';
import type { Store } from '@lib/store/store';
import { Tenants } from '@lib/store/tenants/tenants';
import { verifyHistories } from '../../src/audit/verify-histories';
import { complete, report, start, success } from '../support/job-history';
import fc from '../support/properties';
import { candidate, createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { rechained, sql, tampered, where, without, type Tamper } from '../support/tampering';
import { addMessage, deleteThread, jobState, onJob, pursue } from '../support/streams';

let test: TestStore;
let store: Store;
/** A job that ended, and its thread with a message and a job that pursues it. */
let [threadId, jobId, pursuedId] = ['', '', ''];
/** A job that still runs. */
let other = { threadId: '', jobId: '' };
/** A deleted thread and its job. */
let deleted = { threadId: '', jobId: '' };
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  const created = await createJob(store, { candidates: [candidate('provider-a', { max: microsFromCents(40) }), candidate('provider-c')] });
  [threadId, jobId] = [created.threadId, created.jobId];
  for (const stepId of created.stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success(20_000)));
  await onJob(store, jobId, complete);
  await addMessage(store, threadId);
  pursuedId = await pursue(store, threadId, jobId);
  other = await createJob(store);
  deleted = await createJob(store);
  await deleteThread(store, deleted.threadId);
  await store.erasure.erase(deleted.threadId);
  await new Tenants(store.pool).execute({
    tenantId: TENANT,
    commands: [{ type: 'ChangeLimits', tenantId: TENANT, keyId: null, changes: { openJobs: 7 } }],
    meta: META,
  });
});
afterAll(() => test.close());

/** What is found after a database owner has changed something, which is undone afterwards. */
const afterTampering = (tamper: Tamper) =>
  tampered(store.pool, tamper, async (pool) => {
    const { faults, unknown } = await verifyHistories(pool, {}, () => undefined);
    return { faults, unknown };
  });

it('finds nothing where nothing was changed', async () => {
  const looked = await verifyHistories(store.pool, {}, () => undefined);
  expect(looked).toMatchObject({ streams: 8, faults: [], unknown: [] });
  const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from event');
  expect(looked.events).toBe(rows[0]?.count);
});

describe('by the histories alone it finds', () => {
  type Tampering = [what: string, tamper: () => (client: PoolClient) => Promise<unknown>, place: () => object];
  const CASES: Tampering[] = [
    ['a changed fact', () => sql(`update event set facts = facts || '{"reportLength": 7}' ${where}`, jobId, 3), () => at(jobId, 3, 'hash')],
    ['a fact that was added', () => sql(`update event set facts = facts || '{"kind": 1}' ${where}`, jobId, 1), () => at(jobId, 1, 'hash')],
    [
      'a fact that was removed',
      () => sql(`update event set facts = facts - 'query' - 'plan' ${where}`, jobId, 1),
      () => at(jobId, 1, 'hash'),
    ],
    [
      'another actor',
      () => sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 2),
      () => at(jobId, 2, 'hash'),
    ],
    [
      'another time',
      () => sql(`update event set meta = meta || '{"occurredAt": "2020-01-01T00:00:00.000Z"}' ${where}`, jobId, 2),
      () => at(jobId, 2, 'hash'),
    ],
    ['another type', () => sql(`update event set type = 'StepSkipped' ${where}`, jobId, 2), () => at(jobId, 2, 'hash')],
    ['another schema version', () => sql(`update event set schema_version = 1 ${where}`, jobId, 1), () => at(jobId, 1, 'hash')],
    ['another id', () => sql(`update event set event_id = 'evt_other' ${where}`, jobId, 2), () => at(jobId, 2, 'hash')],
    ['another tenant', () => sql(`update event set tenant_id = 'another' ${where}`, jobId, 2), () => at(jobId, 2, 'tenant_id')],
    ['a tenant removed', () => sql(`update event set tenant_id = null ${where}`, jobId, 2), () => at(jobId, 2, 'tenant_id')],
    [
      'a tenant removed in a history of a tenant',
      () => sql(`update event set tenant_id = null ${where}`, tenantStreamId(TENANT), 1),
      () => at(tenantStreamId(TENANT), 1, 'tenant_id'),
    ],
    ...['.0', '.0000000000000000000001'].map((tail): Tampering => [
      `a number with the tail ${tail}`,
      () =>
        sql(
          `update event set facts = jsonb_set(facts, '{budgetCapCents}', (facts ->> 'budgetCapCents' || $3)::jsonb) ${where}`,
          jobId,
          1,
          tail,
        ),
      () => ({
        ...at(jobId, 1, 'facts'),
        what: expect.stringMatching(`^budgetCapCents is written \\d+\\${tail}, and the hash is over \\d+: `) as string,
      }),
    ]),
    [
      'a number in a list with more digits than its hash is over',
      () => rechained(jobId, sql(`update event set facts = facts || '{"more": [1, 9007199254740993]}' ${where}`, jobId, 3)),
      () => at(jobId, 3, 'facts'),
    ],
    ['another hash', () => sql(`update event set hash = sha256(hash) ${where}`, jobId, 2), () => at(jobId, 2, 'hash')],
    ['another hash before', () => sql(`update event set prev_hash = sha256(hash) ${where}`, jobId, 2), () => at(jobId, 2, 'prev_hash')],
    [
      'changed content',
      () => sql(`update event set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) ${where}`, jobId, 1),
      () => at(jobId, 1, 'sealed'),
    ],
    [
      'content of another event',
      () => sql(`update event set sealed = (select sealed from event where stream_id = $3 and version = 1) ${where}`, jobId, 1, pursuedId),
      () => at(jobId, 1, 'sealed'),
    ],
    [
      'content with its digest',
      () => sql(`update event set sealed = 'x', sealed_sha256 = sha256('x') ${where}`, jobId, 1),
      () => at(jobId, 1, 'hash'),
    ],
    ['content where there was none', () => sql(`update event set sealed = 'x' ${where}`, jobId, 2), () => at(jobId, 2, 'sealed')],
    ['content that was removed', () => sql(`update event set sealed = null ${where}`, jobId, 1), () => at(jobId, 1, 'sealed')],
    ['a removed digest', () => sql(`update event set sealed_sha256 = null ${where}`, jobId, 1), () => at(jobId, 1, 'hash')],
    ['an event removed from the middle', () => sql(`delete from event ${where}`, jobId, 3), () => at(jobId, 3, 'version')],
    ['the first event removed', () => sql(`delete from event ${where}`, jobId, 1), () => at(jobId, 1, 'version')],
    ['two events that changed places', () => swapped(jobId, 2, 3), () => at(jobId, 2, 'prev_hash')],
    [
      'an event that moved to another stream',
      () => sql(`update event set stream_id = $3, version = 9 ${where}`, jobId, 6, other.jobId),
      () => at(other.jobId, 2, 'version'),
    ],
    ['a whole job removed', () => sql('delete from event where stream_id = $1', pursuedId), () => at(threadId, 5, 'facts.jobId')],
    [
      'a whole thread removed',
      () => sql('delete from event where stream_id = $1', other.threadId),
      () => at(other.jobId, 1, 'facts.threadId'),
    ],
    [
      'a cost that was lowered and the chain made right',
      () => rechained(jobId, sql(`update event set facts = facts || '{"committedMicros": 1}' ${where}`, jobId, 3)),
      () => ({ streamId: jobId, field: 'facts' }),
    ],
    ['an ending that was repeated and the chain made right', () => rechained(jobId, repeatedEnd), () => at(jobId, 8, 'type')],
    ['an attempt that was removed and the chain made right', () => rechained(jobId, without(jobId, 2)), () => at(jobId, 2, 'type')],
    [
      'a job that was moved to another tenant and the chain made right',
      () =>
        rechained(other.jobId, async (client) => {
          await sql(`update event set facts = facts || '{"tenantId": "tenant-two"}' ${where}`, other.jobId, 1)(client);
          await sql(`update event set tenant_id = 'tenant-two' where stream_id = $1`, other.jobId)(client);
        }),
      () => at(other.jobId, 1, 'facts.tenantId'),
    ],
    [
      'a job that was moved to another thread and the chain made right',
      () =>
        rechained(
          other.jobId,
          sql(`update event set facts = facts || jsonb_build_object('threadId', $3::text) ${where}`, other.jobId, 1, threadId),
        ),
      () => at(other.jobId, 1, 'facts.threadId'),
    ],
    [
      'another parent and the chain made right',
      () => rechained(pursuedId, sql(`update event set facts = facts || '{"parentJobId": null}' ${where}`, pursuedId, 1)),
      () => at(pursuedId, 1, 'facts.parentJobId'),
    ],
    [
      'a time before that of the event before and the chain made right',
      () => rechained(jobId, sql(`update event set meta = meta || '{"occurredAt": "2020-01-01T00:00:00.000Z"}' ${where}`, jobId, 3)),
      () => at(jobId, 3, 'meta.occurredAt'),
    ],
    [
      'facts that are none and the chain made right',
      () => rechained(jobId, sql(`update event set facts = '7' ${where}`, jobId, 3)),
      () => ({ streamId: jobId, version: 3 }),
    ],
    [
      'facts that are none in a thread and the chain made right',
      () => rechained(threadId, sql(`update event set facts = 'null' ${where}`, threadId, 3)),
      () => ({ streamId: threadId, version: 3 }),
    ],
    [
      'an event of a schema version that there never was and the chain made right',
      () => rechained(jobId, sql(`update event set schema_version = 0 ${where}`, jobId, 3)),
      () => ({ streamId: jobId, version: 3 }),
    ],
    [
      'an event of a job in a thread and the chain made right',
      () => rechained(threadId, sql(`update event set type = 'DeadlineReached' ${where}`, threadId, 4)),
      () => at(threadId, 4, 'type'),
    ],
    ['content that was erased, as if its thread had been deleted', () => erasedAlone(jobId, 7), () => at(jobId, 8, 'type')],
    [
      'content removed with its digest and the chain made right',
      () => rechained(jobId, sql(`update event set sealed = null, sealed_sha256 = null ${where}`, jobId, 1)),
      () => at(jobId, 1, 'sealed_sha256'),
    ],
    [
      'a key that came back after its thread was deleted',
      () => sql(`insert into thread_key select $1, kek_id, wrapped from thread_key limit 1`, deleted.threadId),
      () => at(deleted.threadId, null, 'thread_key'),
    ],
    [
      'the key of a thread that was not deleted removed',
      () => sql('delete from thread_key where thread_id = $1', threadId),
      () => at(threadId, null, 'thread_key'),
    ],
    [
      'the key of a thread given to another tenant',
      () => sql(`update thread_key set tenant_id = 'another' where thread_id = $1`, threadId),
      () => at(threadId, null, 'thread_key.tenant_id'),
    ],
    [
      'the tenant of the key of a thread removed',
      () => sql('update thread_key set tenant_id = null where thread_id = $1', threadId),
      () => at(threadId, null, 'thread_key.tenant_id'),
    ],
    [
      'content that came back after it was erased',
      () => sql(`update event set sealed = 'x' ${where}`, deleted.jobId, 1),
      () => at(deleted.jobId, 1, 'sealed'),
    ],
    [
      'the mark of an erasure removed',
      () => sql(`delete from event where stream_id = $1 and type = 'ContentErased'`, deleted.jobId),
      () => at(deleted.jobId, 1, 'sealed'),
    ],
    [
      'the deletion of a thread removed',
      () => sql(`delete from event where stream_id = $1 and type = 'ThreadDeleted'`, deleted.threadId),
      () => at(deleted.threadId, 1, 'sealed'),
    ],
  ];
  it.each(CASES)('%s', async (_, tamper, place) => {
    const { faults } = await afterTampering(tamper());
    expect(faults).toContainEqual(expect.objectContaining(place()));
  });
});

const at = (streamId: string, version: number | null, field: string) => ({ streamId, version, field });

const swapped = (streamId: string, one: number, two: number) => async (client: PoolClient) => {
  for (const [from, to] of [
    [one, 99],
    [two, one],
    [99, two],
  ]) {
    await client.query(`update event set version = $3 ${where}`, [streamId, from, to]);
  }
};

const erasedAlone = (streamId: string, last: number) =>
  rechained(streamId, async (client) => {
    await client.query('update event set sealed = null where stream_id = $1', [streamId]);
    await client.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, version + 1, 'evt_erased', 'ContentErased', 1, '{"reason": "thread_deleted"}', meta, hash, hash from event ${where}`,
      [streamId, last],
    );
  });

const repeatedEnd = async (client: PoolClient) => {
  await client.query('drop index event_one_final');
  await client.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, tenant_id)
      select stream_id, version + 1, 'evt_again', 'JobFailed', 1, facts, meta, hash, hash, tenant_id from event ${where}`,
    [jobId, 7],
  );
};

describe('what the histories alone cannot show, since they agree with each other', () => {
  const CASES: [what: string, tamper: () => (client: PoolClient) => Promise<unknown>][] = [
    ['the last event of a stream removed', () => sql(`delete from event ${where}`, jobId, 7)],
    ['a message removed and the chain made right', () => rechained(threadId, without(threadId, 4))],
    ['a thread removed with all of its jobs', () => sql('delete from event where stream_id in ($1, $2)', other.threadId, other.jobId)],
    [
      'another actor and the chain made right',
      () => rechained(jobId, sql(`update event set meta = meta || '{"actor": "key:another"}' ${where}`, jobId, 2)),
    ],
  ];
  it.each(CASES)('%s', async (_, tamper) => {
    expect(await afterTampering(tamper())).toEqual({ faults: [], unknown: [] });
  });
});

it('nothing in what builds wrote that did not name the tenant yet, nor in numbers of any size', async () => {
  const earlier: Tamper = async (client) => {
    await client.query(`update event set facts = facts - 'causeVersion' where stream_id in ($1, $2)`, [jobId, threadId]);
    await client.query('update event set tenant_id = null where stream_id in ($1, $2)', [jobId, threadId]);
    await client.query('update thread_key set tenant_id = null where thread_id = $1', [threadId]);
    const numbers = '{"numbers": [0, -1.5, 0.1, 1e-7, 5e-10, 1e21, 123456789012345680000, 1e23, 9007199254740991, 1.7976931348623157e308]}';
    await client.query(`update event set facts = facts || $3 ${where}`, [jobId, 3, numbers]);
  };
  const found = afterTampering(rechained(threadId, rechained(jobId, earlier)));
  expect(await found).toEqual({ faults: [], unknown: [] });
});

it('says of a stream that a newer build has written to that it was not looked at', async () => {
  const { faults, unknown } = await afterTampering(rechained(jobId, sql(`update event set type = 'StepDreamt' ${where}`, jobId, 3)));
  expect(faults).toEqual([]);
  expect(unknown).toEqual([{ streamId: jobId, why: expect.stringContaining('StepDreamt') }]);
});

it('any bit that is flipped in any column that the chain covers is found', async () => {
  const COLUMNS = {
    event_id: 'text',
    type: 'text',
    schema_version: 'int',
    facts: 'json',
    meta: 'json',
    sealed: 'bytes',
    sealed_sha256: 'bytes',
    prev_hash: 'bytes',
    hash: 'bytes',
    version: 'int',
  } as const;
  const { rows } = await store.pool.query<{ stream_id: string; version: number; sealed: Buffer | null }>(
    'select * from event where stream_id = $1',
    [jobId],
  );
  const place = fc.constantFrom(...rows.map(({ version, sealed }) => ({ version, isSealed: sealed !== null })));
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.constantFrom(...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])),
      fc.nat(7),
      fc.nat(31),
      async ({ version, isSealed }, column, bit, byte) => {
        fc.pre(isSealed || !column.startsWith('sealed'));
        const flipped = {
          bytes: `set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # ${1 << bit})`,
          text: `overlay(${column} placing chr(ascii(substr(${column}, ${1 + (byte % 5)}, 1)) # ${1 << (bit % 6)}) from ${1 + (byte % 5)})`,
          int: `${column} # ${1 << bit}`,
          json: `jsonb_set(${column}, array[(select min(name) from jsonb_object_keys(${column}) as name)], to_jsonb(${column}::text || ${bit}))`,
        }[COLUMNS[column]];
        const { faults } = await afterTampering(async (client) => {
          await client.query('alter table event drop constraint event_pkey, drop constraint event_version_check');
          await client.query(`update event set ${column} = ${flipped} ${where}`, [jobId, version]);
        });
        expect(faults.map(({ streamId }) => streamId)).toContain(jobId);
      },
    ),
    { numRuns: 60 },
  );
});

it('what looks wrong because an erasure came in between is looked at again', async () => {
  const doomed = await createJob(store);
  await store.threads.delete(doomed.threadId, 'tenant-one', { actor: 'test', correlationId: 'test' });
  expect((await verifyHistories(store.pool, {}, () => undefined)).faults).toEqual([]);
  let reads = 0;
  // The thread is read with its content, and erased before anybody asks whether its erasure is still under way.
  const query = async (text: string, values: unknown[]) => {
    const result: unknown = await store.pool.query(text, values);
    if (text.includes('octet_length(sealed)') && (reads += 1) === 1) await store.erasure.erase(doomed.threadId);
    return result;
  };
  const looked = await verifyHistories({ query } as unknown as Pool, { streamId: doomed.threadId }, () => undefined);
  expect({ faults: looked.faults, reads }).toEqual({ faults: [], reads: 2 });
  expect((await jobState(store, doomed.jobId)).erased).toBe(true);
});
