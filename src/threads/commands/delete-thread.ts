import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { ThreadDeletedView } from '@lib/store/views/thread.view';
import type { Caller } from '../../access/caller';
import { DomainError } from '@lib/domain/errors';
import type { Store } from '@lib/store/store';
import { killPoint } from '../../kill-point';
import { STORE } from '../tokens';
import { metaOf } from '../unit-meta';

/** Cancels the thread's open jobs and erases its content everywhere. */
export class DeleteThread extends Command<ThreadDeletedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
  ) {
    super();
  }
}

/** Tries against jobs that are added to the thread meanwhile. */
const MAX_TRIES = 5;

@CommandHandler(DeleteThread)
export class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ caller, threadId }: DeleteThread): Promise<ThreadDeletedView> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.erase(caller, threadId);
        killPoint('delete.after-commit');
        return { deleted: true };
      } catch (error) {
        if (tries === MAX_TRIES || !(error instanceof DomainError) || error.code !== 'conflict') throw error;
      }
    }
  }

  /** One transaction: open jobs are cancelled, every stream ends with a skeleton, and the key goes with all content. */
  private async erase(caller: Caller, threadId: string): Promise<void> {
    const { tenantId } = caller;
    const thread = await this.store.threads.load(threadId);
    if (thread.tenantId !== tenantId || thread.deleted) throw new DomainError('thread_not_found');
    const jobIds = await this.store.threads.jobIds(threadId);
    await this.store.execute({
      meta: metaOf(caller),
      isWanted: caller.isWaiting,
      erasedThread: threadId,
      commands: [
        { kind: 'thread', streamId: threadId, command: { type: 'DeleteThread', tenantId, jobCount: jobIds.length } },
        ...jobIds.map((jobId) => ({ kind: 'job' as const, streamId: jobId, command: { type: 'EraseContent' as const } })),
      ],
    });
  }
}
