import type { Pool } from 'pg';

/** Why a job makes no progress. docs/operations.md tells what each reason means and what to do about it. */
export const STUCK_REASONS = [
  'set_aside',
  'deadline_over',
  'lease_over',
  'not_looked_at',
  'no_deadline',
  'step_without_lease',
  'attempts_lost',
  'waits_for_provider',
  'synthesis_tried_again',
  'run_not_stopped',
  'not_erased',
] as const;
export type StuckReason = (typeof STUCK_REASONS)[number];

export interface StuckJob {
  reason: StuckReason;
  /** The id of the job, or of the thread that is not erased. */
  id: string;
  tenantId: string;
  /** Null if it is not an open job. */
  status: string | null;
  stepId: string | null;
  provider: string | null;
  since: Date;
  /** How many times it was tried, or how many attempts were lost. */
  tries: number;
}

const SHOWN = 'job_id as id, tenant_id, step_id, provider, due_at as since, tries';
/**
 * There is no index of open jobs, since every job's end would have to write to it. So open jobs are searched for once, for all reasons. `offset 0`
 * keeps PostgreSQL from turning the lookup of their events into a join, which would read the events of all jobs.
 */
const OPEN = `open_job as materialized (
  select id, tenant_id, created_at, steps from job where status not in ('completed', 'failed', 'cancelled'))`;
const over = (time: string) => `statement_timestamp() - interval '${time}'`;

/** A row that was taken is looked at again after half a minute. So if a row is a minute late, nobody is looking at it. */
const REASONS: Readonly<Record<StuckReason, string>> = {
  // The next look was moved away from the deadline, which only happens when a job is postponed.
  set_aside: `select ${SHOWN} from agenda where kind = 'job deadline'
    and (due_at > statement_timestamp() and look_at < due_at - interval '1 second' or look_at > greatest(due_at, statement_timestamp()) + interval '10 minutes')`,
  deadline_over: `select ${SHOWN} from agenda where kind = 'job deadline' and due_at < ${over('1 minute')} and look_at < statement_timestamp() + interval '10 minutes'`,
  lease_over: `select ${SHOWN} from agenda where kind in ('lease', 'synthesis lease') and due_at < ${over('1 minute')}`,
  not_looked_at: `select job_id, tenant_id, step_id, provider, look_at, tries from agenda where look_at < ${over('1 minute')} and not waiting
    and kind in ('dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis')`,
  no_deadline: `select id, tenant_id, null, null, created_at, 0 from open_job
    where not exists (select from agenda where job_id = open_job.id and kind = 'job deadline')`,
  step_without_lease: `select open_job.id, tenant_id, step ->> 'id', step ->> 'provider', (step ->> 'startedAt')::timestamptz, (step ->> 'attempts')::int
    from open_job cross join jsonb_array_elements(steps) as step where step ->> 'status' = 'running'
    and not exists (select from agenda where job_id = open_job.id and kind = 'lease' and step_id = step ->> 'id')`,
  attempts_lost: `select open_job.id, tenant_id, lost.step_id, null, max(lost.at), count(*)::int
    from open_job cross join lateral (select facts ->> 'stepId' as step_id, (meta ->> 'occurredAt')::timestamptz as at from event
      where stream_id = open_job.id and type = 'StepAttemptLost' offset 0) as lost
    group by open_job.id, tenant_id, lost.step_id having count(*) > 1`,
  waits_for_provider: `select ${SHOWN} from agenda where waiting and due_at < ${over('15 minutes')}`,
  synthesis_tried_again: `select ${SHOWN} from agenda where kind = 'dispatch synthesis' and tries > 1`,
  run_not_stopped: `select ${SHOWN} from agenda where kind = 'cancel run' and due_at < ${over('1 hour')}`,
  not_erased: `select ${SHOWN} from agenda where kind = 'erase thread' and due_at < ${over('10 minutes')}`,
};

const STUCK = `with ${OPEN}
  select reason, found.id, coalesce(nullif(found.tenant_id, ''), job.tenant_id, '') as "tenantId", job.status, step_id as "stepId", provider, since, tries
  from (${STUCK_REASONS.map((reason) => `select '${reason}' as reason, * from (${REASONS[reason]}) as ${reason} (id, tenant_id, step_id, provider, since, tries)`).join(' union all ')}) as found
    left join job on job.id = found.id
  where $1::text is null or coalesce(nullif(found.tenant_id, ''), job.tenant_id) = $1 order by since, found.id, reason limit $2`;

/** Jobs that make no progress, the longest first; a job may be listed for several reasons. */
export async function stuckJobs(pool: Pool, tenantId: string | null, limit: number): Promise<StuckJob[]> {
  return (await pool.query<StuckJob>(STUCK, [tenantId, limit])).rows;
}
