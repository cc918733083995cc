import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader, type ThreadAsked, type ThreadRead } from '@lib/store/views/reader';

/** A thread with its messages and job summaries, or a page of them. */
export class GetThread extends Query<ThreadRead> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly asked: ThreadAsked,
  ) {
    super();
  }
}

@QueryHandler(GetThread)
export class GetThreadHandler implements IQueryHandler<GetThread> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, asked }: GetThread): Promise<ThreadRead> {
    const read = await this.reader.readThread(tenantId, threadId, asked);
    if (read === null) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    return read;
  }
}
