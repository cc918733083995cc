import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { MessageListView } from '@lib/store/views/message.view';
import { Reader } from '@lib/store/views/reader';

/** All messages of a thread in chronological order. */
export class ListMessages extends Query<MessageListView> {
  constructor(
    readonly tenantId: string,
    readonly threadId: string,
  ) {
    super();
  }
}

@QueryHandler(ListMessages)
export class ListMessagesHandler implements IQueryHandler<ListMessages> {
  constructor(private readonly reader: Reader) {}

  async execute({ tenantId, threadId }: ListMessages): Promise<MessageListView> {
    const messages = await this.reader.listMessages(tenantId, threadId);
    if (messages === null) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    return { messages };
  }
}
