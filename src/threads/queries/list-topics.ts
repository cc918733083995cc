import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader } from '@lib/store/views/reader';
import type { JobTopicsView } from '@lib/store/views/topic.view';

/** The topics that a job followed, and those that its report suggests. */
export class ListTopics extends Query<JobTopicsView> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly jobId: string,
  ) {
    super();
  }
}

@QueryHandler(ListTopics)
export class ListTopicsHandler implements IQueryHandler<ListTopics> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, jobId }: ListTopics): Promise<JobTopicsView> {
    const topics = await this.reader.listTopics(tenantId, threadId, jobId);
    if (topics === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
    return topics;
  }
}
