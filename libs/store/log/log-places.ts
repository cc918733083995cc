import type { Pool } from 'pg';
import { APPENDED_AT } from './log-entries';

/** The data of an event's leaf, and its place. */
export interface LoggedPlace {
  hash: Buffer;
  appendedAt: string | null;
  /** Null if the event is not in the log yet. */
  index: number | null;
}

const ENTRY = `select event.hash, ${APPENDED_AT} as "appendedAt", place_in_log(event.stream_id, event.version) as index
  from event where event.stream_id = $1 and event.version = $2
    and ($3::text is null or (select facts ->> 'tenantId' from event as first where first.stream_id = $1 and first.version = 1) = $3)`;

/** @returns null if there is no such event, or it is another tenant's */
export async function entryOf(
  pool: Pool,
  event: { streamId: string; version: number; tenantId: string | null },
): Promise<LoggedPlace | null> {
  const { streamId, version, tenantId } = event;
  const values = [streamId, version, tenantId];
  const { rows } = await pool.query<Omit<LoggedPlace, 'index'> & { index: string | null }>({ name: 'log_place', text: ENTRY, values });
  const [row] = rows;
  return row ? { ...row, index: row.index === null ? null : Number(row.index) } : null;
}

const LAST = `select max(version) as version from event where stream_id = $1
  and ($2::text is null or (select facts ->> 'tenantId' from event as first where first.stream_id = $1 and first.version = 1) = $2)`;

/** The version of the last event of a stream; 0 if there is none, or it is another tenant's. @param tenantId null: anybody's */
export async function lastVersionOf(pool: Pool, streamId: string, tenantId: string | null): Promise<number> {
  const { rows } = await pool.query<{ version: number | null }>({ name: 'last_version', text: LAST, values: [streamId, tenantId] });
  return rows[0]?.version ?? 0;
}
