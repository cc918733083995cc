import type { Pool } from 'pg';
import { int4Array, textArray } from '../postgres/array-parameter';
import { evolve, type StoredEvent, type Stream } from './aggregates';
import { upcast } from './upcasters';

const LOAD = {
  name: 'load',
  text: `select event.stream_id, event.version, event_id, type, schema_version, facts, meta ->> 'occurredAt' as at, hash
    from unnest($1::text[], $2::int4[]) as known (stream_id, version)
    join event on event.stream_id = known.stream_id and event.version > known.version order by event.stream_id, event.version`,
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

/** Folds what has been appended to the streams since they were known like this. One that does not exist stays empty, at version 0. */
export async function load(pool: Pool, known: readonly Stream[]): Promise<Loaded> {
  const streams = new Map(known.map((stream) => [stream.streamId, stream]));
  const eventIds = new Set<string>();
  if (known.length === 0) return { streams, eventIds };
  for (const { stream_id, event_id, type, schema_version, facts, at, hash } of await read(pool, known)) {
    const stream = streams.get(stream_id) as Stream;
    streams.set(stream_id, evolve(stream, upcast(type, schema_version, facts), at, hash));
    eventIds.add(event_id);
  }
  return { streams, eventIds };
}

/** The events of a stream in the shapes of today, without their content; none if there is no such stream. */
export async function readEvents(pool: Pool, streamId: string): Promise<StoredEvent[]> {
  const rows = await read(pool, [{ streamId, version: 0 }]);
  return rows.map(({ type, schema_version, facts }) => upcast(type, schema_version, facts));
}

async function read(pool: Pool, known: readonly Pick<Stream, 'streamId' | 'version'>[]): Promise<Row[]> {
  const streamIds = textArray(known.map(({ streamId }) => streamId));
  const versions = int4Array(known.map(({ version }) => version));
  return (await pool.query<Row>({ ...LOAD, values: [streamIds, versions] })).rows;
}

/** Those of the events that are stored. */
export async function storedIds(pool: Pool, eventIds: readonly string[]): Promise<Set<string>> {
  const text = 'select event_id from event where event_id = any ($1::text[])';
  const { rows } = await pool.query<{ event_id: string }>({ name: 'stored_ids', text, values: [textArray(eventIds)] });
  return new Set(rows.map((row) => row.event_id));
}
