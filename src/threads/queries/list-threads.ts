import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { Reader, type ThreadsAsked } from '@lib/store/views/reader';
import { THREAD_LIST_CURSORS } from '@lib/store/views/list-cursors';
import type { ThreadListView } from '@lib/store/views/thread.view';

/** One page of a tenant's threads, newest first. */
export class ListThreads extends Query<ThreadListView> {
  constructor(
    readonly tenantId: string,
    readonly asked: ThreadsAsked,
  ) {
    super();
  }
}

@QueryHandler(ListThreads)
export class ListThreadsHandler implements IQueryHandler<ListThreads> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, asked }: ListThreads): Promise<ThreadListView> {
    const { threads, threadsUnreadable, next } = await this.reader.listThreads(tenantId, asked);
    return { threads, threadsUnreadable, limit: asked.limit, offset: asked.offset, nextCursor: next && THREAD_LIST_CURSORS.textOf(next) };
  }
}
