import type { Pool } from 'pg';
import type { EventMeta } from '@lib/domain/event';
import type { StoredEvent } from '@lib/store/history/aggregates';
import { eventPlace, unseal } from '@lib/store/sealing/seal';
import type { ThreadKeys } from '@lib/store/sealing/thread-keys';

/** An event as the service wrote it, opened. */
export interface Told {
  id: string;
  streamId: string;
  version: number;
  type: StoredEvent['type'];
  facts: object;
  meta: EventMeta;
  /** As JSON; null if it has none. */
  content: string | null;
}

interface Row extends Omit<Told, 'streamId' | 'content'> {
  stream_id: string;
  sealed: Buffer | null;
}

const READ = `select event_id as id, stream_id, version, type, facts, meta, sealed from event
  where stream_id in ($1, $2) order by stream_id = $2, version`;

/** Reads what the service wrote for a thread and the one job in it: the thread's events, then the job's. */
export async function readHistory(pool: Pool, keys: ThreadKeys, threadId: string, jobId: string): Promise<Told[]> {
  const { rows } = await pool.query<Row>(READ, [threadId, jobId]);
  const key = (await keys.read([threadId])).get(threadId);
  if (!key) throw new Error(`the thread ${threadId} has no key`);
  return rows.map(({ stream_id: streamId, sealed, ...event }) => {
    const content = sealed && unseal(key, eventPlace(streamId, event.version, event.type), sealed);
    return { ...event, streamId, content };
  });
}
