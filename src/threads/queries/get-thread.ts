import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader, type ThreadRead } from '@lib/store/views/reader';

/** A thread with its messages and job summaries. */
export class GetThread extends Query<ThreadRead> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly knownTag: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetThread)
export class GetThreadHandler implements IQueryHandler<GetThread> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, knownTag }: GetThread): Promise<ThreadRead> {
    const thread = await this.reader.getThread(tenantId, threadId, knownTag);
    if (thread === null) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    return thread;
  }
}
