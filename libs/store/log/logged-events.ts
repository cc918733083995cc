import type { Pool } from 'pg';
import { rowsOf } from '../postgres/rows-of';
import type { LoggedEventRow } from '../views/audit-event.view';
import { cursorAt, type LogCursor } from './log-cursor';
import { APPENDED_AT } from './log-entries';

/** Which of a tenant's events are wanted. A condition that is absent does not matter. */
export interface EventFilter {
  actor?: string | undefined;
  type?: string | undefined;
  threadId?: string | undefined;
  /** Of `meta.occurredAt`, inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

export interface LoggedEvents {
  rows: (LoggedEventRow & { leaf_hash: Buffer })[];
  /** Where to continue; null if the log has no entries of the tenant. */
  cursor: LogCursor | null;
  /** Whether there was more to look at. */
  hasMore: boolean;
}

/** Most entries that one page examines. If few events match, a page ends here and the next one continues. */
const LOOKED_AT = 1_000;

/** The events of the thread and of its jobs, even after its deletion. */
const STREAMS = `case when $7::text is not null then array(
    select $7::text union all select facts ->> 'jobId' from event where stream_id = $7::text and type = 'JobAdded') end`;

/** At least one row, which tells how far the page got. `limit 1` keeps PostgreSQL from reading all events for a join. */
const READ = {
  name: 'logged_events',
  text: `
  with looked as materialized (select * from log_of_tenant($1::text, ${STREAMS}, $2::bigint, $3::int)),
    fitting as (
      select looked.index, looked.leaf_hash, event.event_id, event.stream_id, event.version, type, schema_version, facts, meta, ${APPENDED_AT} as appended_at,
          encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash, encode(sealed_sha256, 'hex') as sealed_sha256
        from looked cross join lateral (
          select * from event where event.stream_id = looked.stream_id and event.version = looked.version limit 1) as event
        where ($5::text is null or meta ->> 'actor' = $5) and ($6::text is null or type = $6)
          and ($8::timestamptz is null or (meta ->> 'occurredAt')::timestamptz >= $8)
          and ($9::timestamptz is null or (meta ->> 'occurredAt')::timestamptz < $9)
        order by looked.index limit $4::int + 1),
    furthest as (select index, leaf_hash from looked order by index desc limit 1)
  select (select count(*)::int from looked) as looked_at, furthest.index as furthest, furthest.leaf_hash as furthest_leaf,
      (select leaf_hash from log_entry where index = $2) as after_leaf, fitting.*
    from (values (1)) as one left join furthest on true left join fitting on true order by fitting.index`,
};

interface Row extends Omit<LoggedEventRow, 'index'> {
  index: string | null;
  leaf_hash: Buffer;
  looked_at: number;
  furthest: string | null;
  furthest_leaf: Buffer;
  after_leaf: Buffer | null;
}

/**
 * A tenant's events that fit, in the order of the log. Entries become visible in the order of their indices, so nothing appears later
 * before a cursor.
 * @param after null for the first page
 * @returns null if the log has another entry at the cursor, or none
 */
export async function readLoggedEvents(
  pool: Pool,
  tenantId: string,
  { actor, type, threadId, from, to }: EventFilter,
  { after, limit }: { after: LogCursor | null; limit: number },
): Promise<LoggedEvents | null> {
  const isFiltered = actor !== undefined || type !== undefined || from !== undefined || to !== undefined;
  const most = isFiltered ? LOOKED_AT : limit + 1;
  const values = [tenantId, after?.index ?? -1, most, limit, actor ?? null, type ?? null, threadId ?? null, from ?? null, to ?? null];
  const rows = await rowsOf<Row>(pool, { ...READ, values });
  const [first] = rows as [Row];
  if (after && (first.after_leaf === null || cursorAt(after.index, first.after_leaf).leaf !== after.leaf)) return null;
  const fitting = rows.flatMap((row) => (row.index === null ? [] : { ...row, index: Number(row.index) }));
  if (fitting.length > limit) {
    const page = fitting.slice(0, limit);
    const last = page.at(-1);
    return { rows: page, cursor: last ? cursorAt(last.index, last.leaf_hash) : after, hasMore: true };
  }
  const cursor = first.furthest === null ? after : cursorAt(Number(first.furthest), first.furthest_leaf);
  return { rows: fitting, cursor, hasMore: first.looked_at === most };
}
