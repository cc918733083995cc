import type { Pool } from 'pg';
import { rowsOf } from '../postgres/rows-of';

/**
 * Excludes deadlines, and the claim of a synthesis, which nobody renews: they last longer by as much as the clock was set back. A retry may come
 * earlier than its provider asked for.
 */
const BRING_FORWARD = {
  name: 'agenda_bring_forward',
  text: `update agenda set due_at = clock_timestamp() + $1::int4 * interval '1 millisecond',
      look_at = case when look_at = 'infinity' then look_at else least(look_at, clock_timestamp() + $1::int4 * interval '1 millisecond') end
    where (job_id, kind, ref) in (select job_id, kind, ref from agenda
      where kind in ('lease', 'dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis', 'cancel run', 'erase thread')
        and due_at > clock_timestamp() + $1::int4 * interval '1 millisecond'
      order by job_id, kind, ref for update skip locked)`,
};

/**
 * Makes leases end, and work be dispatched, within this time at the latest. After the database's clock was set back, they would otherwise wait longer
 * by as much.
 */
export async function bringForward(pool: Pool, milliseconds: number): Promise<void> {
  await rowsOf(pool, { ...BRING_FORWARD, values: [milliseconds] });
}

/**
 * Rows that were due within a lease of the clock jump are left alone: the process that notices the jump ends nothing for the time of a lease. So
 * nothing is put off twice, even if another process notices the same jump a moment later.
 */
const PUT_OFF_DEADLINES = {
  name: 'agenda_put_off_deadlines',
  text: `update agenda set due_at = due_at + $1::float8 * interval '1 millisecond', look_at = due_at + $1::float8 * interval '1 millisecond'
    where (job_id, kind, ref) in (select job_id, kind, ref from agenda
      where kind in ('synthesis lease', 'job deadline') and due_at <= $3::timestamptz
        and due_at > $3::timestamptz + $2::int4 * interval '1 millisecond' - $1::float8 * interval '1 millisecond'
      order by job_id, kind, ref for update skip locked)`,
};

/**
 * Extends deadlines, and the claims of syntheses, by the time that the database's clock skipped when it jumped ahead, since nothing could be done in
 * it. May be called again for the same jump.
 */
export async function putDeadlinesOff(
  pool: Pool,
  { milliseconds, noticedAt }: { milliseconds: number; noticedAt: Date },
  leaseMs: number,
): Promise<void> {
  await rowsOf(pool, { ...PUT_OFF_DEADLINES, values: [milliseconds, leaseMs, noticedAt.toISOString()] });
}
