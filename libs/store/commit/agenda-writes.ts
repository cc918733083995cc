import { stillGivesUp } from '../agenda/give-up';
import { bool, bytea, fromNow, int4, text, time, type Column } from './columns';
import type { TableWrite, Rows } from './table-write';

const GIVES_UP = time<Rows['agendaAdded']>('gives_up_at', (row) => row.givesUpAt);

const AGENDA: Column<Rows['agendaAdded']>[] = [
  text('job_id', (row) => row.jobId),
  text('kind', (row) => row.kind),
  text('ref', (row) => row.ref),
  text('step_id', (row) => row.stepId),
  int4('attempt', (row) => row.attempt),
  text('provider', (row) => row.provider),
  fromNow('due_at', (row) => row.dueInMs),
  int4('run', (row) => row.run),
  bytea('sealed_run', (row) => row.sealedRun),
  text('tenant_id', (row) => row.tenantId),
];

const AGENDA_GIVEN: Column<Rows['agendaAdded']>[] = [
  ...AGENDA,
  GIVES_UP,
  int4('look_in_ms', (row) => row.lookInMs),
  int4('turn_window', (row) => row.window),
];

const STILL_GIVES_UP = stillGivesUp('gives_up');

/**
 * A step waits for its turn if its provider has no room for it. It is then looked at when it gives up, and not at all if it never does.
 */
const addToAgenda = (given: string): string =>
  `with rooms as materialized (
      select provider, room_of(provider, max(turn_window)) as room from ${given} where turn_window > 0 group by provider),
    placed as (
      select given.*, ${GIVES_UP.value} as gives_up, coalesce(row_number() over (partition by given.provider, turn_window > 0 order by job_id, ref) > room, turn_window = 0, false) as waiting
        from ${given} given left join rooms on rooms.provider = given.provider and turn_window > 0)
  insert into agenda (${AGENDA.map(({ name }) => name).join(', ')}, waiting, gives_up_at, look_at)
    select ${AGENDA.map(({ value }) => value).join(', ')}, waiting, case when waiting then ${STILL_GIVES_UP} else gives_up end,
      case when waiting then coalesce(${STILL_GIVES_UP}, 'infinity') else clock_timestamp() + look_in_ms * interval '1 millisecond' end
    from placed returning job_id, ref, waiting`;

export const AGENDA_ADDED: TableWrite<Rows['agendaAdded']> = {
  key: (row) => `${row.jobId}/${row.kind}/${row.ref}`,
  columns: AGENDA_GIVEN,
  sql: addToAgenda,
};

/** All removals are one table write, so that a batch locks rows of the agenda in the same order as the renewal of leases. */
export const AGENDA_REMOVED: TableWrite<Rows['agendaRemoved']> = {
  key: (row) => `${row.jobId}/${row.kind}/${row.ref}`,
  columns: [
    text('job_id', (row) => row.jobId),
    text('kind', (row) => row.kind),
    text('ref', (row) => row.ref),
    bool('ended', (row) => row.ended),
  ],
  sql: (given) => `delete from agenda using ${given} given
      where agenda.job_id = given.job_id and agenda.kind = given.kind and agenda.ref = given.ref
        and (not given.ended or agenda.due_at <= clock_timestamp()) returning given.ended`,
};
