import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader } from '@lib/store/views/reader';

/** A job as the JSON of `JobView` in UTF-8: it is stored ready to be sent. */
export class GetJob extends Query<Buffer> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly jobId: string,
  ) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, jobId }: GetJob): Promise<Buffer> {
    const job = await this.reader.getJob(tenantId, threadId, jobId);
    if (job === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
    return job;
  }
}
