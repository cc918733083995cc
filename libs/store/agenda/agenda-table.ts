import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import type { AgendaKind } from '@lib/domain/job/agenda';
import type { ProviderId } from '@lib/domain/vocabulary';
import { textArray } from '../postgres/array-parameter';
import type { KeyRing } from '../sealing/key-ring';
import { answeredInTime } from '../postgres/answer-within';
import { asStoreError } from '../postgres/store-unavailable';
import { openRunId } from './sealed-runs';

/** An agenda row that a sweeper took. */
export interface DueEntry {
  jobId: string;
  kind: AgendaKind;
  ref: string;
  stepId: string | null;
  attempt: number | null;
  provider: ProviderId | null;
  run: number | null;
}

/** One that is due since then. */
export type OldEntry = DueEntry & { since: string };

interface AbandonedRun {
  jobId: string;
  stepId: string;
  run: number;
  /** The only one whose run may be told of; absent for any. */
  provider?: ProviderId | undefined;
}

/** A try to have a provider stop a run. */
export interface Cancellation {
  /** Its number, from 1. */
  tries: number;
  /** Null if it was gone before it could be sealed. */
  externalId: string | null;
}

/** Of a running attempt: the worker that holds it renews it, the sweeper ends it. */
export interface Lease {
  jobId: string;
  stepId: string;
  attempt: number;
}

const leaseRef = ({ stepId, attempt }: Pick<Lease, 'stepId' | 'attempt'>): string => `${stepId}#${attempt}`;

/**
 * Takes rows by moving their next look, committed before anything is done about them: no lock is held meanwhile. The time is the
 * statement's: compared with one that changes from row to row, every row would be looked at instead of those that are due.
 */
const TAKE = {
  name: 'agenda_take',
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where look_at <= statement_timestamp() and kind = any ($3::text[]) and not waiting
      order by look_at limit $1::int4 for update skip locked)
    returning job_id, kind, ref, step_id, attempt, provider, run`,
};

/** The kinds stand in the text, so that the index for them alone is used: what waits to be dispatched is not in the way. */
const TAKE_EXPIRED = {
  name: 'agenda_take_expired',
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where look_at <= statement_timestamp() and kind in ('lease', 'synthesis lease', 'job deadline')
      order by look_at limit $1::int4 for update skip locked)
    returning job_id, kind, ref, step_id, attempt, provider, run`,
};

const LOOK_AGAIN = {
  name: 'agenda_look_again',
  text: `update agenda set look_at = clock_timestamp() + $4::int4 * interval '1 millisecond' where job_id = $1 and kind = $2 and ref = $3`,
};

/** A step that needs a turn gives up its place among those that were let go, and waits for another one. */
const SET_ASIDE = {
  name: 'agenda_set_aside',
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond',
      waiting = waiting or needs_turn, due_at = case when needs_turn then clock_timestamp() + $2::int4 * interval '1 millisecond' else due_at end
    from (select job_id, kind, ref, kind in ('dispatch step', 'retry') and run is null as needs_turn from agenda
      where job_id = $1 and kind <> 'run' order by job_id, kind, ref for update) as own
    where agenda.job_id = own.job_id and agenda.kind = own.kind and agenda.ref = own.ref`,
};

/** Thousands of leases travel together, and none waits for the row of another: what is there and was not renewed is locked. */
const RENEW = {
  name: 'agenda_renew',
  text: `with held as (
      select agenda.job_id, agenda.ref from unnest($1::text[], $2::text[]) as given (job_id, ref)
      join agenda on agenda.job_id = given.job_id and agenda.kind = 'lease' and agenda.ref = given.ref
      order by agenda.job_id, agenda.ref for update of agenda skip locked),
    renewed as (
      update agenda set due_at = clock_timestamp() + $3::int4 * interval '1 millisecond',
          look_at = clock_timestamp() + $3::int4 * interval '1 millisecond'
        from held where agenda.job_id = held.job_id and agenda.kind = 'lease' and agenda.ref = held.ref
        returning agenda.job_id, agenda.ref)
    select agenda.job_id, agenda.ref,
        exists (select from renewed where renewed.job_id = agenda.job_id and renewed.ref = agenda.ref) as renewed
      from unnest($1::text[], $2::text[]) as given (job_id, ref)
      join agenda on agenda.job_id = given.job_id and agenda.kind = 'lease' and agenda.ref = given.ref`,
};

const WAKE = {
  name: 'agenda_wake',
  text: `update agenda set look_at = clock_timestamp()
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where kind in ('dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis', 'cancel run') and due_at <= statement_timestamp() and look_at > statement_timestamp()
        and not waiting
      order by job_id, kind, ref for update skip locked)`,
};

/** The count may be lost with a power cut, so nobody waits for the disk. */
const BEGIN_SYNTHESIS = {
  name: 'agenda_begin_synthesis',
  text: `with quick as (select set_config('synchronous_commit', 'off', true)),
    due as (
      select agenda.job_id from quick, unnest($1::text[]) as given (job_id)
      join agenda on agenda.job_id = given.job_id and agenda.kind = 'dispatch synthesis' and agenda.ref = ''
      order by agenda.job_id for update of agenda)
    update agenda set tries = tries + 1
      from due where agenda.job_id = due.job_id and agenda.kind = 'dispatch synthesis' and agenda.ref = ''
      returning agenda.job_id, agenda.tries`,
};

const RETURN_TRY = {
  name: 'agenda_return_try',
  text: `update agenda set tries = greatest(tries - 1, 0) where job_id = $1 and kind = 'dispatch synthesis' and ref = ''`,
};

const BEGIN_CANCELLATION = {
  name: 'agenda_begin_cancellation_of',
  text: `update agenda set tries = tries + 1 where job_id = $1 and kind = 'cancel run' and ref = $2
    and ($3::text is null or provider = $3) returning sealed_run, tries`,
};

/** Past those that were taken before, whatever became of them. One that is looked at later than that is set aside. */
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

const MAX_SYNTHESES = 256;

const dueEntry = (row: Record<string, unknown>): DueEntry => ({
  jobId: row.job_id as string,
  kind: row.kind as AgendaKind,
  ref: row.ref as string,
  stepId: row.step_id as string | null,
  attempt: row.attempt as number | null,
  provider: row.provider as ProviderId | null,
  run: row.run as number | null,
});

/** The agenda as rows. Time is the database's alone; a row goes away only with the state that put it there. */
export class AgendaTable {
  /** Counts a try of a job's synthesis; null if no synthesis is due. */
  readonly beginSynthesis: (jobId: string) => Promise<number | null>;

  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {
    this.beginSynthesis = batch((jobIds: string[]) => this.beginSyntheses(jobIds), { maxItems: MAX_SYNTHESES, ...answeredInTime });
  }

  /** Rows of these kinds that are due to be looked at; they come again after `againMs` unless the state changes. */
  async takeDue(kinds: readonly AgendaKind[], limit: number, againMs: number): Promise<DueEntry[]> {
    return (await this.query({ ...TAKE, values: [limit, againMs, textArray(kinds)] })).map(dueEntry);
  }

  /** The same of leases and deadlines whose time has run out. With a limit of 0 it only shows that the agenda can be written to. */
  async takeExpired(limit: number, againMs: number): Promise<DueEntry[]> {
    return (await this.query({ ...TAKE_EXPIRED, values: [limit, againMs] })).map(dueEntry);
  }

  /** Hands back a row that was taken and that this process can do nothing about. */
  async lookAgain({ jobId, kind, ref }: Pick<DueEntry, 'jobId' | 'kind' | 'ref'>, inMs: number): Promise<void> {
    await this.query({ ...LOOK_AGAIN, values: [jobId, kind, ref, inMs] });
  }

  /** Nothing of a job that cannot be decided about is looked at for so long, nor does it stand in another's way. */
  async setAside(jobId: string, forMs: number): Promise<void> {
    await this.query({ ...SET_ASIDE, values: [jobId, forMs] });
  }

  /**
   * Renews leases; for each says whether it is still held. One that is not was lost, or its job ended: stop. Of one that is locked by somebody
   * else neither is known: ask again.
   */
  async renewLeases(leases: readonly Lease[], leaseMs: number): Promise<(boolean | 'locked')[]> {
    const values = [textArray(leases.map(({ jobId }) => jobId)), textArray(leases.map(leaseRef)), leaseMs];
    const rows = await this.query({ ...RENEW, values });
    const found = new Map(
      rows.map(({ job_id: jobId, ref, renewed }) => [`${String(jobId)}/${String(ref)}`, renewed === true ? true : ('locked' as const)]),
    );
    return leases.map((lease) => found.get(`${lease.jobId}/${leaseRef(lease)}`) ?? false);
  }

  /** Makes everything that waits to be dispatched be looked at now: at start, and after the transport came back. */
  async wakeDispatches(): Promise<void> {
    await this.query({ ...WAKE, values: [] });
  }

  /** Takes back a try that `beginSynthesis` counted: its process has survived it. */
  async returnTry(jobId: string): Promise<void> {
    await this.query({ ...RETURN_TRY, values: [jobId] });
  }

  /** Counts a try to cancel a run and gives the provider's id of it; null if the run is no longer on the agenda, or is another provider's. */
  async beginCancellation({ jobId, stepId, run, provider }: AbandonedRun): Promise<Cancellation | null> {
    const ref = `${stepId}#${run}`;
    const [row] = await this.query({ ...BEGIN_CANCELLATION, values: [jobId, ref, provider ?? null] });
    if (!row) return null;
    return { tries: row.tries as number, externalId: openRunId({ jobId, ref, sealedRun: row.sealed_run as Buffer | null }, this.ring) };
  }

  /**
   * Takes rows of runs that have waited so long to be cancelled, the longest first.
   * @param after the last one that was taken, if others are wanted
   */
  async takeOldCancellations(limit: number, times: { ageMs: number; againMs: number }, after?: OldEntry): Promise<OldEntry[]> {
    const { since = '-infinity', jobId = '', ref = '' } = after ?? {};
    const rows = await this.query({ ...TAKE_OLD_CANCELLATIONS, values: [limit, times.ageMs, times.againMs, since, jobId, ref] });
    return rows.map((row) => ({ ...dueEntry(row), since: row.since as string }));
  }

  private async beginSyntheses(jobIds: readonly string[]): Promise<(number | null)[]> {
    const rows = await this.query({ ...BEGIN_SYNTHESIS, values: [textArray(jobIds)] });
    const tries = new Map(rows.map((row) => [row.job_id, row.tries as number]));
    return jobIds.map((jobId) => tries.get(jobId) ?? null);
  }

  private async query(statement: { name: string; text: string; values: unknown[] }): Promise<Record<string, unknown>[]> {
    try {
      return (await this.pool.query<Record<string, unknown>>(statement)).rows;
    } catch (error) {
      throw asStoreError(error);
    }
  }
}
