import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { DAY_MS } from '@lib/domain/durations';
import type { AgendaKind } from '@lib/domain/job/agenda';
import { textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { rowsOf } from '../postgres/rows-of';
import { dueEntry, type DueEntry } from './due-entry';

/** The lease of a running attempt. Its worker renews it, and the sweeper ends it. */
export interface Lease {
  jobId: string;
  stepId: string;
  attempt: number;
}

const leaseRef = ({ stepId, attempt }: Pick<Lease, 'stepId' | 'attempt'>): string => `${stepId}#${attempt}`;

/** Longer than any row stays on the agenda. */
const EVERYTHING_MS = 3_650 * DAY_MS;

/**
 * What became due to be looked at in the milliseconds of that parameter. It is compared with the statement's time. Compared with `clock_timestamp()`, which
 * changes from row to row, every row would be read instead of those that are due.
 */
const dueWithin = (parameter: string): string =>
  `look_at <= statement_timestamp() and look_at > statement_timestamp() - ${parameter}::int8 * interval '1 millisecond'`;

/** Takes rows by moving their next look, which is committed before anything is done about them: so no lock is held meanwhile. */
const TAKE = {
  name: 'agenda_take',
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where ${dueWithin('$4')} and kind = any ($3::text[]) and not waiting
      order by look_at limit $1::int4 for update skip locked)
    returning job_id, kind, ref, step_id, attempt, provider, run`,
};

/**
 * The kinds stand in the text, so that PostgreSQL uses the index for these kinds only: rows that wait to be dispatched are not in the way. The time
 * comes also where nothing is due.
 */
const TAKE_EXPIRED = {
  name: 'agenda_take_expired',
  text: `with taken as (
      update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
      where (job_id, kind, ref) in (
        select job_id, kind, ref from agenda
        where ${dueWithin('$3')} and kind in ('lease', 'synthesis lease', 'job deadline')
        order by look_at limit $1::int4 for update skip locked)
      returning job_id, kind, ref, step_id, attempt, provider, run)
    select statement_timestamp() as arrived_at, taken.* from (values (true)) as once left join taken on true`,
};

const LOOK_AGAIN = {
  name: 'agenda_look_again',
  text: `update agenda set look_at = clock_timestamp() + $4::int4 * interval '1 millisecond' where job_id = $1 and kind = $2 and ref = $3`,
};

/** A step that needs a turn gives up the one that it had, and waits for another. */
const setAside = (name: string, which: string) => ({
  name,
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond',
      waiting = waiting or needs_turn, due_at = case when needs_turn then clock_timestamp() + $2::int4 * interval '1 millisecond' else due_at end
    from (select job_id, kind, ref, kind in ('dispatch step', 'retry') and run is null as needs_turn from agenda
      where job_id = $1 and ${which} order by job_id, kind, ref for update) as own
    where agenda.job_id = own.job_id and agenda.kind = own.kind and agenda.ref = own.ref`,
});
const SET_ASIDE = setAside('agenda_set_aside', `kind <> 'run'`);
const SET_STEPS_ASIDE = setAside('agenda_set_steps_aside', `kind in ('dispatch step', 'retry')`);

const NEXT_TRY = `job_id = $1 and step_id = $2 and kind in ('dispatch step', 'retry') and run is null`;

/** Whoever holds the row changes the step, so it is left alone. */
const PUT_OFF = {
  name: 'agenda_put_off',
  text: `update agenda set waiting = true, due_at = greatest(due_at, clock_timestamp() + $3::int4 * interval '1 millisecond'),
      look_at = coalesce(case when gives_up_at > statement_timestamp() then gives_up_at end, 'infinity')
    where (job_id, kind, ref) in (select job_id, kind, ref from agenda where ${NEXT_TRY} order by job_id, kind, ref for update skip locked)`,
};

const IS_PUT_OFF = {
  name: 'agenda_is_put_off',
  text: `select exists (select from agenda where ${NEXT_TRY} and waiting and due_at > clock_timestamp()) as put_off`,
};

/** Renews thousands of leases without waiting for locked rows. A row that is there and was not renewed is locked. */
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

/** The count may be lost in a power cut, so the commit does not wait for the disk. */
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

/** A deadline that is earlier stays. */
const BEGIN_DEADLINE = {
  name: 'agenda_begin_deadline',
  text: `update agenda set due_at = clock_timestamp() + $2::int4 * interval '1 millisecond',
      look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where job_id = $1 and kind = 'job deadline' and ref = 'synthesis' and due_at > clock_timestamp() + $2::int4 * interval '1 millisecond'`,
};

const MAX_SYNTHESES = 256;

/** The rows of the agenda. All times are the database's; a row is removed only when the state that put it there changes. */
export class AgendaTable {
  /** Counts a try of a job's synthesis; null if no synthesis is due. */
  readonly beginSynthesis: (jobId: string) => Promise<number | null>;

  constructor(private readonly pool: Pool) {
    this.beginSynthesis = batch((jobIds: string[]) => this.beginSyntheses(jobIds), { maxItems: MAX_SYNTHESES, ...answeredInTime });
  }

  /**
   * Rows of these kinds that are due to be looked at; they come again after `againMs` unless the state changes.
   * @param reachMs only what became due in that time; null for everything
   */
  async takeDue(kinds: readonly AgendaKind[], limit: number, againMs: number, reachMs: number | null = null): Promise<DueEntry[]> {
    return (await rowsOf(this.pool, { ...TAKE, values: [limit, againMs, textArray(kinds), reachMs ?? EVERYTHING_MS] })).map(dueEntry);
  }

  /** The same for leases and deadlines whose time has run out. With a limit of 0 it only shows that the agenda can be written to, and the time. */
  async takeExpired(limit: number, againMs: number, reachMs: number | null = null): Promise<{ due: DueEntry[]; arrivedAt: Date }> {
    const rows = await rowsOf(this.pool, { ...TAKE_EXPIRED, values: [limit, againMs, reachMs ?? EVERYTHING_MS] });
    return { due: rows.filter((row) => row.job_id !== null).map(dueEntry), arrivedAt: rows[0]?.arrived_at as Date };
  }

  /** Moves the next look at a row: to hand back a row that was taken in vain, or to keep a row that is worked on from others. */
  async lookAgain({ jobId, kind, ref }: Pick<DueEntry, 'jobId' | 'kind' | 'ref'>, inMs: number): Promise<void> {
    await rowsOf(this.pool, { ...LOOK_AGAIN, values: [jobId, kind, ref, inMs] });
  }

  /** Leaves a job for so long that cannot be decided about, so that it does not hold up the others. */
  async setAside(jobId: string, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...SET_ASIDE, values: [jobId, forMs] });
  }

  /** The same for the steps that wait to be started, if the job itself can be decided about: its deadline and leases still end in time. */
  async setStepsAside(jobId: string, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...SET_STEPS_ASIDE, values: [jobId, forMs] });
  }

  /** Has the next try of a step that starts a run wait for so long, also if it was dispatched already. */
  async putOff({ jobId, stepId }: Pick<Lease, 'jobId' | 'stepId'>, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...PUT_OFF, values: [jobId, stepId, forMs] });
  }

  async isPutOff({ jobId, stepId }: Pick<Lease, 'jobId' | 'stepId'>): Promise<boolean> {
    const [row] = await rowsOf(this.pool, { ...IS_PUT_OFF, values: [jobId, stepId] });
    return row?.put_off === true;
  }

  /**
   * Renews leases.
   * @returns for each whether it is still held. False: it was lost or its job ended, so its worker has to stop. `locked`: somebody else has
   * locked its row, so it is not known, and the worker asks again
   */
  async renewLeases(leases: readonly Lease[], leaseMs: number): Promise<(boolean | 'locked')[]> {
    const values = [textArray(leases.map(({ jobId }) => jobId)), textArray(leases.map(leaseRef)), leaseMs];
    const rows = await rowsOf(this.pool, { ...RENEW, values });
    const found = new Map(
      rows.map(({ job_id: jobId, ref, renewed }) => [`${String(jobId)}/${String(ref)}`, renewed === true ? true : ('locked' as const)]),
    );
    return leases.map((lease) => found.get(`${lease.jobId}/${leaseRef(lease)}`) ?? false);
  }

  /** Has everything that waits to be dispatched looked at now: at the start, and when the transport is connected again. */
  async wakeDispatches(): Promise<void> {
    await rowsOf(this.pool, { ...WAKE, values: [] });
  }

  /** Gives the job's synthesis that much time from now, unless it has less already. Like a heartbeat this is no event. */
  async beginSynthesisDeadline(jobId: string, milliseconds: number): Promise<void> {
    await rowsOf(this.pool, { ...BEGIN_DEADLINE, values: [jobId, milliseconds] });
  }

  /** Takes back a try that `beginSynthesis` counted: its process has survived it. */
  async returnTry(jobId: string): Promise<void> {
    await rowsOf(this.pool, { ...RETURN_TRY, values: [jobId] });
  }

  private async beginSyntheses(jobIds: readonly string[]): Promise<(number | null)[]> {
    const rows = await rowsOf(this.pool, { ...BEGIN_SYNTHESIS, values: [textArray(jobIds)] });
    const tries = new Map(rows.map((row) => [row.job_id, row.tries as number]));
    return jobIds.map((jobId) => tries.get(jobId) ?? null);
  }
}
