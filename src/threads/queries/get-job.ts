import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { JobRead } from '@lib/store/views/job-reads';
import { Reader } from '@lib/store/views/reader';

/** A job as the JSON of `JobView` in UTF-8, which is stored ready to be sent. */
export class GetJob extends Query<JobRead> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly jobId: string,
    readonly knownVersion?: number,
  ) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, jobId, knownVersion }: GetJob): Promise<JobRead> {
    const job = await this.reader.readJob({ tenantId, threadId, jobId, knownVersion });
    if (job === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
    return job;
  }
}
