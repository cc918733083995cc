import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import type { JobStatus } from '@lib/domain/vocabulary';
import { answeredInTime } from '../postgres/answer-within';
import { textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';

/** The thread's row decides whether the job still exists, whatever a process has cached. */
const READ = {
  name: 'job_places',
  text: `select job.id, job.tenant_id as "tenantId", thread_id as "threadId", job.version, status, job.created_at as "createdAt"
    from unnest($1::text[]) as asked (id) join job on job.id = asked.id join thread on thread.id = job.thread_id`,
};

/** A job's place and progress. */
export interface FoundJob {
  threadId: string;
  version: number;
  status: JobStatus;
  createdAt: Date;
}

interface Row extends FoundJob {
  id: string;
  tenantId: string;
}

/** Null if there is no such job, or it is another tenant's. */
export type FindJob = (tenantId: string, jobId: string) => Promise<FoundJob | null>;

/** Finds jobs whose address names no thread. Requests waiting at the same time share a statement. */
export function createJobPlaces(pool: Pool): FindJob {
  const readTogether = async (jobIds: string[]): Promise<(Row | null)[]> => {
    const rows = await rowsOf<Row>(pool, { ...READ, values: [textArray([...new Set(jobIds)])] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return jobIds.map((jobId) => byId.get(jobId) ?? null);
  };
  const read = batch(readTogether, { maxItems: 64, width: 2, ...answeredInTime });
  return async (tenantId, jobId) => {
    const found = await read(jobId);
    return found?.tenantId === tenantId ? found : null;
  };
}
