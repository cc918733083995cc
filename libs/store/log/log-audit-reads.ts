import type { Pool } from 'pg';
import { APPENDED_AT, appendedAt } from './log-entries';

/** An entry of the log, beside the event that it names. */
export interface AuditedEntry {
  index: number;
  streamId: string;
  version: number;
  leafHash: Buffer;
  /** The event's hash; null if there is no event. */
  hash: Buffer | null;
  appendedAt: string | null;
  /** Whether it says the tenant of the event. */
  isOfTenant: boolean;
  /** What the rows of removals keep of a missing event; null if it is there, or they have no record of it. */
  removed: RemovedEvent | null;
  /** Whether the event lies at or below the floor. */
  isSettled: boolean;
}

/** What is kept of a removed event: enough for its leaf. */
export interface RemovedEvent {
  isOfTenant: boolean;
  /** In hexadecimal digits. */
  hash: string | null;
  appendedAt: string | null;
}

const PAGE = 1000;
const NAMED = 20;

/** Everything, one history, or those of one tenant. */
export interface LogScope {
  streamId?: string | undefined;
  tenantId?: string | undefined;
}

type Column = '' | 'stream_id' | 'tenant_id';

/** The tenant of an event, which the older ones do not say themselves. */
const tenantOf = (streamId: string): string =>
  `coalesce(event.tenant_id, (select facts ->> 'tenantId' from event as first where first.stream_id = ${streamId} and first.version = 1))`;
const EVENTS_OF = {
  '': '',
  stream_id: 'and event.stream_id = $2',
  tenant_id: `and ${tenantOf('event.stream_id')} = $2`,
} satisfies Record<Column, string>;

const ENTRIES = (
  of: Column,
): string => `select log_entry.index, log_entry.stream_id as "streamId", log_entry.version, leaf_hash as "leafHash", hash,
    ${APPENDED_AT} as "appendedAt", log_entry.tenant_id is not distinct from ${tenantOf('log_entry.stream_id')} as "isOfTenant",
    case when event.stream_id is null then (
      select jsonb_build_object('isOfTenant', gone.tenant_id is not distinct from log_entry.tenant_id,
        'hash', encode(hashes[log_entry.version], 'hex'), 'appendedAt', ${appendedAt('gone.appended_at[log_entry.version]')})
      from removed_stream as gone
      where gone.stream_id = log_entry.stream_id and gone.version >= log_entry.version and gone.removed_at is not null) end as removed,
    coalesce(event.position <= $3, false) as "isSettled"
  from log_entry left join event on event.stream_id = log_entry.stream_id and event.version = log_entry.version
  where log_entry.index > $1 and log_entry.index < $2 ${of === '' ? '' : `and log_entry.${of} = $4`} order by log_entry.index limit ${PAGE}`;
const NODES = `select level, index, hash from log_node where (level, index) > ($1, $2) order by level, index limit ${PAGE}`;
const MISSING = (of: Column): string => `select stream_id as "streamId", version from event
  where position <= $1 ${EVENTS_OF[of]} and not exists (
    select from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version${of === 'tenant_id' ? ' and log_entry.tenant_id = $2' : ''})
  order by position limit ${NAMED}`;

/** The extent of the log when the audit began. */
export async function logExtent(pool: Pool): Promise<{ size: number; floor: number }> {
  const { rows } = await pool.query<{ size: string; floor: string }>('select size, floor from log_head');
  return { size: Number(rows[0]?.size ?? 0), floor: Number(rows[0]?.floor ?? 0) };
}

/** The entries from `after` to below `size`, in order and a page at a time. */
export async function* auditedEntries(
  pool: Pool,
  { size, floor }: { size: number; floor: number },
  { after = 0, ...scope }: LogScope & { after?: number } = {},
): AsyncGenerator<AuditedEntry[], void> {
  const [column, ...value] = columnOf(scope);
  for (let last = after - 1; ;) {
    const { rows } = await pool.query<Omit<AuditedEntry, 'index'> & { index: string }>(ENTRIES(column), [last, size, floor, ...value]);
    const page = rows.map((row) => ({ ...row, index: Number(row.index) }));
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.index ?? size;
  }
}

function columnOf({ streamId, tenantId }: LogScope): [Column, ...string[]] {
  if (streamId !== undefined) return ['stream_id', streamId];
  return tenantId === undefined ? [''] : ['tenant_id', tenantId];
}

/** Whether the log has entries at or behind this size: it must not, if it had it when that was read. */
export async function entriesBehind(pool: Pool, size: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from log_entry where index < 0 or index >= greatest($1, (select max(size) from log_head))',
    [size],
  );
  return rows[0]?.count ?? 0;
}

/** The stored nodes of every level, a page at a time. */
export async function* auditedNodes(pool: Pool): AsyncGenerator<{ level: number; index: number; hash: Buffer }> {
  for (let last = { level: -1, index: -1 }; ;) {
    const { rows } = await pool.query<{ level: number; index: string; hash: Buffer }>(NODES, [last.level, last.index]);
    if (rows.length === 0) return;
    const nodes = rows.map((row) => ({ ...row, index: Number(row.index) }));
    yield* nodes;
    last = nodes.at(-1) ?? last;
  }
}

/** How many events there are up to this position. */
export async function eventsUpTo(pool: Pool, position: number): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('select count(*) as count from event where position <= $1', [position]);
  return Number(rows[0]?.count ?? 0);
}

/** The first events up to this position that have no entry, or, of one tenant, none that says the tenant. */
export async function eventsWithoutEntry(
  pool: Pool,
  position: number,
  scope: LogScope = {},
): Promise<{ streamId: string; version: number }[]> {
  const [column, ...value] = columnOf(scope);
  return (await pool.query<{ streamId: string; version: number }>(MISSING(column), [position, ...value])).rows;
}
