import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { JobCursor } from '@lib/store/views/job-cursor';
import type { JobListView } from '@lib/store/views/job-detail.view';
import type { JobFilter } from '@lib/store/views/job-pages';
import { STORE } from '../../api/tokens';

/** One page of a tenant's jobs, whatever their threads, newest first. */
export class ListJobs extends Query<JobListView> {
  constructor(
    readonly tenantId: string,
    readonly filter: JobFilter,
    readonly after: JobCursor | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  execute({ tenantId, filter, after, limit }: ListJobs): Promise<JobListView> {
    return this.store.flatJobs.list(tenantId, filter, after, limit);
  }
}
