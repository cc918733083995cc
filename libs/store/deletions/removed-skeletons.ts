import type { ClientBase, Pool } from 'pg';
import type { RemovedSkeleton } from '@lib/domain/tenant';
import { HELD_OF_BALANCES } from '../balances/held-of-balances';
import type { StoredReceipt } from '../log/deletion-receipts';
import { ANSWER_WITHIN_MS } from '../postgres/answer-within';
import { byteaArray, int4Array, textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';
import { withStoreErrors } from '../postgres/store-unavailable';
import { inTransaction } from '../postgres/transaction';
import type { ChangeMeta, Tenants } from '../tenants/tenants';

/** A deleted thread with a signed receipt whose histories are still there. */
export type DeletedThread = StoredReceipt;

/** The last event of a history. */
export interface RemovedStream {
  streamId: string;
  version: number;
  /** In hexadecimal digits. */
  hash: string;
}

/** What is left of a deleted thread, according to its events. */
export interface ThreadSkeleton {
  events: number;
  /** Whether nothing has been recorded since, the log has every event, and nothing is left to be done for its jobs. */
  isRemovable: boolean;
  balance: RemovedSkeleton['balance'];
  /** The last event of each history. */
  heads: RemovedStream[];
}

/** The record that the histories of a thread were removed. */
export interface Removal {
  threadId: string;
  tenantId: string;
  /** The version of the tenant's event that records it. */
  recordedIn: number;
  removedAt: Date;
}

/** Ordered by id. The receipt's row says that nothing but the skeleton is left. */
const DELETED = `select thread_id as "threadId", tenant_id as "tenantId", size, note, streams from deletion_receipt
  where note is not null and thread_id > $1 and not exists (select from removed_stream where stream_id = deletion_receipt.thread_id)
    and (select (meta ->> 'occurredAt')::timestamptz from event where stream_id = thread_id order by version desc limit 1) < $2::timestamptz
  order by thread_id limit $3`;
const EXAMINE = `with ${HELD_OF_BALANCES('and held.stream_id = any ($1)')}
  select count(*)::int as events,
    coalesce(max((meta ->> 'occurredAt')::timestamptz) < $2::timestamptz, false) and bool_and(log_entry.index is not null)
      and not exists (select from agenda where job_id = any ($1)) as "isRemovable",
    (select jsonb_build_object('reservedCents', coalesce(sum(held), 0), 'chargedCents', coalesce(sum(charged), 0)) from held_of_balances) as balance,
    (select jsonb_agg(jsonb_build_object('streamId', stream_id, 'version', version, 'hash', encode(hash, 'hex'))) from (
      select distinct on (stream_id) stream_id, version, hash from event where stream_id = any ($1) order by stream_id, version desc) as last) as heads
  from event left join log_entry using (stream_id, version) where event.stream_id = any ($1)`;
const RECORD = `insert into removed_stream (stream_id, thread_id, tenant_id, version, hash, recorded_in)
  select stream_id, thread_id, $5, version, hash, $6
    from unnest($1::text[], $2::text[], $3::int4[], $4::bytea[]) as given (stream_id, thread_id, version, hash)`;
const PENDING =
  'select thread_id as id from removed_stream where removed_at is null and stream_id = thread_id and thread_id > $1 order by 1 limit $2';
const OF_STREAM = `select thread_id as "threadId", tenant_id as "tenantId", recorded_in as "recordedIn", removed_at as "removedAt" from removed_stream
  where stream_id = $1 and removed_at is not null and ($2::text is null or tenant_id = $2)`;
/** A thread may have many thousands of events: their rows are removed together. */
const REMOVE_WITHIN_MS = 600_000;
/** Streams that are read together: one statement for all of them would take too long. */
const STREAMS = 100;

/** @param after the id of a thread, or '' for the first page @param before when its last event has to have occurred */
export async function deletedThreads(pool: Pool, after: string, before: Date, limit: number): Promise<DeletedThread[]> {
  const rows = await rowsOf<DeletedThread>(pool, { text: DELETED, values: [after, before, limit] });
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Anything recorded between two pages is found by `remove_skeleton`. */
export async function examineSkeleton(pool: Pool, streamIds: readonly string[], before: Date): Promise<ThreadSkeleton> {
  const whole: ThreadSkeleton = { events: 0, isRemovable: streamIds.length > 0, balance: { reservedCents: 0, chargedCents: 0 }, heads: [] };
  for (let place = 0; place < streamIds.length; place += STREAMS) {
    const rows = await rowsOf<Omit<ThreadSkeleton, 'heads'> & { heads: RemovedStream[] | null }>(pool, {
      text: EXAMINE,
      values: [streamIds.slice(place, place + STREAMS), before],
    });
    for (const { events, isRemovable, balance, heads } of rows) {
      whole.events += events;
      whole.isRemovable &&= isRemovable;
      whole.balance.reservedCents += balance.reservedCents;
      whole.balance.chargedCents += balance.chargedCents;
      whole.heads.push(...(heads ?? []));
    }
  }
  return whole;
}

/** A skeleton as the tenant's history records it, and its histories as rows that go with the record. */
export interface RecordedSkeleton {
  skeleton: RemovedSkeleton;
  streams: readonly RemovedStream[];
}

/**
 * Records in one transaction that skeletons of a tenant are to be removed.
 * @throws an error of the database if another process has done it for one of them
 */
export async function recordRemoval(
  tenants: Tenants,
  tenantId: string,
  removed: readonly RecordedSkeleton[],
  meta: ChangeMeta,
): Promise<void> {
  const threads = removed.map(({ skeleton }) => skeleton);
  const rows = removed.flatMap(({ skeleton: { threadId }, streams }) => streams.map((stream) => ({ threadId, ...stream })));
  const write = async (client: ClientBase, { version }: { version: number }): Promise<void> => {
    await client.query(RECORD, [
      textArray(rows.map(({ streamId }) => streamId)),
      textArray(rows.map(({ threadId }) => threadId)),
      int4Array(rows.map((row) => row.version)),
      byteaArray(rows.map(({ hash }) => Buffer.from(hash, 'hex'))),
      tenantId,
      version,
    ]);
  };
  await tenants.execute({ tenantId, commands: [{ type: 'RemoveSkeletons', tenantId, threads }], meta, write });
}

/** Threads whose removal is recorded but not yet done. */
export async function pendingRemovals(pool: Pool, after: string, limit: number): Promise<string[]> {
  return (await rowsOf<{ id: string }>(pool, { text: PENDING, values: [after, limit] })).map(({ id }) => id);
}

/** The limit of a transaction, which older servers do not know, would end it sooner; set to another value, it would go on as it was begun. */
const TAKES_TIME = `select set_config(name, case name when 'statement_timeout' then '${String(REMOVE_WITHIN_MS)}' else '0' end, true)
  from pg_settings where name in ('statement_timeout', 'transaction_timeout')`;

/**
 * Removes the events of a thread and its jobs, all at once. @returns false if no checkpoint contains the record of it yet, or another process was
 * faster
 */
export async function removeSkeleton(pool: Pool, threadId: string): Promise<boolean> {
  // The client gives up after the server, and not after the time that the pool allows.
  const remove = { text: 'select remove_skeleton($1) as removed', values: [threadId], query_timeout: REMOVE_WITHIN_MS + ANSWER_WITHIN_MS };
  return withStoreErrors(() =>
    inTransaction(pool, async (client) => {
      await client.query(TAKES_TIME);
      const { rows } = await client.query<{ removed: boolean }>(remove);
      return rows[0]?.removed === true;
    }),
  );
}

/** @param tenantId the tenant whose history it was; null: any @returns null unless the events of this thread or job were removed */
export async function removalOf(pool: Pool, streamId: string, tenantId: string | null): Promise<Removal | null> {
  return (await rowsOf<Removal>(pool, { text: OF_STREAM, values: [streamId, tenantId] }))[0] ?? null;
}

/** The message for a client that asks for a removed history. */
export const textOfRemoval = (streamId: string, { threadId, tenantId, recordedIn, removedAt }: Removal): string =>
  `The history of ${streamId} was removed on ${removedAt.toISOString()}, as version ${recordedIn} of ten_${tenantId} records: ` +
  `what is left is the receipt of the deletion of ${threadId}.`;
