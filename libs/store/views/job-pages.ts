import type { Pool } from 'pg';
import type { BudgetTier, JobStatus } from '@lib/domain/vocabulary';
import { rowsOf } from '../postgres/rows-of';
import type { JobCursor } from './job-cursor';
import type { JobSummaryRow } from './stored-rows';

/** Which of a tenant's jobs are wanted. A condition that is absent does not matter. */
export interface JobFilter {
  status?: JobStatus | undefined;
  budgetTier?: BudgetTier | undefined;
  threadId?: string | undefined;
  jobId?: string | undefined;
  /** Inclusive. */
  createdFrom?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
}

export interface ListedJobRow extends JobSummaryRow {
  thread_id: string;
  parent_job_id: string | null;
  budget_cap_cents: number;
}

export interface JobRowPage {
  rows: ListedJobRow[];
  /** Null if there are no more. */
  next: JobCursor | null;
}

/**
 * Most jobs that one page examines. There is no index by status, since each change of a job would have to move its entry. So if few jobs match, a
 * page ends after this many with fewer results than requested, and the next page continues.
 */
export const LOOKED_AT = 10_000;

const COLUMNS = 'id, thread_id, parent_job_id, status, budget_tier, budget_cap_cents, cost_cents, created_at, completed_at';

/** Where a page begins. */
export interface PageStart {
  place: JobCursor;
  /** Whether the job of this place is wanted too. */
  isIncluded?: boolean;
}

/**
 * A tenant's matching jobs, newest first, without those of deleted threads. The matches and the end of the page come from one statement: with two, a
 * job created or deleted in between would be shown twice or skipped.
 * @param start null for the first page
 */
export async function readJobPage(
  pool: Pool,
  tenantId: string,
  filter: JobFilter,
  start: PageStart | null,
  limit: number,
): Promise<JobRowPage> {
  const values: unknown[] = [tenantId];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const looked = `select ${COLUMNS}, row_number() over (order by created_at desc, id desc) as place
    from job where ${placesOf(filter, start, given)} order by created_at desc, id desc limit ${LOOKED_AT}`;
  const wanted = (['status', 'budget_tier'] as const).flatMap((column) => {
    const value = column === 'status' ? filter.status : filter.budgetTier;
    return value === undefined ? [] : [`looked.${column} = ${given(value)}`];
  });
  const isWanted = wanted.join(' and ') || 'true';
  // The first condition only concerns the job, so that no thread is looked up for an unwanted job.
  const isEnd = `looked.place = ${LOOKED_AT}`;
  const text = `select looked.*, ${isWanted} and thread.id is not null as fits
      from (${looked}) looked left join thread on thread.id = looked.thread_id
      where (${isWanted} or ${isEnd}) and (thread.id is not null or ${isEnd})
      order by looked.created_at desc, looked.id desc limit ${given(limit + 1)}::int4`;
  const found = await rowsOf<ListedJobRow & { place: string; fits: boolean }>(pool, { text, values });
  const rows = found.filter(({ fits }) => fits);
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: cursorAt(rows[limit - 1]) };
  return { rows, next: cursorAt(found.find(({ place }) => Number(place) === LOOKED_AT)) };
}

const cursorAt = (row: Pick<ListedJobRow, 'id' | 'created_at'> | undefined): JobCursor | null =>
  row ? { createdAt: row.created_at, id: row.id } : null;

/** The conditions that an index serves: by tenant, by thread, by id, by time of creation. */
function placesOf(
  { threadId, jobId, createdFrom, createdBefore }: JobFilter,
  start: PageStart | null,
  given: (value: unknown) => string,
): string {
  const looked = ['tenant_id = $1'];
  if (threadId !== undefined) looked.push(`thread_id = ${given(threadId)}`);
  if (jobId !== undefined) looked.push(`id = ${given(jobId)}`);
  if (createdFrom) looked.push(`created_at >= ${given(createdFrom)}::timestamptz`);
  if (createdBefore) looked.push(`created_at < ${given(createdBefore)}::timestamptz`);
  if (start) {
    const { place, isIncluded } = start;
    looked.push(`(created_at, id) ${isIncluded ? '<=' : '<'} (${given(place.createdAt)}::timestamptz, ${given(place.id)}::text)`);
  }
  return looked.join(' and ');
}
