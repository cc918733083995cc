import type { Pool } from 'pg';
import type { ProviderId } from '@lib/domain/vocabulary';
import { rowsOf } from '../postgres/rows-of';
import type { KeyRing } from '../sealing/key-ring';
import { dueEntry, type DueEntry } from './due-entry';
import { openExternalId } from './sealed-runs';

/** An entry, and since when it is due. */
export type OldEntry = DueEntry & { since: string };

interface AbandonedRun {
  jobId: string;
  stepId: string;
  run: number;
  /** The provider that the run must belong to; absent for any. */
  provider?: ProviderId | undefined;
}

/** An attempt to have a provider stop a run. */
export interface Cancellation {
  /** Its number, from 1. */
  tries: number;
  /** The provider's id of the run; null if it was erased before it could be kept. */
  externalId: string | null;
}

const BEGIN_CANCELLATION = {
  name: 'agenda_begin_cancellation_of',
  text: `update agenda set tries = tries + 1 where job_id = $1 and kind = 'cancel run' and ref = $2
    and ($3::text is null or provider = $3) returning sealed_run, tries`,
};

/** Begins after the last row that was taken. Leaves out rows whose next look is later than this statement would make it: these were postponed. */
const TAKE_OLD_CANCELLATIONS = {
  name: 'agenda_take_old_cancellations_after',
  text: `with taken as (
      update agenda set look_at = clock_timestamp() + $3::int4 * interval '1 millisecond'
      where (job_id, kind, ref) in (
        select job_id, kind, ref from agenda
        where kind = 'cancel run' and due_at <= statement_timestamp() - $2::int4 * interval '1 millisecond'
          and (due_at, job_id, ref) > ($4::timestamptz, $5, $6) and look_at <= clock_timestamp() + $3::int4 * interval '1 millisecond'
        order by due_at, job_id, ref limit $1::int4 for update skip locked)
      returning job_id, kind, ref, step_id, attempt, provider, run, due_at)
    select *, due_at::text as since from taken order by due_at, job_id, ref`,
};

/** The rows of the agenda that have providers stop runs. */
export class Cancellations {
  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {}

  /**
   * Counts an attempt to cancel a run and returns the provider's id of it; null if the run is no longer on the agenda, or belongs to another
   * provider.
   */
  async begin({ jobId, stepId, run, provider }: AbandonedRun): Promise<Cancellation | null> {
    const ref = `${stepId}#${run}`;
    const [row] = await rowsOf(this.pool, { ...BEGIN_CANCELLATION, values: [jobId, ref, provider ?? null] });
    if (!row) return null;
    return {
      tries: row.tries as number,
      externalId: openExternalId({ jobId, ref, sealedRun: row.sealed_run as Buffer | null }, this.ring),
    };
  }

  /**
   * Takes rows of runs that have waited at least this long to be cancelled, the longest first.
   * @param after the last row of the page before
   */
  async takeOld(limit: number, times: { ageMs: number; againMs: number }, after?: OldEntry): Promise<OldEntry[]> {
    const { since = '-infinity', jobId = '', ref = '' } = after ?? {};
    const rows = await rowsOf(this.pool, { ...TAKE_OLD_CANCELLATIONS, values: [limit, times.ageMs, times.againMs, since, jobId, ref] });
    return rows.map((row) => ({ ...dueEntry(row), since: row.since as string }));
  }
}
