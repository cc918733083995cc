import type { Pool } from 'pg';
import { APPENDED_AT } from './log-entries';

/** The histories to export: exactly one, or those of a tenant or of everybody since a time. */
export interface ExportScope {
  jobId: string | null;
  threadId: string | null;
  tenantId: string | null;
  since: Date | null;
}

/** A stream up to, and without, an event. */
export interface ExportedStream {
  streamId: string;
  until: number;
}

/** An event as it is stored, without its content, with its place in the log. */
export interface ExportedEvent {
  streamId: string;
  version: number;
  id: string;
  type: string;
  schemaVersion: number;
  facts: Record<string, unknown>;
  meta: Record<string, unknown>;
  sealed: null;
  sealedSha256: Buffer | null;
  prevHash: Buffer;
  hash: Buffer;
  appendedAt: string | null;
  /** Null if the log does not have it yet. */
  index: number | null;
}

const THREADS = 200;
const STREAMS = 200;
const EVENTS = 500;
const NO_END = 2 ** 31 - 1;

const FIRST = `select distinct on (stream_id) stream_id as id from event where stream_id > $1 and stream_id < $2
  and ($3::text is null or $3 = coalesce(tenant_id,
    (select facts ->> 'tenantId' from event as first where first.stream_id = event.stream_id and first.version = 1)))
  order by stream_id limit ${THREADS}`;
const JOBS = `select event.stream_id as "threadId", event.version, facts ->> 'jobId' as "jobId", coalesce(log_entry.index < $2, false) as "isLogged"
  from event left join log_entry on log_entry.stream_id = facts ->> 'jobId' and log_entry.version = 1
  where event.stream_id = any ($1) and type = 'JobAdded' order by event.stream_id, event.version`;
/** Considers only the exported part of each stream. */
const TOUCHED = `select distinct stream_id as id from unnest($1::text[], $2::int4[]) as wanted (stream_id, until)
    join event using (stream_id) join log_entry using (stream_id, version)
  where event.version < wanted.until and log_entry.index < $4 and coalesce(appended_at, (meta ->> 'occurredAt')::timestamptz) >= $3`;
const READ = `select place::int, event.stream_id as "streamId", event.version, event_id as id, type, schema_version as "schemaVersion", facts, meta,
    sealed_sha256 as "sealedSha256", prev_hash as "prevHash", hash, ${APPENDED_AT} as "appendedAt", log_entry.index
  from unnest($1::text[], $2::int4[]) with ordinality as wanted (stream_id, until, place)
    join event on event.stream_id = wanted.stream_id and event.version < wanted.until
    left join log_entry on log_entry.stream_id = event.stream_id and log_entry.version = event.version
  where (place, event.version) > ($3, $4) order by place, event.version limit ${EVENTS}`;

/**
 * The streams of a scope, a page at a time: those of tenants, then each thread followed by its jobs, ordered by id.
 * @param size of the log: later events are left out
 */
export async function* exportedStreams(pool: Pool, scope: ExportScope, size: number): AsyncGenerator<ExportedStream[]> {
  const { jobId, threadId, tenantId, since } = scope;
  if (jobId !== null) {
    const [job] = await idsOf(pool, `select facts ->> 'threadId' as id from event where stream_id = $1 and version = 1`, [jobId]);
    if (job !== undefined) yield [job, jobId].map((streamId) => ({ streamId, until: NO_END }));
    return;
  }
  if (threadId !== null) {
    yield (await withJobs(pool, [threadId], size)).flat();
    return;
  }
  for await (const ids of pagesOf(pool, 'ten_', tenantId)) {
    const streams = ids.map((streamId) => ({ streamId, until: NO_END }));
    const touched = await touchedOf(pool, streams, since, size);
    yield streams.filter(({ streamId }) => touched.has(streamId));
  }
  for await (const ids of pagesOf(pool, 'thr_', tenantId)) {
    const threads = await withJobs(pool, ids, size);
    const touched = await touchedOf(pool, threads.flat(), since, size);
    yield threads.filter((streams) => streams.some(({ streamId }) => touched.has(streamId))).flat();
  }
}

/** The ids with this prefix, of a tenant or of all. */
async function* pagesOf(pool: Pool, prefix: string, tenantId: string | null): AsyncGenerator<string[]> {
  const end = prefix.replace('_', '`');
  for (let last = prefix; ;) {
    const ids = await idsOf(pool, FIRST, [last, end, tenantId]);
    if (ids.length > 0) yield ids;
    last = ids.at(-1) ?? '';
    if (ids.length < THREADS) return;
  }
}

async function idsOf(pool: Pool, text: string, values: unknown[]): Promise<string[]> {
  return (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
}

/** A thread is cut before the first job that is not in the log yet, so that it names no missing job. */
async function withJobs(pool: Pool, threadIds: readonly string[], size: number): Promise<ExportedStream[][]> {
  const { rows } = await pool.query<{ threadId: string; version: number; jobId: string; isLogged: boolean }>(JOBS, [threadIds, size]);
  const named = Map.groupBy(rows, (row) => row.threadId);
  return threadIds.map((threadId) => {
    const jobs = named.get(threadId) ?? [];
    const until = jobs.find(({ isLogged }) => !isLogged)?.version ?? NO_END;
    const own = jobs.filter(({ version }) => version < until).map(({ jobId }) => ({ streamId: jobId, until: NO_END }));
    return [{ streamId: threadId, until }, ...own];
  });
}

async function touchedOf(pool: Pool, streams: readonly ExportedStream[], since: Date | null, size: number): Promise<ReadonlySet<string>> {
  const streamIds = streams.map(({ streamId }) => streamId);
  if (since === null) return new Set(streamIds);
  return new Set(await idsOf(pool, TOUCHED, [streamIds, streams.map(({ until }) => until), since, size]));
}

/** The events of these streams, stream by stream and in order, in bounded memory. */
export async function* exportedEvents(pool: Pool, streams: readonly ExportedStream[]): AsyncGenerator<ExportedEvent> {
  for (let from = 0; from < streams.length; from += STREAMS) {
    const some = streams.slice(from, from + STREAMS);
    const wanted = [some.map(({ streamId }) => streamId), some.map(({ until }) => until)];
    let last = { place: 0, version: 0 };
    for (let read = EVENTS; read === EVENTS;) {
      const { rows } = await pool.query<Omit<ExportedEvent, 'index'> & { place: number; index: string | null }>(READ, [
        ...wanted,
        last.place,
        last.version,
      ]);
      read = rows.length;
      last = rows.at(-1) ?? last;
      for (const { place: _, ...row } of rows) yield { ...row, sealed: null, index: row.index === null ? null : Number(row.index) };
    }
  }
}

/** @param seen how many events of each stream were read @returns a thread that was removed while its histories were read, or null */
export async function removedAmong(pool: Pool, seen: ReadonlyMap<string, number>): Promise<string | null> {
  const text = `select thread_id as id from unnest($1::text[], $2::int4[]) as read (stream_id, events) join removed_stream using (stream_id)
    where removed_at is not null group by thread_id having sum(events) > 0 and bool_or(events < version) limit 1`;
  return (await idsOf(pool, text, [[...seen.keys()], [...seen.values()]]))[0] ?? null;
}
