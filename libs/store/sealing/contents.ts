import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { int4Array, textArray } from '../commit/array-parameter';
import { eventPlace, unseal } from './seal';
import type { ThreadKeys } from './thread-keys';

/** Where a piece of content is sealed: in one event of a stream, under its thread's key. */
export interface ContentPlace {
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

const nameOf = (place: Pick<ContentPlace, 'streamId' | 'version'>): string => `${place.streamId}/${place.version}`;

/** Content of events, opened. What this process has just written is remembered for a while, so that a job is rarely read back. */
export class Contents {
  private readonly recent = new LRUCache<string, { content: object; size: number }>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ size }) => size,
  });

  constructor(
    private readonly pool: Pool,
    private readonly keys: ThreadKeys,
  ) {}

  remember(streamId: string, version: number, content: object, size: number): void {
    this.recent.set(nameOf({ streamId, version }), { content, size: size + 200 });
  }

  forget(streamId: string, versions: number): void {
    for (let version = 1; version <= versions; version += 1) this.recent.delete(nameOf({ streamId, version }));
  }

  /** The contents in the order of their places; null where it was erased or never existed. */
  async read(places: readonly ContentPlace[]): Promise<(object | null)[]> {
    const found = new Map<string, object>();
    const missing = places.filter((place) => {
      const recent = this.recent.get(nameOf(place));
      if (recent) found.set(nameOf(place), recent.content);
      return !recent;
    });
    if (missing.length > 0) await this.readSealed(missing, found);
    return places.map((place) => found.get(nameOf(place)) ?? null);
  }

  private async readSealed(places: readonly ContentPlace[], found: Map<string, object>): Promise<void> {
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
    for (const { stream_id: streamId, version, type, sealed } of rows) {
      const name = nameOf({ streamId, version });
      const key = keys.get(threadIds.get(name) ?? '');
      if (!key || !sealed) continue;
      found.set(name, JSON.parse(unseal(key, eventPlace(streamId, version, type), sealed)) as object);
    }
  }
}
