import type { Pool } from 'pg';
import { ANSWER_WITHIN_MS } from '../postgres/answer-within';
import { rowsOf } from '../postgres/rows-of';
import { tookTooLong } from '../postgres/store-unavailable';

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
 * Threads in the order of their ids, which is the order of their creation: so no index has to be updated with every write. The views only
 * select candidates. Whether a thread is old and all of its jobs have ended is read from the histories, since a thread must not be deleted
 * because of a wrong row. The last events of each history suffice, since the times of a history never run backwards.
 */
const PAGE = `
  with page as materialized (select id, tenant_id, created_at, updated_at from thread where id > $1 order by id limit $3),
    old as (
      select id, tenant_id, last.version from page
        cross join lateral (select version, (meta ->> 'occurredAt')::timestamptz as at from event where stream_id = page.id order by version desc limit 1) as last
      where updated_at < $2::timestamptz and last.at < $2::timestamptz
        and not exists (select from event added where added.stream_id = page.id and added.type = 'JobAdded' and (
          coalesce((select (meta ->> 'occurredAt')::timestamptz from event
            where stream_id = added.facts ->> 'jobId' order by version desc limit 1) >= $2::timestamptz, true)
          or (select version from event where stream_id = added.facts ->> 'jobId' and type in ('JobCompleted', 'JobFailed', 'JobCancelled')
            order by version desc limit 1) is null)))
  select (select max(id) from page) as last, (select count(*)::int from page where created_at < $2::timestamptz) as created_before,
    (select count(*)::int from page) as looked,
    (select jsonb_agg(jsonb_build_object('threadId', id, 'tenantId', tenant_id, 'version', version) order by id) from old) as old`;

interface Row {
  last: string | null;
  created_before: number;
  looked: number;
  old: OldThread[] | null;
}

/** The server itself ends a statement that takes too long. The client gives up only a server that does not answer at all. */
const SILENT_MS = 2 * ANSWER_WITHIN_MS;
const NEXT = 'select id from thread where id > $1 order by id limit 1';

/** @param after the id of a thread, or '' for the first page @param before when something has to have happened last */
export async function oldThreads(pool: Pool, after: string, before: Date, limit: number): Promise<OldThreadsPage> {
  const rows = await rowsOf<Row>(pool, { name: 'old_threads', text: PAGE, values: [after, before, limit], query_timeout: SILENT_MS });
  const [{ last, created_before: createdBefore, looked, old }] = rows as [Row];
  // Threads that were created after `before` are not old enough.
  return { next: looked < limit || createdBefore === 0 ? null : last, old: old ?? [] };
}

/**
 * Every thread that is old enough, a page at a time. If a page takes too long, an empty one is returned, so that the caller may stop, and
 * the next one is half as large.
 * @param most threads of a page
 * @param tellTooLong called for a thread that takes too long by itself: it is passed over
 */
export async function* oldThreadPages(
  pool: Pool,
  before: Date,
  most: number,
  tellTooLong: (threadId: string, error: unknown) => void,
): AsyncGenerator<OldThread[]> {
  let limit = most;
  for (let after: string | null = ''; after !== null;) {
    try {
      const page: OldThreadsPage = await oldThreads(pool, after, before, limit);
      yield page.old;
      after = page.next;
      limit = Math.min(limit * 2, most);
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      if (limit === 1) {
        const [tooLarge]: { id: string }[] = await rowsOf<{ id: string }>(pool, { text: NEXT, values: [after] });
        if (tooLarge) tellTooLong(tooLarge.id, error);
        after = tooLarge?.id ?? null;
      }
      limit = Math.ceil(limit / 2);
      yield [];
    }
  }
}
