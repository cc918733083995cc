import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { Reader } from '@lib/store/views/reader';
import type { ThreadListView } from '@lib/store/views/thread.view';
import type { Page } from '../../api/page';

/** One page of a tenant's threads, newest first. */
export class ListThreads extends Query<ThreadListView> {
  constructor(
    readonly tenantId: string,
    readonly page: Page,
  ) {
    super();
  }
}

@QueryHandler(ListThreads)
export class ListThreadsHandler implements IQueryHandler<ListThreads> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, page }: ListThreads): Promise<ThreadListView> {
    return { threads: await this.reader.listThreads(tenantId, page.limit, page.offset), ...page };
  }
}
