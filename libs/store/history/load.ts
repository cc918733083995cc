import type { ClientBase, Pool } from 'pg';
import type { JobEvent } from '@lib/domain/job/events';
import type { JobState } from '@lib/domain/job/state';
import { int4Array, textArray } from '../postgres/array-parameter';
import { emptyStream, evolve, jobStateIn, type StoredEvent, type Stream } from './aggregates';
import { CorruptHistory } from './corrupt-history';
import { isSummary, SUMMARY, summedUp, type SummaryColumns } from './thread-summary';
import { UnknownEvent, upcast } from './upcasters';

const COLUMNS = `event.stream_id, event.version, event_id, type, schema_version, facts, meta ->> 'occurredAt' as at, hash`;

/**
 * The events of each stream that come after the known ones, and the last known event itself, so that it can be compared. Of a thread that
 * is not known, the events after its summary, and the event that the summary ends with.
 */
const LOAD = {
  name: 'load',
  text: `select ${COLUMNS}, ${SUMMARY.columns}
    from unnest($1::text[], $2::int4[]) as known (stream_id, version) ${SUMMARY.join}
    join event on event.stream_id = known.stream_id and event.version >= coalesce(summary.version, known.version)
    order by event.stream_id, event.version`,
};

const REPLAY = `select ${COLUMNS} from event where stream_id = any ($1) order by stream_id, version`;

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
  /** Streams whose last known event is not stored any more, or was changed. They are loaded from their beginning. */
  lost: string[];
  /** The streams that could not be folded, with the reason. They are not in `streams`. */
  failures: Map<string, UnknownEvent | CorruptHistory>;
  /** When each event that was read occurred, by its id. A writer that lost the answer to its commit may find its own events here. */
  eventTimes: Map<string, string>;
}

/** Folds the events appended since onto these streams. A stream that does not exist stays empty, at version 0. */
export async function load(database: Pool | ClientBase, known: readonly Stream[]): Promise<Loaded> {
  const loaded = await loadSince(database, known);
  if (loaded.lost.length === 0) return loaded;
  const anew = await loadSince(database, loaded.lost.map(emptyStream));
  return {
    streams: new Map([...loaded.streams, ...anew.streams]),
    lost: loaded.lost,
    failures: new Map([...loaded.failures, ...anew.failures]),
    eventTimes: new Map([...loaded.eventTimes, ...anew.eventTimes]),
  };
}

async function loadSince(database: Pool | ClientBase, known: readonly Stream[]): Promise<Loaded> {
  const streams = new Map(known.map((stream) => [stream.streamId, stream]));
  const failures: Loaded['failures'] = new Map();
  if (known.length === 0) return { streams, lost: [], failures, eventTimes: new Map() };
  const values = [textArray(known.map(({ streamId }) => streamId)), int4Array(known.map(({ version }) => version))];
  const { rows } = await database.query<Row & SummaryColumns>({ ...LOAD, values });
  const unconfirmed = new Map(known.flatMap(({ streamId, version, hash }) => (version > 0 ? [[streamId, { version, hash }]] : [])));
  for (const row of rows) {
    const stream = streams.get(row.stream_id);
    if (!stream) continue;
    const last = unconfirmed.get(row.stream_id);
    if (last) {
      // The first row must be the last known event: later events may only be folded onto that one.
      if (row.version === last.version && last.hash?.equals(row.hash)) unconfirmed.delete(row.stream_id);
      continue;
    }
    try {
      streams.set(row.stream_id, isSummary(row) ? summedUp(row) : folded(stream, row));
    } catch (error) {
      failures.set(row.stream_id, unreadable(row, error));
      streams.delete(row.stream_id);
    }
  }
  return { streams, lost: [...unconfirmed.keys()], failures, eventTimes: new Map(rows.map(({ event_id, at }) => [event_id, at])) };
}

const unreadable = ({ stream_id: streamId, version }: Row, error: unknown): UnknownEvent | CorruptHistory =>
  error instanceof UnknownEvent ? error : new CorruptHistory(streamId, version, error);

/**
 * Folds each stream from its first event, without using summaries.
 * @throws UnknownEvent or CorruptHistory if one of them cannot be folded
 */
export async function replay(pool: Pool, streamIds: readonly string[]): Promise<Map<string, Stream>> {
  const streams = new Map(streamIds.map((streamId) => [streamId, emptyStream(streamId)]));
  const { rows } = await pool.query<Row>(REPLAY, [streamIds]);
  for (const row of rows) {
    try {
      streams.set(row.stream_id, folded(streams.get(row.stream_id) as Stream, row));
    } catch (error) {
      throw unreadable(row, error);
    }
  }
  return streams;
}

/** An event not yet folded onto its stream. */
export interface FoldRow {
  streamId: string;
  version: number;
  /** @throws UnknownEvent or CorruptHistory if it cannot be folded */
  fold: (stream: Stream) => Stream;
}

const PAGE = `select ${COLUMNS} from event where stream_id = any ($1) and (stream_id, version) > ($2, $3) order by stream_id, version limit $4`;

/** The next page of the events of these streams, in the order of streams and versions. */
export async function foldPage(
  database: Pool | ClientBase,
  streamIds: readonly string[],
  [afterStream, afterVersion]: readonly [string, number],
  limit: number,
): Promise<FoldRow[]> {
  const { rows } = await database.query<Row>(PAGE, [streamIds, afterStream, afterVersion, limit]);
  return rows.map((row) => ({
    ...{ streamId: row.stream_id, version: row.version },
    fold: (stream) => {
      try {
        return folded(stream, row);
      } catch (error) {
        throw unreadable(row, error);
      }
    },
  }));
}

/** The events of a stream in today's shapes, without their content; none if there is no such stream. */
export async function readEvents(pool: Pool, streamId: string): Promise<StoredEvent[]> {
  const { rows } = await pool.query<Row>(REPLAY, [[streamId]]);
  return rows.map(eventOf);
}

/** An event of a job, with the job as it stood after it. */
export interface JobMoment {
  version: number;
  at: string;
  event: JobEvent;
  state: JobState;
}

/** A job's whole history; empty if there is no such job. @throws UnknownEvent or CorruptHistory if it cannot be folded */
export async function readJobHistory(pool: Pool, jobId: string): Promise<JobMoment[]> {
  const { rows } = await pool.query<Row>(REPLAY, [[jobId]]);
  return momentsOf(jobId, rows);
}

/**
 * Each event with the job's state after it.
 * @throws UnknownEvent or CorruptHistory if they cannot be folded
 */
export function momentsOf(jobId: string, rows: readonly Row[]): JobMoment[] {
  let stream = emptyStream(jobId);
  return rows.map((row) => {
    try {
      stream = folded(stream, row);
      return { version: row.version, at: row.at, event: eventOf(row) as JobEvent, state: jobStateIn(stream) };
    } catch (error) {
      throw unreadable(row, error);
    }
  });
}

const eventOf = ({ type, schema_version, facts }: Row): StoredEvent => upcast(type, schema_version, facts);

function folded(stream: Stream, row: Row): Stream {
  if (row.version !== stream.version + 1) throw new Error(`version ${stream.version + 1} is missing`);
  return evolve(stream, eventOf(row), row.at, row.hash);
}

/** When each of these events occurred, as far as it is stored. */
export async function storedTimes(pool: Pool, eventIds: readonly string[]): Promise<Map<string, string>> {
  const text = `select event_id, meta ->> 'occurredAt' as at from event where event_id = any ($1::text[])`;
  const { rows } = await pool.query<Pick<Row, 'event_id' | 'at'>>({ name: 'stored_times', text, values: [textArray(eventIds)] });
  return new Map(rows.map(({ event_id, at }) => [event_id, at]));
}
