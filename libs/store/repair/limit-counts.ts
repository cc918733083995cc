import type { ClientBase, Pool } from 'pg';
import { tenantStreamId } from '@lib/domain/tenant';
import { firstIdSince } from '../new-id';
import { byName, rowDifferences, type ViewDifference, type ViewRow } from './view-row';

/** A row of `limited_job` (with `jobId`) or of `limit_usage` that differs from the histories; null where there is none, or is to be none. */
interface CountRow {
  tenantId: string;
  /** Empty for what the tenant uses. */
  keyId: string;
  jobId: string | null;
  stored: Record<string, unknown> | null;
  expected: Record<string, unknown> | null;
}

const MICROS = (name: string) =>
  `case when jsonb_typeof(ended.facts -> '${name}') = 'number' then (ended.facts -> '${name}')::numeric else 0 end`;
/** Through numeric, as bigint refuses 100.0, which somebody may have made of 100: that one row would end the look at all others. */
const CAP = `(asked.facts ->> 'budgetCapCents')::numeric::bigint`;
/** As the trigger of the end of a job counts. */
const ENDED_CENTS = `case when ended.stream_id is not null then least(${CAP}, ceil((${MICROS('chargedMicros')} + ${MICROS('lostMicros')}) / 10000)) end`;
const FINAL = `ended.type in ('JobCompleted', 'JobFailed', 'JobCancelled')`;
const TODAY = `(statement_timestamp() at time zone 'UTC')::date`;
const DAY_OF = (time: string) => `((${time}) at time zone 'UTC')::date`;
/** A job counts for the day on which its statement began, or for the next one if that had begun for others. Its event has the time of its append. */
const STATEMENT = `interval '10 minutes'`;
const BEGAN_TODAY = `(asked.appended_at + ${STATEMENT} >= ${TODAY}::timestamp at time zone 'UTC' and ${DAY_OF('asked.appended_at')} <= ${TODAY})`;

/**
 * What counts for the limits of the tenants $1, as the histories have it. Whether a job counted when it began is in no event, because the limits of the
 * settings are not. So every row that there is must be right, and a day's cents lie between those of its rows and those that include each ended job
 * of the day; if they do not, the most is right, so that nobody can have more by a wrong value. Rows of jobs whose histories were removed are taken as they are.
 */
const COUNTED = `
  row_of_job as (
    select own.tenant_id, own.key_id, own.job_id, jsonb_build_object('day', own.day, 'cents', own.cents, 'endedCents', own.ended_cents) as stored,
      case when removed.stream_id is not null then jsonb_build_object('day', own.day, 'cents', own.cents, 'endedCents', own.ended_cents)
        when asked.facts ->> 'tenantId' = own.tenant_id and (own.key_id = '' or asked.meta ->> 'actor' = 'key:' || own.key_id) then jsonb_build_object(
          'day', case when own.day < ${DAY_OF(`asked.appended_at - ${STATEMENT}`)} or own.day > ${DAY_OF(`asked.appended_at + ${STATEMENT}`)}
            then ${DAY_OF('asked.appended_at')} else own.day end,
          'cents', ${CAP}, 'endedCents', ${ENDED_CENTS}) end as expected,
      case when ${BEGAN_TODAY} then ${ENDED_CENTS} end as ended_today
    from limited_job own
      left join event asked on asked.stream_id = own.job_id and asked.version = 1 and asked.type = 'JobRequested'
      left join event ended on ended.stream_id = own.job_id and ${FINAL}
      left join removed_stream removed on removed.stream_id = own.job_id
    where own.tenant_id = any ($1)),
  counted as (
    select tenant_id, key_id, count(*) as jobs, max((expected ->> 'day')::date) as day,
      coalesce(sum((expected ->> 'cents')::bigint) filter (where (expected ->> 'day')::date = ${TODAY}), 0) as cents,
      coalesce(sum(ended_today), 0) as ended_today
    from row_of_job where expected is not null group by tenant_id, key_id),
  ended_today as (
    select asked.facts ->> 'tenantId' as tenant_id, asked.meta ->> 'actor' as actor, sum(${ENDED_CENTS}) as cents
    from event asked join event ended on ended.stream_id = asked.stream_id and ${FINAL}
    where asked.stream_id > $2 and asked.stream_id < 'job_~' and asked.version = 1 and asked.type = 'JobRequested'
      and asked.facts ->> 'tenantId' = any ($1) and ${BEGAN_TODAY} group by 1, 2),
  holder as (
    select tenant_id, key_id from limit_usage where tenant_id = any ($1) union select tenant_id, key_id from counted),
  bound as (
    select tenant_id, key_id, used.day, used.open_jobs, used.day_cents, used.tenant_id is not null as is_stored,
      coalesce(counted.jobs, 0) as jobs, counted.day as last_day, coalesce(counted.cents, 0) as least,
      coalesce(counted.cents, 0) - coalesce(counted.ended_today, 0) + (select coalesce(sum(ended.cents), 0) from ended_today ended
        where ended.tenant_id = holder.tenant_id and (holder.key_id = '' or ended.actor = 'key:' || holder.key_id)) as most
    from holder left join limit_usage used using (tenant_id, key_id) left join counted using (tenant_id, key_id)),
  row_of_usage as (
    select tenant_id, key_id,
      case when is_stored then jsonb_build_object('day', day, 'openJobs', open_jobs, 'dayCents', day_cents) end as stored,
      jsonb_build_object('openJobs', jobs) ||
        case when day <= ${DAY_OF(`statement_timestamp() + ${STATEMENT}`)} and day >= coalesce(last_day, day) then jsonb_build_object('day', day, 'dayCents',
            case when day = ${TODAY} and day_cents not between least and most then most else day_cents end)
          else jsonb_build_object('day', ${TODAY}, 'dayCents', most) end as expected
    from bound)`;

const MAX_ROWS = 10_000;
const DIFFERING = `with ${COUNTED}
  select tenant_id as "tenantId", key_id as "keyId", job_id as "jobId", stored, expected from row_of_job where stored is distinct from expected
  union all select tenant_id, key_id, null, stored, expected from row_of_usage where stored is distinct from expected
  order by 1, 2, 3 limit ${MAX_ROWS}`;
const NEXT_TENANTS = `select tenant_id as id from (select tenant_id from limit_usage union select tenant_id from limited_job) as limited
  where tenant_id > $1 order by tenant_id limit $2`;

export const isCount = ({ view }: ViewDifference): boolean => view === 'limited job' || view === 'limit usage';

/** The tenants of which something counts for limits, after one, up to a limit. */
export async function nextLimitedTenants(database: Pool | ClientBase, after: string, limit: number): Promise<string[]> {
  return (await database.query<{ id: string }>(NEXT_TENANTS, [after, limit])).rows.map(({ id }) => id);
}

/** Ids are made by other clocks than the database's. */
const CLOCKS_DIFFER_MS = 86_400_000;

/** @param database a transaction: all is compared in one statement, so jobs that start or end meanwhile make no difference */
async function differingCounts(database: ClientBase, tenantIds: readonly string[]): Promise<CountRow[]> {
  const { rows } = await database.query<{ ms: number }>(`select extract(epoch from ${TODAY})::float8 * 1000 as ms`);
  const since = firstIdSince('job', new Date((rows[0]?.ms ?? 0) - CLOCKS_DIFFER_MS));
  return (await database.query<CountRow>(DIFFERING, [tenantIds, since])).rows;
}

export async function limitDifferences(database: ClientBase, tenantIds: readonly string[]): Promise<ViewDifference[]> {
  const rows = await differingCounts(database, tenantIds);
  return rows.flatMap((row) => {
    const shown = (columns: Record<string, unknown> | null) => byName(columns === null ? [] : [viewRow(row, columns)]);
    return rowDifferences(shown(row.expected), shown(row.stored));
  });
}

function viewRow({ tenantId, keyId, jobId }: CountRow, columns: Record<string, unknown>): ViewRow {
  const holder = `${tenantId}/${keyId}`;
  const named =
    jobId === null ? { view: 'limit usage' as const, key: holder } : { view: 'limited job' as const, key: `${holder} ${jobId}` };
  return { ...named, streamId: tenantStreamId(tenantId), columns };
}

/** Whoever begins a job that counts holds the first; whoever ends one holds the second. */
const LOCKS = [
  'select from limit_usage where tenant_id = $1 order by key_id for no key update',
  'select from limited_job where tenant_id = $1 order by job_id, key_id for no key update',
];
const REMOVE_JOB = 'delete from limited_job where tenant_id = $1 and key_id = $2 and job_id = $3';
const WRITE_JOB = `update limited_job set day = ($4::jsonb ->> 'day')::date, cents = ($4::jsonb ->> 'cents')::bigint,
  ended_cents = ($4::jsonb ->> 'endedCents')::bigint where tenant_id = $1 and key_id = $2 and job_id = $3`;
const WRITE_USAGE = `insert into limit_usage (tenant_id, key_id, day, open_jobs, day_cents)
  values ($1, $2, ($3::jsonb ->> 'day')::date, ($3::jsonb ->> 'openJobs')::int, ($3::jsonb ->> 'dayCents')::bigint)
  on conflict (tenant_id, key_id) do update set day = excluded.day, open_jobs = excluded.open_jobs, day_cents = excluded.day_cents`;

/** Makes what counts for the limits of a tenant match the histories. */
export async function repairLimitCounts(client: ClientBase, tenantId: string): Promise<void> {
  for (const lock of LOCKS) await client.query(lock, [tenantId]);
  for (const { keyId, jobId, expected } of await differingCounts(client, [tenantId])) {
    if (jobId === null) await client.query(WRITE_USAGE, [tenantId, keyId, JSON.stringify(expected)]);
    else if (expected === null) await client.query(REMOVE_JOB, [tenantId, keyId, jobId]);
    else await client.query(WRITE_JOB, [tenantId, keyId, jobId, JSON.stringify(expected)]);
  }
}
