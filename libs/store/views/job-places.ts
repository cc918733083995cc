import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { answeredInTime } from '../postgres/answer-within';
import { textArray } from '../postgres/array-parameter';
import { asStoreError } from '../postgres/store-unavailable';

/** The thread's row says whether the job is still there, whatever a process remembers of it. */
const READ = {
  name: 'job_places',
  text: `select job.id, job.tenant_id as "tenantId", thread_id as "threadId"
    from unnest($1::text[]) as asked (id) join job on job.id = asked.id join thread on thread.id = job.thread_id`,
};

interface Row {
  id: string;
  tenantId: string;
  threadId: string;
}

/** The thread of a job; null if there is no such job, or it is another tenant's. */
export type FindThreadOfJob = (tenantId: string, jobId: string) => Promise<string | null>;

/** Finds jobs whose address names no thread, all requests that wait together in one statement. */
export function createJobPlaces(pool: Pool): FindThreadOfJob {
  const readTogether = async (jobIds: string[]): Promise<(Row | null)[]> => {
    const { rows } = await pool.query<Row>({ ...READ, values: [textArray([...new Set(jobIds)])] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return jobIds.map((jobId) => byId.get(jobId) ?? null);
  };
  const read = batch(readTogether, { maxItems: 64, width: 2, ...answeredInTime });
  return async (tenantId, jobId) => {
    try {
      const found = await read(jobId);
      return found?.tenantId === tenantId ? found.threadId : null;
    } catch (error) {
      throw asStoreError(error);
    }
  };
}
