import type { Pool } from 'pg';
import type { ThreadCommand, ThreadState } from '@lib/domain/thread';
import type { Unit } from './commit/unit';
import type { WritePath } from './commit/write-path';
import { threadStateIn } from './history/aggregates';
import type { Streams } from './history/streams';
import { asStoreError } from './postgres/store-unavailable';

/** Threads as the history of each tells them. One that does not exist has version 0. */
export class Threads {
  constructor(
    private readonly writePath: WritePath,
    private readonly streams: Streams,
    private readonly pool: Pool,
  ) {}

  /**
   * Commits what the thread decides about the command.
   * @returns the thread afterwards
   * @throws DomainError if the command is refused, StoreUnavailable if the database cannot be reached (the command may be repeated)
   */
  async execute(threadId: string, command: ThreadCommand, meta: Unit['meta'], isWanted?: Unit['isWanted']): Promise<ThreadState> {
    const { streams } = await this.writePath.execute({ meta, isWanted, commands: [{ kind: 'thread', streamId: threadId, command }] });
    return threadStateIn(streams.get(threadId));
  }

  /** The thread as it is stored now. */
  async load(threadId: string): Promise<ThreadState> {
    return threadStateIn(await this.streams.load(threadId));
  }

  /** Its jobs, oldest first; none of a thread that is gone. */
  async jobIds(threadId: string): Promise<string[]> {
    try {
      const text = 'select id from job where thread_id = $1 order by created_at, id';
      const { rows } = await this.pool.query<{ id: string }>({ name: 'job_ids', text, values: [threadId] });
      return rows.map(({ id }) => id);
    } catch (error) {
      throw asStoreError(error);
    }
  }
}
