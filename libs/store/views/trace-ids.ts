import type { Pool } from 'pg';
import { textArray } from '../postgres/array-parameter';

/** The event that begins a job's history records the trace of its request. */
const READ = {
  name: 'trace_ids',
  text: `select stream_id as "jobId", facts ->> 'traceId' as "traceId" from event where stream_id = any($1::text[]) and version = 1`,
};

/** Jobs of earlier builds, and those that are not there, are left out. */
export async function readTraceIds(pool: Pool, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ jobId: string; traceId: string | null }>({ ...READ, values: [textArray([...new Set(jobIds)])] });
  return new Map(rows.flatMap(({ jobId, traceId }) => (traceId === null ? [] : [[jobId, traceId]])));
}
