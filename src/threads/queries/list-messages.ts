import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { Reader, type ThreadAsked, type ThreadRead } from '@lib/store/views/reader';

/** The messages of a thread in chronological order, or a page of them. */
export class ListMessages extends Query<ThreadRead> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
    readonly asked: ThreadAsked,
  ) {
    super();
  }
}

@QueryHandler(ListMessages)
export class ListMessagesHandler implements IQueryHandler<ListMessages> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId, asked }: ListMessages): Promise<ThreadRead> {
    const read = await this.reader.readMessages(tenantId, threadId, asked);
    if (read === null) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    return read;
  }
}
