import type { Pool } from 'pg';
import { rowsOf } from '../postgres/rows-of';

/** A thread that nothing has happened to since a time, with the version that it had when it was looked at. */
export interface OldThread {
  threadId: string;
  tenantId: string;
  version: number;
}

export interface OldThreadsPage {
  /** Where the next page begins; null after the last thread that is old enough. */
  next: string | null;
  old: OldThread[];
}

/**
 * By the order of their ids, which is that of their creation, so that no index has to be kept up with every write. The views only say which threads
 * are worth a look: whether one is old, and all of its jobs have ended, say the histories, since a row that has drifted must not cost a thread.
 */
const PAGE = `
  with page as materialized (select id, tenant_id, created_at, updated_at from thread where id > $1 order by id limit $3),
    old as (
      select id, tenant_id, (select max(version) from event where stream_id = page.id) as version from page
      where updated_at < $2::timestamptz
        and not exists (select from event where stream_id = page.id and (meta ->> 'occurredAt')::timestamptz >= $2::timestamptz)
        and not exists (select from event added where added.stream_id = page.id and added.type = 'JobAdded' and (
          not exists (select from event ended where ended.stream_id = added.facts ->> 'jobId' and ended.type in ('JobCompleted', 'JobFailed', 'JobCancelled'))
          or exists (select from event of_job where of_job.stream_id = added.facts ->> 'jobId' and (of_job.meta ->> 'occurredAt')::timestamptz >= $2::timestamptz))))
  select (select max(id) from page) as last, (select count(*)::int from page where created_at < $2::timestamptz) as created_before,
    (select count(*)::int from page) as looked,
    (select jsonb_agg(jsonb_build_object('threadId', id, 'tenantId', tenant_id, 'version', version) order by id) from old where version is not null) as old`;

interface Row {
  last: string | null;
  created_before: number;
  looked: number;
  old: OldThread[] | null;
}

/** @param after the id of a thread, or '' for the first page @param before when something has to have happened last */
export async function oldThreads(pool: Pool, after: string, before: Date, limit: number): Promise<OldThreadsPage> {
  const rows = await rowsOf<Row>(pool, { name: 'old_threads', text: PAGE, values: [after, before, limit] });
  const [{ last, created_before: createdBefore, looked, old }] = rows as [Row];
  // Those that were created later are no older.
  return { next: looked < limit || createdBefore === 0 ? null : last, old: old ?? [] };
}
