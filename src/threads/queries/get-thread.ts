import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader } from '@lib/store/views/reader';
import type { ThreadDetailView } from '@lib/store/views/thread.view';

/** A thread with its messages and job summaries. */
export class GetThread extends Query<ThreadDetailView> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
  ) {
    super();
  }
}

@QueryHandler(GetThread)
export class GetThreadHandler implements IQueryHandler<GetThread> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId }: GetThread): Promise<ThreadDetailView> {
    const thread = await this.reader.getThread(tenantId, threadId);
    if (thread === null) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    return thread;
  }
}
