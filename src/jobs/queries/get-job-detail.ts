import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { Store } from '@lib/store/store';
import type { JobDetailRead, JobParts } from '@lib/store/views/flat-jobs';
import { STORE } from '../../api/tokens';

/** A job by its id alone, with the parts that are asked for. */
export class GetJobDetail extends Query<JobDetailRead> {
  constructor(
    readonly tenantId: string,
    readonly jobId: string,
    readonly parts: JobParts,
    readonly knownVersion?: number,
  ) {
    super();
  }
}

@QueryHandler(GetJobDetail)
export class GetJobDetailHandler implements IQueryHandler<GetJobDetail> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, jobId, parts, knownVersion }: GetJobDetail): Promise<JobDetailRead> {
    const job = await this.store.flatJobs.get(tenantId, jobId, parts, knownVersion);
    if (job === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist.`);
    return job;
  }
}
