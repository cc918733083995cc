import type { Pool } from 'pg';
import { emptyStream, evolve, type StoredEvent, type Stream } from './aggregates';
import { textArray } from '../postgres/array-parameter';
import { upcast } from './upcasters';

const LOAD = {
  name: 'load',
  text: `select stream_id, version, event_id, type, schema_version, facts, meta ->> 'occurredAt' as at, hash
    from event where stream_id = any ($1::text[]) order by stream_id, version`,
};

interface Row {
  stream_id: string;
  version: number;
  event_id: string;
  type: string;
  schema_version: number;
  facts: object;
  at: string;
  hash: Buffer;
}

export interface Loaded {
  streams: Map<string, Stream>;
  /** Ids of all events read: a writer that lost the answer to its commit finds its own here. */
  eventIds: Set<string>;
}

/** Folds the streams from their events. One that does not exist comes back empty, at version 0. */
export async function load(pool: Pool, streamIds: readonly string[]): Promise<Loaded> {
  const streams = new Map(streamIds.map((streamId) => [streamId, emptyStream(streamId)]));
  const eventIds = new Set<string>();
  if (streamIds.length === 0) return { streams, eventIds };
  const { rows } = await pool.query<Row>({ ...LOAD, values: [textArray(streamIds)] });
  for (const { stream_id, event_id, type, schema_version, facts, at, hash } of rows) {
    const stream = streams.get(stream_id) as Stream;
    streams.set(stream_id, evolve(stream, upcast(type, schema_version, facts), at, hash));
    eventIds.add(event_id);
  }
  return { streams, eventIds };
}

/** The events of a stream in the shapes of today, without their content; none if there is no such stream. */
export async function readEvents(pool: Pool, streamId: string): Promise<StoredEvent[]> {
  const { rows } = await pool.query<Row>({ ...LOAD, values: [textArray([streamId])] });
  return rows.map(({ type, schema_version, facts }) => upcast(type, schema_version, facts));
}
