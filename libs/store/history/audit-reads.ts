import type { Pool } from 'pg';
import type { EventRecord } from './event-record';
import { respelledIn, type Respelled } from './respelled-numbers';

/** A row of the table of events as stored, even if it was tampered with. */
export interface StoredEventRow extends Omit<EventRecord, 'facts' | 'meta' | 'canonicalFacts' | 'canonicalMeta'> {
  facts: Record<string, unknown>;
  meta: Record<string, unknown>;
  /** The tenant by which the database's policies judge the row; null in rows of earlier builds. */
  tenantId: string | null;
  /** A number that is not written as RFC 8785 writes it, null if there is none. */
  respelled: Respelled | null;
}

/** Which histories are read: one, those of a tenant, or all. `after`: only those after this stream, for a reader that continues. */
export interface AuditScope {
  streamId?: string | undefined;
  tenantId?: string | undefined;
  after?: string | undefined;
}

const STREAMS = 200;
const EVENTS = 200;
/** Larger content is read in a query of its own, so that a page has a bound. */
const SMALL_BYTES = 65_536;

/** The next histories after one, up to a limit. */
export const NEXT_STREAMS = 'select distinct stream_id from event where stream_id > $1 order by stream_id limit $2';
/** Histories whose first event names the tenant. The views are searched too, for histories whose first event was changed or removed. */
const OF_TENANT = `select stream_id from (
    select stream_id from event where version = 1 and facts ->> 'tenantId' = $3
    union select id from job where tenant_id = $3 union select id from thread where tenant_id = $3) as own
  where stream_id > $1 order by stream_id limit $2`;
const EVENTS_OF = `select stream_id as "streamId", version, event_id as id, type, schema_version as "schemaVersion", facts::text, meta::text,
    case when octet_length(sealed) <= $5 then sealed end as sealed, octet_length(sealed) > $5 as large,
    sealed_sha256 as "sealedSha256", prev_hash as "prevHash", hash, tenant_id as "tenantId"
  from event where stream_id = any ($1) and (stream_id, version) > ($2, $3) order by stream_id, version limit $4`;

/** The ids of the histories, a page at a time and in order: those of jobs come first, then those of tenants, then those of threads. */
export async function* auditedStreams(pool: Pool, { streamId, tenantId, after = '' }: AuditScope): AsyncGenerator<string[]> {
  if (streamId !== undefined) {
    yield [streamId];
    return;
  }
  for (let last = after; ;) {
    const values = tenantId === undefined ? [last, STREAMS] : [last, STREAMS, tenantId];
    const { rows } = await pool.query<{ stream_id: string }>(tenantId === undefined ? NEXT_STREAMS : OF_TENANT, values);
    const ids = rows.map((row) => row.stream_id);
    if (ids.length > 0) yield ids;
    last = ids.at(-1) ?? '';
    if (ids.length < STREAMS) return;
  }
}

/** Every event of these histories in order, with its sealed bytes, in bounded memory. */
export async function* auditedEvents(pool: Pool, streamIds: readonly string[]): AsyncGenerator<StoredEventRow> {
  let last = { streamId: '', version: 0 };
  for (let read = EVENTS; read === EVENTS;) {
    const values = [streamIds, last.streamId, last.version, EVENTS, SMALL_BYTES];
    const { rows } = await pool.query<ReadRow>(EVENTS_OF, values);
    read = rows.length;
    last = rows.at(-1) ?? last;
    for (const { large, facts, meta, ...row } of rows) {
      const sealed = large === true ? await sealedOf(pool, row) : row.sealed;
      const respelled = respelledIn('facts', facts) ?? respelledIn('meta', meta);
      yield { ...row, sealed, respelled, facts: JSON.parse(facts) as Members, meta: JSON.parse(meta) as Members };
    }
  }
}

type Members = Record<string, unknown>;

interface ReadRow extends Omit<StoredEventRow, 'facts' | 'meta' | 'respelled'> {
  facts: string;
  meta: string;
  large: boolean | null;
}

async function sealedOf(pool: Pool, { streamId, version }: Pick<StoredEventRow, 'streamId' | 'version'>): Promise<Buffer | null> {
  const text = 'select sealed from event where stream_id = $1 and version = $2';
  const { rows } = await pool.query<{ sealed: Buffer | null }>(text, [streamId, version]);
  return rows[0]?.sealed ?? null;
}

interface ThreadSaid {
  tenantId: unknown;
  isDeleted: boolean;
  jobs: Map<string, { parentJobId: unknown }>;
}

/** The jobs that threads name. */
export async function threadsNamedBy(pool: Pool, threadIds: readonly string[], jobIds: readonly string[]) {
  const text = `select stream_id as "threadId", type, facts ->> 'tenantId' as "tenantId", facts ->> 'jobId' as "jobId",
      facts ->> 'parentJobId' as "parentJobId"
    from event where stream_id = any ($1) and (version = 1 or type = 'ThreadDeleted' or type = 'JobAdded' and facts ->> 'jobId' = any ($2))`;
  const { rows } = await pool.query<Record<'threadId' | 'type' | 'tenantId' | 'jobId' | 'parentJobId', string | null>>(text, [
    threadIds,
    jobIds,
  ]);
  const threads = new Map<string, ThreadSaid>();
  for (const { threadId, type, tenantId, jobId, parentJobId } of rows) {
    const thread = threads.get(String(threadId)) ?? { tenantId: null, isDeleted: false, jobs: new Map() };
    threads.set(String(threadId), thread);
    if (type === 'JobAdded') thread.jobs.set(String(jobId), { parentJobId });
    else if (type === 'ThreadDeleted') thread.isDeleted = true;
    else thread.tenantId = tenantId;
  }
  return threads;
}

/** The thread that jobs name. */
export async function jobsNamedBy(pool: Pool, jobIds: readonly string[]) {
  const text = `select stream_id as "jobId", max(facts ->> 'threadId') filter (where version = 1) as "threadId",
      bool_or(sealed is not null) as "isSealed",
      bool_or(type = 'ContentErased') as "isErased"
    from event where stream_id = any ($1) group by stream_id`;
  const { rows } = await pool.query<{ jobId: string; threadId: unknown; isSealed: boolean; isErased: boolean }>(text, [jobIds]);
  return new Map(rows.map((row) => [row.jobId, row]));
}

/** Which of these threads have a key, with the tenant in its row, and which are still being erased. */
export async function erasuresOf(
  pool: Pool,
  threadIds: readonly string[],
): Promise<{ keys: Map<string, string | null>; beingErased: Set<string> }> {
  const read = async (text: string) => (await pool.query<{ id: string; tenantId: string | null }>(text, [threadIds])).rows;
  const keys = await read('select thread_id as id, tenant_id as "tenantId" from thread_key where thread_id = any ($1)');
  const erasing = await read(`select job_id as id, tenant_id as "tenantId" from agenda where job_id = any ($1) and kind = 'erase thread'`);
  return {
    keys: new Map(keys.map(({ id, tenantId }) => [id, tenantId])),
    beingErased: new Set(erasing.map(({ id }) => id)),
  };
}
