import type { Pool } from 'pg';

/** An event `SkeletonsRemoved`, as stored. */
export interface RecordedRemoval {
  tenantId: string;
  version: number;
  /** Whether a checkpoint covers it; one of an earlier log suffices, since a log begins with the entries of that one. */
  isSigned: boolean;
  threads: unknown;
  occurredAt: string;
}

/** A history of a thread that was removed, or is to be, as the tables have it beside the record. */
export interface RemovedRow {
  threadId: string;
  streamId: string;
  tenantId: string;
  version: number;
  hash: string;
  recordedIn: number;
  /** Null as long as its events are there. */
  removedAt: Date | null;
  /** Of every event; null as long as they are there. */
  hashes: Buffer[] | null;
  /** How many times of appends are kept. */
  times: number;
  /** Events that are still there. */
  events: number;
  /** The log's entries of it, and how far their versions go. */
  entries: number;
  lastEntry: number;
}

/** Each may record a hundred threads. */
const PAGE = 10;
const RECORDED = `select substr(stream_id, 5) as "tenantId", version, facts -> 'threads' as threads, meta ->> 'occurredAt' as "occurredAt",
    coalesce((select index from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version)
      < (select max(size) from checkpoint), false) as "isSigned"
  from event where stream_id >= 'ten_' and stream_id < 'ten\`' and type = 'SkeletonsRemoved' and (stream_id, version) > ($1, $2)
  order by stream_id, version limit ${PAGE}`;
const ROWS = `select thread_id as "threadId", stream_id as "streamId", tenant_id as "tenantId", version, encode(hash, 'hex') as hash,
    recorded_in as "recordedIn", removed_at as "removedAt", hashes,
    coalesce(cardinality(appended_at), 0) as times,
    (select count(*)::int from event where event.stream_id = removed_stream.stream_id) as events,
    (select count(*)::int from log_entry where log_entry.stream_id = removed_stream.stream_id) as entries,
    (select coalesce(max(version), 0) from log_entry where log_entry.stream_id = removed_stream.stream_id) as "lastEntry"
  from removed_stream where thread_id = any ($1) order by thread_id, stream_id`;
const UNRECORDED = `select stream_id as "streamId" from removed_stream where not exists (
    select from event where event.stream_id = 'ten_' || removed_stream.tenant_id and event.version = recorded_in and type = 'SkeletonsRemoved'
      and facts -> 'threads' @> jsonb_build_array(jsonb_build_object('threadId', thread_id)))
  order by stream_id limit ${PAGE}`;

/** Every event of tenants that records a removal, a page at a time. */
export async function* recordedRemovals(pool: Pool): AsyncGenerator<RecordedRemoval[]> {
  for (let last = { tenantId: '', version: 0 }; ;) {
    const { rows } = await pool.query<RecordedRemoval>(RECORDED, [last.tenantId === '' ? '' : `ten_${last.tenantId}`, last.version]);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? last;
    if (rows.length < PAGE) return;
  }
}

export async function removedRows(pool: Pool, threadIds: readonly string[]): Promise<RemovedRow[]> {
  return (await pool.query<RemovedRow>(ROWS, [threadIds])).rows;
}

/** Some of those rows that no event of their tenant records. */
export async function unrecordedRows(pool: Pool): Promise<string[]> {
  return (await pool.query<{ streamId: string }>(UNRECORDED)).rows.map(({ streamId }) => streamId);
}
