import type { Pool } from 'pg';
import { int4Array, textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';

/** A job and the version of it that somebody has seen. */
export interface SeenJob {
  jobId: string;
  version: number;
}

export interface ChangedJob {
  jobId: string;
  /** Null: the job is gone. */
  version: number | null;
}

export type FindChanged = (seen: readonly SeenJob[]) => Promise<ChangedJob[]>;

const CHANGED = {
  name: 'changed_jobs',
  text: `select seen.id as "jobId", case when thread.id is null then null else job.version end as version
    from unnest($1::text[], $2::int[]) as seen (id, version)
    left join job on job.id = seen.id left join thread on thread.id = job.thread_id
    where thread.id is null or job.version <> seen.version`,
};

/** Finds, in one statement, which of many jobs have changed since they were seen, including changes that were not announced. */
export function createFindChanged(pool: Pool): FindChanged {
  return async (seen) => {
    const values = [textArray(seen.map(({ jobId }) => jobId)), int4Array(seen.map(({ version }) => version))];
    return rowsOf<ChangedJob>(pool, { ...CHANGED, values });
  };
}
