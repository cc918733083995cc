import type { Pool } from 'pg';

/** A receipt that was signed. */
export interface StoredReceipt {
  threadId: string;
  /** Who is told it. */
  tenantId: string;
  /** The size of the log that it names. */
  size: number;
  note: string;
  /** A line of JSON for each stream. */
  streams: string;
}

/** The event by which a history was erased. */
export interface Erasure {
  type: 'ThreadDeleted' | 'ContentErased';
  version: number;
  /** In hexadecimal digits. */
  hash: string;
  actor: string;
  occurredAt: string;
  isLogged: boolean;
  /** The event before it. */
  head: { version: number; hash: string };
}

/** What the history of a deleted thread, or of one of its jobs, says about its deletion. */
export interface DeletedStream {
  streamId: string;
  /** Also while the id of a run is kept that its provider has to be told to stop. */
  hasContent: boolean;
  /** How many of its events are in the log. */
  logged: number;
  erasures: readonly Erasure[];
}

/** A thread may have 10,000 jobs of some 40 events: those of a hundred are read in 10 to 30 ms. */
const STREAMS = 100;
const UNSIGNED = 20;
const EXPECTED = `select thread_id as "threadId", tenant_id as "tenantId" from deletion_receipt
  where note is null and thread_id > $1 and not exists (select from agenda where job_id = thread_id and kind = 'erase thread')
    and not exists (select from thread_key where thread_key.thread_id = deletion_receipt.thread_id)
  order by thread_id limit ${UNSIGNED}`;
const JOBS = `select facts ->> 'jobId' as id from event where stream_id = $1 and type = 'JobAdded' order by version`;
const DELETED = `select given.stream_id as "streamId", 
      bool_or(sealed is not null) or exists (select from agenda where job_id = given.stream_id and kind in ('cancel run', 'run')) as "hasContent",
      count(*) filter (where log_entry.index < $2)::int as logged,
      coalesce(jsonb_agg(jsonb_build_object('type', type, 'version', event.version, 'hash', encode(hash, 'hex'), 'actor', meta ->> 'actor',
          'occurredAt', meta ->> 'occurredAt', 'isLogged', coalesce(log_entry.index < $2, false), 'head', (
            select jsonb_build_object('version', before.version, 'hash', encode(before.hash, 'hex')) from event as before
              where before.stream_id = event.stream_id and before.version < event.version order by before.version desc limit 1))
        order by event.version) filter (where type in ('ThreadDeleted', 'ContentErased')), '[]') as erasures
    from unnest($1::text[]) with ordinality as given (stream_id, place)
      join event on event.stream_id = given.stream_id
      left join log_entry on log_entry.stream_id = event.stream_id and log_entry.version = event.version
    group by given.place, given.stream_id order by given.place`;
const numbered = (row: StoredReceipt): StoredReceipt => ({ ...row, size: Number(row.size) });
const COLUMNS = 'thread_id as "threadId", tenant_id as "tenantId", size, note, streams';
/** The log's trigger makes the row of a deletion with its entry. */
const WITHOUT_ROW = `select stream_id as id from event join log_entry using (stream_id, version)
  where stream_id > 'thr_' and type = 'ThreadDeleted' and log_entry.tenant_id is not null
    and not exists (select from deletion_receipt where thread_id = stream_id)
  order by stream_id limit ${UNSIGNED}`;

/** Deleted threads with nothing left to erase and without a signed receipt, a page at a time. */
export async function* expectedReceipts(pool: Pool): AsyncGenerator<{ threadId: string; tenantId: string }> {
  for (let last = ''; ;) {
    const { rows } = await pool.query<{ threadId: string; tenantId: string }>(EXPECTED, [last]);
    yield* rows;
    last = rows.at(-1)?.threadId ?? '';
    if (rows.length < UNSIGNED) return;
  }
}

/**
 * The histories of a thread and of the jobs that it names: first its own, then theirs in the order in which it named them. They are read some
 * at a time, since no statement may take as long as all of them.
 * @param size of the log
 */
export async function* streamsOfDeleted(pool: Pool, threadId: string, size: number): AsyncGenerator<DeletedStream> {
  const { rows: jobs } = await pool.query<{ id: string }>(JOBS, [threadId]);
  const streamIds = [threadId, ...jobs.map(({ id }) => id)];
  for (let place = 0; place < streamIds.length; place += STREAMS) {
    const { rows } = await pool.query<DeletedStream>(DELETED, [streamIds.slice(place, place + STREAMS), size]);
    yield* rows;
  }
}

/** If several processes sign a receipt, the first one stays. */
export async function saveReceipt(pool: Pool, { threadId, size, note, streams }: Omit<StoredReceipt, 'tenantId'>): Promise<void> {
  const text = 'update deletion_receipt set size = $2, note = $3, streams = $4 where thread_id = $1 and note is null';
  await pool.query(text, [threadId, size, note, streams]);
}

/** The receipts of these threads that a log of this size covers, by id. */
export async function receiptsOf(pool: Pool, threadIds: readonly string[], size: number): Promise<StoredReceipt[]> {
  const text = `select ${COLUMNS} from deletion_receipt where thread_id = any ($1) and note is not null and size <= $2 order by thread_id`;
  const { rows } = await pool.query<StoredReceipt>(text, [threadIds, size]);
  return rows.map(numbered);
}

/**
 * Threads of these tenants, in a range of ids, whose removal is in the log of this size, so that their histories may be gone.
 * @param after exclusive; the range goes up to and including `last`; null: to the end
 */
export async function removedThreads(
  pool: Pool,
  tenantIds: readonly string[],
  size: number,
  after: string,
  last: string | null,
): Promise<string[]> {
  const text = `select removed_stream.stream_id as id from removed_stream
      join log_entry on log_entry.stream_id = 'ten_' || removed_stream.tenant_id and log_entry.version = recorded_in
    where removed_stream.stream_id = thread_id and removed_stream.tenant_id = any ($1) and log_entry.index < $2
      and thread_id > $3 and ($4::text is null or thread_id <= $4) order by 1`;
  return (await pool.query<{ id: string }>(text, [tenantIds, size, after, last])).rows.map(({ id }) => id);
}

/** @returns null if the tenant deleted no thread with this id; 'unsigned' if it did and nobody has signed it yet */
export async function receiptOf(pool: Pool, tenantId: string, threadId: string): Promise<StoredReceipt | 'unsigned' | null> {
  const text = `select ${COLUMNS} from deletion_receipt where thread_id = $1 and tenant_id = $2 and note is not null`;
  const { rows } = await pool.query<StoredReceipt>(text, [threadId, tenantId]);
  if (rows[0]) return numbered(rows[0]);
  const deleted = `select from event where stream_id = $1 and type = 'ThreadDeleted'
    and (select facts ->> 'tenantId' from event as first where first.stream_id = $1 and first.version = 1) = $2`;
  return (await pool.query(deleted, [threadId, tenantId])).rowCount === 0 ? null : 'unsigned';
}

/** Every receipt that was signed, by the thread. */
export async function* storedReceipts(pool: Pool): AsyncGenerator<StoredReceipt> {
  const text = `select ${COLUMNS} from deletion_receipt where note is not null and thread_id > $1 order by thread_id limit ${UNSIGNED}`;
  for (let last = ''; ;) {
    const { rows } = await pool.query<StoredReceipt>(text, [last]);
    yield* rows.map(numbered);
    last = rows.at(-1)?.threadId ?? '';
    if (rows.length < UNSIGNED) return;
  }
}

/** Some deleted threads whose receipt is not even expected, although their deletion is in the log. */
export async function deletionsWithoutRow(pool: Pool): Promise<string[]> {
  return (await pool.query<{ id: string }>(WITHOUT_ROW)).rows.map(({ id }) => id);
}

/** From the first event of the thread; null if that is gone. */
export async function tenantOfThread(pool: Pool, threadId: string): Promise<string | null> {
  const text = `select facts ->> 'tenantId' as "tenantId" from event where stream_id = $1 and version = 1`;
  return (await pool.query<{ tenantId: string | null }>(text, [threadId])).rows[0]?.tenantId ?? null;
}
