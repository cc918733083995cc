import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { isFinal } from '@lib/domain/job/state';
import { asStoreError } from '../postgres/store-unavailable';
import type { Stream } from './aggregates';
import { load } from './load';

const MAX_LOADED = 64;
const MAX_REMEMBERED = 10_000;

/** Streams as they are stored, and the open jobs among them as this process last saw them: another process may be ahead. */
export class Streams {
  private readonly jobs = new LRUCache<string, Stream>({ max: MAX_REMEMBERED });

  /** The stream as it is stored now, past what is remembered. One that does not exist comes back empty, at version 0. */
  readonly load: (streamId: string) => Promise<Stream>;

  constructor(pool: Pool) {
    this.load = batch(
      async (streamIds: string[]) => {
        try {
          const { streams } = await load(pool, [...new Set(streamIds)]);
          return streamIds.map((streamId) => streams.get(streamId) as Stream);
        } catch (error) {
          throw asStoreError(error);
        }
      },
      { maxItems: MAX_LOADED },
    );
  }

  /** The stream as this process last saw it, or as it is stored if it does not remember it. */
  async recall(streamId: string): Promise<Stream> {
    const remembered = this.jobs.get(streamId);
    if (remembered) return remembered;
    const stored = await this.load(streamId);
    if (stored.version > 0 && !this.jobs.has(streamId)) this.remember(stored);
    return stored;
  }

  remembered(streamId: string): Stream | undefined {
    return this.jobs.get(streamId);
  }

  /** Open jobs alone: little is asked of one that is final, and threads are written by the edge, where another process may be next. */
  remember(stream: Stream): void {
    if (stream.kind === 'job' && !isFinal(stream.state)) this.jobs.set(stream.streamId, stream);
    else this.jobs.delete(stream.streamId);
  }

  forget(streamId: string): void {
    this.jobs.delete(streamId);
  }
}
