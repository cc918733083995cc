import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { ThreadDeletedView } from '@lib/store/views/thread.view';
import type { Caller } from '../../access/caller';
import type { Store } from '@lib/store/store';
import { killPoint } from '../../runtime/kill-point';
import { requestedUnit } from '../requested-unit';
import { STORE } from '../../api/tokens';

/** Cancels the thread's open jobs and erases its content everywhere. */
export class DeleteThread extends Command<ThreadDeletedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteThread)
export class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  /** Answers once the thread is gone for everybody. Its jobs are ended and its bytes erased in the background. */
  async execute({ caller, threadId, request }: DeleteThread): Promise<ThreadDeletedView> {
    const { meta, ...rest } = requestedUnit(caller, request, threadId);
    await this.store.threads.delete(threadId, caller.tenantId, meta, rest);
    killPoint('delete.after-commit');
    this.store.erasure.start(threadId);
    return { deleted: true };
  }
}
