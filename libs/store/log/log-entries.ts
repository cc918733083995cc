import type { Pool } from 'pg';
import { byteaArray, int4Array, int8Array, textArray } from '../postgres/array-parameter';

/** An event that is not in the log yet. */
export interface UnloggedEvent {
  streamId: string;
  version: number;
  hash: Buffer;
  /** In UTC with microseconds; null for events of before the database recorded it. */
  appendedAt: string | null;
  /** Null for events from before rows recorded it: a trigger announces their entry. */
  tenantId: string | null;
}

/** The state of the log. */
export interface LogHead {
  /** Entries that the log has. */
  size: number;
  /** Every event of this position and of all before it is in the log. */
  floor: number;
  /** The floor of the future: once every transaction below `markXmax` has ended, no event of this or an earlier position can still appear. */
  mark: number;
  markXmax: bigint;
}

/** A stretch of the events in the order of their positions, as one look at the database shows it. */
export interface Stretch {
  head: LogHead;
  /** The newest position that can be seen; 0 if there is no event. */
  newest: number;
  /** Every transaction below it has ended. */
  xmin: bigint;
  /** No transaction that has ended or runs has this id or a larger one. */
  xmax: bigint;
  /** How many events it has, in the log or not, and the position of the last one. */
  looked: number;
  last: number;
  /** Those not in the log. */
  unlogged: UnloggedEvent[];
}

/** The result of an append. */
export interface Appendix {
  /** The size that the log must still have, so that only one of several processes appends at a time. */
  size: number;
  /** See `clusterOf`. */
  epoch: string;
  entries: readonly (Pick<UnloggedEvent, 'streamId' | 'version' | 'tenantId'> & { leafHash: Buffer })[];
  nodes: readonly { level: number; index: number; hash: Buffer }[];
  head: Omit<LogHead, 'size'>;
}

/** As in the leaf: in UTC with microseconds, independent of the session's settings. */
export const appendedAt = (column: string): string => `case when isfinite(${column})
  then to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else ${column}::text end`;
export const APPENDED_AT = appendedAt('event.appended_at');

/**
 * A mark of another epoch says nothing in this one: then every event is looked at again. Every visible event is taken, since the events
 * that it follows from are visible too. Only the floor has to wait for events that are not visible yet.
 */
const STRETCH = `
  with head as (
      select size, case when epoch = $1 then floor else 0 end as floor, case when epoch = $1 then mark else 0 end as mark,
          case when epoch = $1 then mark_xmax else '0' end as mark_xmax
        from log_head),
    looked as materialized (
      select stream_id, version, hash, appended_at, position, tenant_id from event
        where position > case when $4::bool then $2::bigint else greatest((select floor from head), $2::bigint) end order by position limit $3)
  select size, floor, mark, mark_xmax::text as "markXmax", coalesce((select max(position) from event), 0) as newest,
      pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
      (select count(*)::int from looked) as looked, coalesce((select max(position) from looked), 0) as last,
      event.stream_id as "streamId", event.version, event.hash, ${APPENDED_AT} as "appendedAt", event.tenant_id as "tenantId"
    from head left join looked as event on not exists (
      select from log_entry where log_entry.stream_id = event.stream_id and log_entry.version = event.version)
    order by event.position, event.stream_id, event.version`;

const APPEND = `
  with moved as (
      update log_head set size = size + $2, epoch = $3, floor = $4, mark = $5, mark_xmax = $6::text::xid8 where size = $1 returning 1),
    entries as (
      insert into log_entry (index, stream_id, version, leaf_hash, tenant_id)
        select $1 + place - 1, stream_id, version, leaf_hash, tenant_id
          from unnest($7::text[], $8::int4[], $9::bytea[], $10::text[]) with ordinality as given (stream_id, version, leaf_hash, tenant_id, place)
          where exists (select from moved)),
    nodes as (
      insert into log_node (level, index, hash)
        select * from unnest($11::int4[], $12::int8[], $13::bytea[]) where exists (select from moved))
  select count(*)::int as moved from moved`;

type Row = Record<'size' | 'floor' | 'mark' | 'markXmax' | 'newest' | 'xmin' | 'xmax' | 'last', string> & { looked: number } & {
  [Name in keyof UnloggedEvent]: UnloggedEvent[Name] | null;
};

export interface Look {
  epoch: string;
  /** A position: only later ones are looked at. */
  after: number;
  limit: number;
  /** Whether those below the floor are, too. */
  isBelowFloor: boolean;
}

export async function stretchOfEvents(pool: Pool, { epoch, after, limit, isBelowFloor }: Look): Promise<Stretch> {
  const { rows } = await pool.query<Row>({ name: 'stretch_of_events', text: STRETCH, values: [epoch, after, limit, isBelowFloor] });
  const [first] = rows;
  if (!first) throw new Error('log_head is empty: the log cannot go on; restore its row from a backup');
  return {
    head: { size: Number(first.size), floor: Number(first.floor), mark: Number(first.mark), markXmax: BigInt(first.markXmax) },
    newest: Number(first.newest),
    xmin: BigInt(first.xmin),
    xmax: BigInt(first.xmax),
    looked: first.looked,
    last: Number(first.last),
    unlogged: rows.flatMap(({ streamId, version, hash, appendedAt, tenantId }) =>
      streamId === null || version === null || hash === null ? [] : { streamId, version, hash, appendedAt, tenantId },
    ),
  };
}

/** All in one statement, or nothing. @returns whether the log had still the size that was expected */
export async function appendToLog(pool: Pool, { size, epoch, entries, nodes, head }: Appendix): Promise<boolean> {
  const values = [
    ...[size, entries.length, epoch, head.floor, head.mark, head.markXmax.toString()],
    textArray(entries.map(({ streamId }) => streamId)),
    int4Array(entries.map(({ version }) => version)),
    byteaArray(entries.map(({ leafHash }) => leafHash)),
    textArray(entries.map(({ tenantId }) => tenantId)),
    int4Array(nodes.map(({ level }) => level)),
    int8Array(nodes.map(({ index }) => index)),
    byteaArray(nodes.map(({ hash }) => hash)),
  ];
  const { rows } = await pool.query<{ moved: number }>({ name: 'append_to_log', text: APPEND, values });
  return rows[0]?.moved === 1;
}
