import type { Pool } from 'pg';
import { FINAL_JOB_EVENTS } from '@lib/domain/job/events';
import { MICROS_PER_CENT } from '@lib/domain/money';
import { asStoreError } from '../postgres/store-unavailable';

/** What a tenant with limits uses of them at this moment. */
export interface LimitUsage {
  openJobs: number;
  dailyCents: number;
}

const CHARGED = `case when jsonb_typeof(final.facts -> 'chargedMicros') = 'number' then (final.facts -> 'chargedMicros')::numeric else 0 end`;

/** What has ended is let go of by whoever needs its room, so it is left out here. */
const READ = {
  name: 'limit_usage',
  text: `select (used.open_jobs - count(final.stream_id))::int as "openJobs",
      case when used.day = today then used.day_cents - coalesce(sum(job.cents - least(job.cents, ceil(${CHARGED} / ${MICROS_PER_CENT})))
        filter (where final.stream_id is not null and job.day = today), 0) else 0 end::float8 as "dailyCents"
    from limit_usage used cross join lateral (select (statement_timestamp() at time zone 'UTC')::date as today) as clock
      left join limited_job job on job.tenant_id = used.tenant_id
      left join event final on final.stream_id = job.job_id and final.type in (${FINAL_JOB_EVENTS.map((type) => `'${type}'`).join(', ')})
    where used.tenant_id = $1 group by used.tenant_id, used.open_jobs, used.day, used.day_cents, today`,
};

export async function readLimitUsage(pool: Pool, tenantId: string): Promise<LimitUsage> {
  try {
    const { rows } = await pool.query<LimitUsage>({ ...READ, values: [tenantId] });
    return rows[0] ?? { openJobs: 0, dailyCents: 0 };
  } catch (error) {
    throw asStoreError(error);
  }
}
