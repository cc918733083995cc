import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { boundedCache, textBytes, type Cache } from '@lib/memory/bounded-cache';
import { int4Array, textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { asStoreError } from '../postgres/store-unavailable';
import { JobContents } from './job-contents';
import { eventPlace, unseal, Unsealable } from './seal';
import { ThreadContents } from './thread-contents';
import { REMEMBER_MS, type ThreadKeys } from './thread-keys';

/** The place of content: one event of a stream, sealed under its thread's key. */
interface ContentPlace {
  streamId: string;
  version: number;
  threadId: string;
}

const READ = {
  name: 'contents',
  text: `select e.stream_id, e.version, e.type, e.sealed
    from unnest($1::text[], $2::int[]) as place (stream_id, version)
    join event e on e.stream_id = place.stream_id and e.version = place.version`,
};

const MAX_PLACES = 500;
/** Reads that may be out together: one that opens long reports must not hold up the others. */
const READS_AT_ONCE = 4;

interface Opened {
  content: object | null;
  failure?: Unsealable;
}

/** The content of events that are about to be appended, as JSON. */
export type Uncommitted = ReadonlyMap<string, string>;
const NOTHING: Uncommitted = new Map();

export const uncommitted = (
  appended: readonly { record: Pick<ContentPlace, 'streamId' | 'version'>; contentText: string }[],
): Uncommitted => new Map(appended.flatMap(({ record, contentText }) => (contentText === '' ? [] : [[nameOf(record), contentText]])));

const nameOf = (place: Pick<ContentPlace, 'streamId' | 'version'>): string => `${place.streamId}/${place.version}`;

/** Contents of a stream as JSON: the text takes as many bytes as it has characters, while parsed objects can take several times that. */
interface Recent {
  byVersion: Map<number, string>;
  bytes: number;
}

const REMEMBERED_BYTES = 32 * 1024 * 1024;
/** Sizes of a map entry, and of the map. */
const PLACE_BYTES = 100;
const MAP_BYTES = 400;

/** Opened content of events. Content just written by this process is cached for a while, so that a job is rarely read back. */
export class Contents {
  /** By stream, so that forgetting a long one costs no more than forgetting a short one. */
  private readonly recent: Cache<Recent>;

  private readonly readTogether: (place: ContentPlace) => Promise<Opened>;

  constructor(
    private readonly pool: Pool,
    private readonly keys: ThreadKeys,
    ttlMs = REMEMBER_MS,
  ) {
    this.recent = boundedCache({ name: 'contents', maxBytes: REMEMBERED_BYTES, bytesOf: ({ bytes }) => bytes, ttlMs });
    this.readTogether = batch((places: ContentPlace[]) => this.readStored(places), {
      maxItems: MAX_PLACES,
      width: READS_AT_ONCE,
      ...answeredInTime,
    });
  }

  /**
   * @param uncommitted content that is not stored yet
   * @throws StoreUnavailable or Unsealable when a piece is read
   */
  ofJob(jobId: string, threadId: string, uncommitted: Uncommitted = NOTHING): JobContents {
    return new JobContents(async (version) => {
      const place = { streamId: jobId, version, threadId };
      const text = uncommitted.get(nameOf(place));
      return text === undefined ? this.read(place) : (JSON.parse(text) as object);
    });
  }

  ofThread(threadId: string): ThreadContents {
    return new ThreadContents((version) => this.read({ streamId: threadId, version, threadId }));
  }

  /** @param text the content as JSON */
  remember(streamId: string, version: number, text: string): void {
    const { byVersion, bytes } = this.recent.get(streamId) ?? { byVersion: new Map<number, string>(), bytes: MAP_BYTES };
    byVersion.set(version, text);
    this.recent.set(streamId, { byVersion, bytes: bytes + textBytes(text) + PLACE_BYTES });
  }

  forget(streamId: string): void {
    this.recent.delete(streamId);
  }

  private async read(place: ContentPlace): Promise<object | null> {
    const recent = this.recent.get(place.streamId)?.byVersion.get(place.version);
    if (recent !== undefined) return JSON.parse(recent) as object;
    const { content, failure } = await this.readTogether(place);
    if (failure) throw failure;
    return content;
  }

  /** One piece that cannot be opened does not keep the others of its batch closed. */
  private async readStored(places: readonly ContentPlace[]): Promise<Opened[]> {
    try {
      const found = await this.open(places);
      return places.map((place) => ({ content: found.get(nameOf(place)) ?? null }));
    } catch (error) {
      if (!(error instanceof Unsealable)) throw asStoreError(error);
      if (places.length === 1) return [{ content: null, failure: error }];
      return (await Promise.all(places.map((place) => this.readStored([place])))).flat();
    }
  }

  private async open(places: readonly ContentPlace[]): Promise<Map<string, object>> {
    const streamIds = textArray(places.map(({ streamId }) => streamId));
    const versions = int4Array(places.map(({ version }) => version));
    const [keys, { rows }] = await Promise.all([
      this.keys.read(places.map(({ threadId }) => threadId)),
      this.pool.query<{ stream_id: string; version: number; type: string; sealed: Buffer | null }>({
        ...READ,
        values: [streamIds, versions],
      }),
    ]);
    const threadIds = new Map(places.map((place) => [nameOf(place), place.threadId]));
    const found = new Map<string, object>();
    for (const { stream_id: streamId, version, type, sealed } of rows) {
      const name = nameOf({ streamId, version });
      const key = keys.get(threadIds.get(name) ?? '');
      if (!key || !sealed) continue;
      found.set(name, JSON.parse(unseal(key, eventPlace(streamId, version, type), sealed)) as object);
    }
    return found;
  }
}
