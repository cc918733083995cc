import type { ThreadCommand, ThreadState } from '@lib/domain/thread';
import type { Unit } from './commit/unit';
import type { WritePath } from './commit/write-path';
import { threadStateIn } from './history/aggregates';
import type { Streams } from './history/streams';

type OfRequest = Pick<Unit, 'isWanted' | 'request'>;

/** Threads as the history of each tells them. One that does not exist has version 0. */
export class Threads {
  constructor(
    private readonly writePath: WritePath,
    private readonly streams: Streams,
    private readonly keepRuns: (thread: { threadId: string; tenantId: string }) => Promise<void>,
  ) {}

  /**
   * Commits what the thread decides about the command.
   * @returns the thread afterwards
   * @throws DomainError if the command is refused, StoreUnavailable if the database cannot be reached (the command may be repeated)
   */
  async execute(threadId: string, command: ThreadCommand, meta: Unit['meta'], rest: OfRequest = {}): Promise<ThreadState> {
    const { streams } = await this.writePath.execute({ meta, ...rest, commands: [{ kind: 'thread', streamId: threadId, command }] });
    return threadStateIn(streams.get(threadId));
  }

  /** The thread as it is stored now. */
  async load(threadId: string): Promise<ThreadState> {
    return threadStateIn(await this.streams.load(threadId));
  }

  /**
   * Deletes the thread: from this commit on its key is gone, nobody finds it, and nothing of it is granted. What is left of it is erased
   * beside, see `Erasure`.
   * @throws DomainError if there is no such thread of the tenant
   */
  async delete(threadId: string, tenantId: string, meta: Unit['meta'], rest: OfRequest = {}): Promise<void> {
    await this.keepRuns({ threadId, tenantId });
    await this.execute(threadId, { type: 'DeleteThread', tenantId }, meta, rest);
  }
}
