import { stillGivesUp } from './give-up';

/**
 * Rows that became due within the given number of milliseconds. Uses the statement's time, because with `clock_timestamp()`, which changes from row
 * to row, every row would be read instead of only the due ones.
 */
const dueWithin = (parameter: string): string =>
  `look_at <= statement_timestamp() and look_at > statement_timestamp() - ${parameter}::int8 * interval '1 millisecond'`;

/** Takes rows by moving their next look, which is committed before anything is done about them: so no lock is held meanwhile. */
export const TAKE = {
  name: 'agenda_take',
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where ${dueWithin('$4')} and kind = any ($3::text[]) and not waiting
      order by look_at limit $1::int4 for update skip locked)
    returning job_id, kind, ref, step_id, attempt, provider, run`,
};

/**
 * The kinds are part of the statement's text, so that PostgreSQL uses the index for these kinds only and skips rows waiting to be dispatched. The
 * time is returned even if nothing is due.
 */
export const TAKE_EXPIRED = {
  name: 'agenda_take_expired',
  text: `with taken as (
      update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
      where (job_id, kind, ref) in (
        select job_id, kind, ref from agenda
        where ${dueWithin('$3')} and kind in ('lease', 'synthesis lease', 'job deadline') and ($4::bool or (kind = 'job deadline' and ref = 'running'))
        order by look_at limit $1::int4 for update skip locked)
      returning job_id, kind, ref, step_id, attempt, provider, run)
    select statement_timestamp() as arrived_at, taken.* from (values (true)) as once left join taken on true`,
};

export const LOOK_AGAIN = {
  name: 'agenda_look_again',
  text: `update agenda set look_at = clock_timestamp() + $4::int4 * interval '1 millisecond' where job_id = $1 and kind = $2 and ref = $3`,
};

/** A step that needs a turn gives up the one that it had, and waits for another. */
const postpone = (name: string, which: string) => ({
  name,
  text: `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond',
      waiting = waiting or needs_turn,
      due_at = case when needs_turn then greatest(due_at, clock_timestamp() + $2::int4 * interval '1 millisecond') else due_at end
    from (select job_id, kind, ref, kind in ('dispatch step', 'retry') and run is null as needs_turn from agenda
      where job_id = $1 and ${which} order by job_id, kind, ref for update) as own
    where agenda.job_id = own.job_id and agenda.kind = own.kind and agenda.ref = own.ref`,
});
export const POSTPONE = postpone('agenda_postpone', `kind <> 'run'`);
export const POSTPONE_STEPS = postpone('agenda_postpone_steps', `kind in ('dispatch step', 'retry')`);

const NEXT_TRY = `job_id = $1 and step_id = $2 and kind in ('dispatch step', 'retry') and run is null`;

/** Makes a step wait at least $3 milliseconds before its next run. A locked row is left alone: its holder is changing the step. */
export const PUT_OFF = {
  name: 'agenda_put_off',
  text: `update agenda set waiting = true, due_at = greatest(due_at, clock_timestamp() + $3::int4 * interval '1 millisecond'),
      look_at = coalesce(${stillGivesUp('gives_up_at')}, 'infinity')
    where (job_id, kind, ref) in (select job_id, kind, ref from agenda where ${NEXT_TRY} order by job_id, kind, ref for update skip locked)`,
};

export const IS_PUT_OFF = {
  name: 'agenda_is_put_off',
  text: `select exists (select from agenda where ${NEXT_TRY} and waiting and due_at > clock_timestamp()) as put_off`,
};

/** Renews thousands of leases without waiting for locked rows. An existing row that was not renewed is locked. */
export const RENEW = {
  name: 'agenda_renew',
  text: `with held as (
      select agenda.job_id, agenda.ref, given.lease_ms from unnest($1::text[], $2::text[], $3::int4[]) as given (job_id, ref, lease_ms)
      join agenda on agenda.job_id = given.job_id and agenda.kind = 'lease' and agenda.ref = given.ref
      order by agenda.job_id, agenda.ref for update of agenda skip locked),
    renewed as (
      update agenda set due_at = clock_timestamp() + held.lease_ms * interval '1 millisecond',
          look_at = clock_timestamp() + held.lease_ms * interval '1 millisecond'
        from held where agenda.job_id = held.job_id and agenda.kind = 'lease' and agenda.ref = held.ref
        returning agenda.job_id, agenda.ref)
    select agenda.job_id, agenda.ref,
        exists (select from renewed where renewed.job_id = agenda.job_id and renewed.ref = agenda.ref) as renewed
      from unnest($1::text[], $2::text[]) as given (job_id, ref)
      join agenda on agenda.job_id = given.job_id and agenda.kind = 'lease' and agenda.ref = given.ref`,
};

export const WAKE = {
  name: 'agenda_wake',
  text: `update agenda set look_at = clock_timestamp()
    where (job_id, kind, ref) in (
      select job_id, kind, ref from agenda
      where kind in ('dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis', 'cancel run') and due_at <= statement_timestamp() and look_at > statement_timestamp()
        and not waiting
      order by job_id, kind, ref for update skip locked)`,
};

/** The count may be lost in a power cut, so the commit does not wait for the disk. */
export const BEGIN_SYNTHESIS = {
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

export const RETURN_TRY = {
  name: 'agenda_return_try',
  text: `update agenda set tries = greatest(tries - 1, 0) where job_id = $1 and kind = 'dispatch synthesis' and ref = ''`,
};

/** Keeps an earlier deadline. */
export const BEGIN_DEADLINE = {
  name: 'agenda_begin_deadline',
  text: `update agenda set due_at = clock_timestamp() + $2::int4 * interval '1 millisecond',
      look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
    where job_id = $1 and kind = 'job deadline' and ref = 'synthesis' and due_at > clock_timestamp() + $2::int4 * interval '1 millisecond'`,
};

/** How long a synthesis belongs to a process that claimed it. The process renews its claim; if it has died, others may begin the synthesis. */
const TAKEN_MS = 10_000;
/** A row with a later next look was postponed, because its job cannot be decided about. */
const SOON = `interval '10 minutes'`;

const SYNTHESIS = `kind = 'dispatch synthesis'`;
const NOT_TAKEN = `left_of(taken_at, ${TAKEN_MS}) = 0`;
/** With the conditions of the index `agenda_syntheses`. */
const WAITS = `${SYNTHESIS} and step_id is null and ${NOT_TAKEN} and look_at < statement_timestamp() + ${SOON}`;
const NOT_BEFORE = `clock_timestamp() + ${TAKEN_MS} * interval '1 millisecond'`;

/**
 * Takes the synthesis whose turn it is. $1 is to be begun, and tenant $2 had the turn before: takes $1 itself if it is its tenant's turn, otherwise
 * the one of another tenant that has waited longest. Takes nothing if $1 is not waiting. The claim may be lost in a power cut, so the commit does not
 * wait for the disk.
 */
export const TAKE_TURN = {
  name: 'agenda_take_turn',
  text: `with quick as materialized (select set_config('synchronous_commit', 'off', true)),
    own as materialized (select tenant_id from quick, agenda where job_id = $1 and ref = '' and ${SYNTHESIS} and ${NOT_TAKEN}),
    turn as materialized (
      select coalesce((select tenant_id from agenda where tenant_id > $2 and ${WAITS} order by tenant_id limit 1),
        (select tenant_id from agenda where tenant_id >= '' and ${WAITS} order by tenant_id limit 1)) as tenant_id from own),
    other as materialized (
      select job_id from agenda
        where tenant_id = (select turn.tenant_id from turn, own where turn.tenant_id <> own.tenant_id) and ${WAITS}
        order by due_at limit 1 for update skip locked)
    update agenda set taken_at = clock_timestamp(), look_at = greatest(look_at, ${NOT_BEFORE})
      where job_id = coalesce((select job_id from other), (select $1 from own)) and ref = '' and ${SYNTHESIS} and ${NOT_TAKEN}
      returning job_id as "jobId", tenant_id as "tenantId",
        (select taken_at is null from agenda before where before.job_id = agenda.job_id and ref = '' and ${SYNTHESIS}) as "isFirst",
        exists (select from agenda other where other.tenant_id > agenda.tenant_id and ${WAITS})
        or exists (select from agenda other where other.tenant_id < agenda.tenant_id and ${WAITS}) as "othersWait"`,
};

export const KEEP_TAKEN = {
  name: 'agenda_keep_taken',
  text: `update agenda set taken_at = clock_timestamp(), look_at = ${NOT_BEFORE} where job_id = $1 and ref = '' and ${SYNTHESIS}`,
};
