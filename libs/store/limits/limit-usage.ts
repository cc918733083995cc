import type { Pool } from 'pg';
import { rowsOf } from '../postgres/rows-of';

/** The current usage of limits by the jobs of a tenant or of one of its keys. */
export interface LimitUsage {
  openJobs: number;
  dailyCents: number;
}

/** Ended jobs are released when the next job is created, so they are left out here. About midnight a count may be of the next day. */
const READ = {
  name: 'limit_usage',
  text: `select used.key_id as "keyId", (used.open_jobs - count(ended.job_id))::int as "openJobs",
      case when used.day in (today, today + 1)
        then greatest(used.day_cents - coalesce(sum(ended.cents - ended.ended_cents) filter (where ended.day = used.day), 0), 0)
        else 0 end::float8 as "dailyCents"
    from limit_usage used cross join lateral (select (statement_timestamp() at time zone 'UTC')::date as today) as clock
      left join limited_job ended on ended.tenant_id = used.tenant_id and ended.key_id = used.key_id and ended.ended_cents is not null
    where used.tenant_id = $1 and used.key_id in ('', $2) group by used.key_id, used.open_jobs, used.day, used.day_cents, today`,
};

export async function readLimitUsage(
  pool: Pool,
  { tenantId, keyId }: { tenantId: string; keyId: string },
): Promise<{ tenant: LimitUsage; key: LimitUsage }> {
  const rows = await rowsOf<LimitUsage & { keyId: string }>(pool, { ...READ, values: [tenantId, keyId] });
  const of = (id: string) => rows.find((row) => row.keyId === id) ?? { openJobs: 0, dailyCents: 0 };
  return { tenant: of(''), key: of(keyId) };
}
