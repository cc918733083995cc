import type { ClientBase, Pool } from 'pg';
import { tenantStreamId } from '@lib/domain/tenant';
import type { CountView, ViewName, ViewRow } from './view-row';

/** The columns to read from a table, and how to find a row again. */
interface Row {
  view: ViewName;
  key: string;
  stream: string;
  columns: Record<string, unknown>;
}

const iso = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Agenda rows of an earlier build have no tenant. Of a document it is only read whether it is there. Earlier builds kept limits of keys
 * beside their rows.
 */
const SELECTED: Readonly<Record<Exclude<ViewName, 'message' | 'thread key' | CountView>, string>> = {
  thread: `select 'thread' as view, id as key, id as stream, jsonb_build_object('tenantId', tenant_id, 'createdAt', ${iso('created_at')},
      'updatedAt', ${iso('updated_at')}, 'version', version, 'jobCount', job_count, 'shape', shape) as columns from thread`,
  job: `select 'job' as view, id as key, id as stream, jsonb_build_object('tenantId', tenant_id, 'threadId', thread_id, 'parentJobId', parent_job_id,
      'version', version, 'status', status, 'budgetTier', budget_tier, 'budgetCapCents', budget_cap_cents, 'createdAt', ${iso('created_at')},
      'completedAt', ${iso('completed_at')}, 'costCents', cost_cents, 'steps', steps,
      'document', case when document is null then 'none' else 'sealed' end) as columns from job`,
  agenda: `select 'agenda' as view, job_id || ' ' || kind || '/' || ref as key, job_id as stream, jsonb_build_object('tenantId', tenant_id,
      'stepId', step_id, 'attempt', attempt, 'provider', provider, 'run', run) as columns from agenda`,
  key: `select 'key' as view, key_id as key, 'ten_' || tenant_id as stream, jsonb_build_object('tenantId', tenant_id, 'scopes', scopes,
      'createdAt', ${iso('created_at')}, 'expiresAt', ${iso('expires_at')}, 'revokedAt', ${iso('revoked_at')}, 'limits',
      coalesce(limits, (select earlier.limits from tenant_limit earlier where earlier.tenant_id = api_key.tenant_id and earlier.key_id = api_key.key_id)))
      as columns from api_key`,
  limits: `select 'limits' as view, tenant_id || '/' || key_id as key, 'ten_' || tenant_id as stream,
      jsonb_build_object('limits', limits) as columns from (select * from tenant_limit as found where key_id = ''
        or not exists (select from api_key where api_key.key_id = found.key_id and api_key.tenant_id = found.tenant_id)) as of_no_key`,
};

const OF_STREAMS = `${SELECTED.thread} where id = any ($1) union all ${SELECTED.job} where id = any ($1)
  union all ${SELECTED.agenda} where job_id = any ($1)
  union all ${SELECTED.key} where tenant_id = any ($2) union all ${SELECTED.limits} where tenant_id = any ($2)`;

/** The rows of all views but messages that are stored for these streams. */
export async function storedRows(database: Pool | ClientBase, streamIds: readonly string[]): Promise<ViewRow[]> {
  const prefix = tenantStreamId('');
  const tenants = streamIds.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const { rows } = await database.query<Row>(OF_STREAMS, [streamIds, tenants]);
  return rows.map(rowOf);
}

const rowOf = ({ view, key, stream, columns }: Row): ViewRow => ({ view, key, streamId: stream, columns });

const HAS_HISTORY = 'exists (select from event where event.stream_id = orphan.stream and event.version = 1)';
const ORPHANS = `select view, key, stream, columns from (
    ${Object.values(SELECTED).join(' union all ')}
    union all select 'message', id, thread_id, jsonb_build_object('threadId', thread_id, 'version', version) from message) as orphan
  where not ${HAS_HISTORY} and (view, key) > ($1, $2) order by view, key limit $3`;

/** Rows of streams that have no event, a page at a time. */
export async function* rowsWithoutHistory(database: Pool | ClientBase, limit: number): AsyncGenerator<ViewRow[]> {
  for (let after: [string, string] = ['', '']; ;) {
    const { rows } = await database.query<Row>(ORPHANS, [...after, limit]);
    if (rows.length > 0) yield rows.map(rowOf);
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = [last.view, last.key];
  }
}

interface MessageRow {
  id: string;
  stream: string;
  expected: Record<string, unknown> | null;
  stored: Record<string, unknown> | null;
}

/** The messages that the threads of $1 have by their histories; none if they are deleted. */
const MESSAGES_SAID = `said as (
    select added.facts ->> 'messageId' as id, added.stream_id as stream, jsonb_build_object('tenantId', began.facts ->> 'tenantId', 'threadId', added.stream_id,
      'version', added.version, 'role', added.facts ->> 'role', 'createdAt', added.meta ->> 'occurredAt') as columns
    from event added join event began on began.stream_id = added.stream_id and began.version = 1
    where added.stream_id = any ($1) and added.type = 'MessageAdded'
      and not exists (select from event gone where gone.stream_id = added.stream_id and gone.type = 'ThreadDeleted'))`;
const MESSAGE_COLUMNS = `jsonb_build_object('tenantId', tenant_id, 'threadId', thread_id, 'version', version, 'role', role, 'createdAt', ${iso('created_at')})`;
const MESSAGES = `with ${MESSAGES_SAID},
    stored as (select id, thread_id as stream, ${MESSAGE_COLUMNS} as columns from message where thread_id = any ($1) or id in (select id from said))
  select id, coalesce(said.stream, stored.stream) as stream, said.columns as expected, stored.columns as stored
    from said full join stored using (id) where said.columns is distinct from stored.columns order by id limit $2`;

export interface DifferingMessage {
  expected: ViewRow | null;
  stored: ViewRow | null;
}

/** Messages of these threads that differ from the histories. Compared in the database, because a thread may have more than fit into memory. */
export async function differingMessages(
  database: Pool | ClientBase,
  threadIds: readonly string[],
  limit: number,
): Promise<DifferingMessage[]> {
  if (threadIds.length === 0) return [];
  const { rows } = await database.query<MessageRow>(MESSAGES, [threadIds, limit]);
  const row = ({ id, stream }: MessageRow, columns: Record<string, unknown> | null): ViewRow | null =>
    columns && { view: 'message', key: id, streamId: stream, columns };
  return rows.map((one) => ({ expected: row(one, one.expected), stored: row(one, one.stored) }));
}

/** Rows that differ are deleted before others are inserted, since another message may have their version. */
const REMOVE_MESSAGES = `with ${MESSAGES_SAID} delete from message where (thread_id = any ($1) or id in (select id from said))
  and not exists (select from said where said.id = message.id and said.columns = ${MESSAGE_COLUMNS})`;
const WRITE_MESSAGES = `with ${MESSAGES_SAID} insert into message (id, tenant_id, thread_id, version, role, created_at)
  select id, columns ->> 'tenantId', stream, (columns ->> 'version')::int, columns ->> 'role', (columns ->> 'createdAt')::timestamptz from said
  on conflict (id) do nothing`;

/** Makes the messages of a thread match its history. */
export async function repairMessages(database: ClientBase, threadId: string): Promise<void> {
  await database.query(REMOVE_MESSAGES, [[threadId]]);
  await database.query(WRITE_MESSAGES, [[threadId]]);
}

const LAST_ENDS = `select added.stream_id as id, max(ended.meta ->> 'occurredAt') as at
  from event added join event ended on ended.stream_id = added.facts ->> 'jobId' and ended.type in ('JobCompleted', 'JobFailed', 'JobCancelled')
  where added.stream_id = any ($1) and added.type = 'JobAdded' group by added.stream_id`;

/** When the last job of each thread ended; only threads with an ended job. */
export async function lastEnds(database: Pool | ClientBase, threadIds: readonly string[]): Promise<Map<string, string>> {
  if (threadIds.length === 0) return new Map();
  const { rows } = await database.query<{ id: string; at: string }>(LAST_ENDS, [threadIds]);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Deleted threads with something left: a row, sealed bytes, or a job not recorded as erased. */
const UNERASED = `select thread.id from unnest($1::text[]) as thread (id)
  where exists (select from message where thread_id = thread.id) or exists (select from job where thread_id = thread.id)
    or exists (select from event where stream_id = thread.id and sealed is not null)
    or exists (select from event added where added.stream_id = thread.id and added.type = 'JobAdded'
      and exists (select from event where event.stream_id = added.facts ->> 'jobId')
      and not exists (select from event erased where erased.stream_id = added.facts ->> 'jobId' and erased.type = 'ContentErased'))`;

export async function unerasedThreads(database: Pool | ClientBase, threadIds: readonly string[]): Promise<Set<string>> {
  if (threadIds.length === 0) return new Set();
  const { rows } = await database.query<{ id: string }>(UNERASED, [threadIds]);
  return new Set(rows.map(({ id }) => id));
}
