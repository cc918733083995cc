import { DomainError } from '@lib/domain/errors';
import type { DeleteThread, ThreadCommand, ThreadState } from '@lib/domain/thread';
import type { Unit } from './commit/unit';
import type { WritePath } from './commit/write-path';
import type { DeletionList } from './deletions/deletion-list';
import { threadStateIn } from './history/aggregates';
import type { Streams } from './history/streams';

type OfRequest = Pick<Unit, 'isWanted' | 'request'>;
type OfDeletion = OfRequest & Pick<DeleteThread, 'ifVersion'>;

/** Threads, each folded from its history. A thread that does not exist has version 0. */
export class Threads {
  constructor(
    private readonly writePath: WritePath,
    private readonly streams: Streams,
    private readonly keepRuns: (thread: { threadId: string; tenantId: string }) => Promise<void>,
    /** Records deletions outside the database before they are done; null if there is no such list. */
    private readonly list: DeletionList | null,
    /** By the database's current clock, because a restored backup keeps a listed thread that was used after its deletion. */
    private readonly askTime: () => Promise<Date>,
  ) {}

  /**
   * Commits the thread's decision about a command.
   * @returns when it was done, as ISO 8601; for a command without effect, when the thread last changed
   * @throws DomainError if the command is refused, StoreUnavailable if the database cannot be reached (the command may be repeated)
   */
  async execute(threadId: string, command: ThreadCommand, meta: Unit['meta'], rest: OfRequest = {}): Promise<string> {
    const { streams, at } = await this.writePath.execute({ meta, ...rest, commands: [{ kind: 'thread', streamId: threadId, command }] });
    return at ?? threadStateIn(streams.get(threadId)).updatedAt;
  }

  /** The thread as it is stored now. */
  async load(threadId: string): Promise<ThreadState> {
    return threadStateIn(await this.streams.load(threadId));
  }

  /**
   * Deletes the thread. From this commit on its key is gone, it is not found any more, and no step of it is granted. `Erasure` removes the rest.
   * @throws DomainError if there is no such thread of the tenant, DeletionNotListed if the deletion list cannot be written
   */
  async delete(threadId: string, tenantId: string, meta: Unit['meta'], { ifVersion, ...rest }: OfDeletion = {}): Promise<void> {
    await this.keepRuns({ threadId, tenantId });
    const takeBack = await this.listDeletion(threadId, tenantId);
    try {
      await this.execute(threadId, { type: 'DeleteThread', tenantId, ifVersion }, meta, rest);
    } catch (error) {
      // After any other error the thread may be deleted.
      if (error instanceof DomainError) await takeBack?.();
      throw error;
    }
  }

  /** Lists only a thread that the tenant has: otherwise any client could fill the list. @returns takes the entry back */
  private async listDeletion(threadId: string, tenantId: string): Promise<(() => Promise<void>) | null> {
    if (!this.list) return null;
    const thread = await this.load(threadId);
    const isThere = thread.version > 0 && !thread.deleted && thread.tenantId === tenantId;
    return isThere ? this.list.add(threadId, await this.askTime()) : null;
  }
}
