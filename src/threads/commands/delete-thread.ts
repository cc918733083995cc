import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { ThreadDeletedView } from '@lib/store/views/thread.view';
import type { Caller } from '../../access/caller';
import type { Store } from '@lib/store/store';
import { killPoint } from '../../kill-point';
import type { RequestDigests } from '../repetitions';
import { STORE } from '../tokens';
import { metaOf } from '../unit-meta';

/** Cancels the thread's open jobs and erases its content everywhere. */
export class DeleteThread extends Command<ThreadDeletedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly request: RequestDigests | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteThread)
export class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  /** Answers once the thread is gone for everybody; its jobs end and its bytes go beside that. */
  async execute({ caller, threadId, request }: DeleteThread): Promise<ThreadDeletedView> {
    await this.store.threads.delete(threadId, caller.tenantId, metaOf(caller), {
      isWanted: caller.isWaiting,
      request: request ? { ...request, streamId: threadId } : undefined,
    });
    killPoint('delete.after-commit');
    this.store.erasure.start(threadId);
    return { deleted: true };
  }
}
