import type { Pool } from 'pg';
import { textArray } from '../postgres/array-parameter';

/** The event that begins a job's history records the trace of its request. */
const READ = {
  name: 'trace_ids',
  text: `select stream_id as "jobId", facts ->> 'traceId' as "traceId" from event where stream_id = any($1::text[]) and version = 1`,
};

/** Each event records the trace of the request that it comes from. */
const READ_OF_EVENTS = {
  name: 'trace_ids_of_events',
  text: `select event_id as "eventId", facts ->> 'traceId' as "traceId" from event where event_id = any($1::text[])`,
};

/** Leaves out jobs of earlier builds and missing ones. */
export async function readTraceIds(pool: Pool, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ jobId: string; traceId: string | null }>({ ...READ, values: [textArray([...new Set(jobIds)])] });
  return new Map(rows.flatMap(({ jobId, traceId }) => (traceId === null ? [] : [[jobId, traceId]])));
}

/** By event; leaves out events without a trace and missing ones. */
export async function readTraceIdsOfEvents(pool: Pool, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ eventId: string; traceId: string | null }>({ ...READ_OF_EVENTS, values: [textArray(eventIds)] });
  return new Map(rows.flatMap(({ eventId, traceId }) => (traceId === null ? [] : [[eventId, traceId]])));
}
