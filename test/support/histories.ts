import type { Pool } from 'pg';
import type { EventMeta } from '@lib/domain/event';
import { FINAL_JOB_EVENTS, type JobEvent } from '@lib/domain/job/events';

/** An event as it is stored, whatever this build makes of it. */
export interface StoredRow {
  streamId: string;
  version: number;
  id: string;
  type: string;
  schemaVersion: number;
  facts: Record<string, unknown>;
  meta: EventMeta;
  isSealed: boolean;
  sealedSha256: Buffer | null;
  prevHash: Buffer;
  hash: Buffer;
}

const ALL = `select stream_id as "streamId", version, event_id as id, type, schema_version as "schemaVersion", facts, meta,
    sealed is not null as "isSealed", sealed_sha256 as "sealedSha256", prev_hash as "prevHash", hash
  from event order by stream_id, version`;

/** All streams with their events in order. */
export async function readHistories(pool: Pool): Promise<Map<string, StoredRow[]>> {
  const { rows } = await pool.query<StoredRow>(ALL);
  return Map.groupBy(rows, ({ streamId }) => streamId);
}

export async function historyOf(pool: Pool, streamId: string): Promise<StoredRow[]> {
  return (await readHistories(pool)).get(streamId) ?? [];
}

export const typesOf = (history: readonly StoredRow[]): string[] => history.map(({ type }) => type);

export const isJob = ([event]: readonly StoredRow[]): boolean => event?.streamId.startsWith('job_') ?? false;

export const asJobEvent = ({ type, facts }: StoredRow): JobEvent => ({ type, facts }) as JobEvent;

/** Jobs that were requested and have not ended. */
export async function openJobs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from event as request where type = 'JobRequested'
      and not exists (select 1 from event where stream_id = request.stream_id and type = any ($1))`,
    [FINAL_JOB_EVENTS],
  );
  return rows[0]?.count ?? 0;
}

/** What the events of this type record, in their order. */
export const factsOf = <Event extends { type: string; facts: object }>(history: readonly Event[], type: string): Event['facts'][] =>
  history.filter((event) => event.type === type).map(({ facts }) => facts);
