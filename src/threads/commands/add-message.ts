import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { MessageAddedView } from '@lib/store/views/message.view';
import type { Caller } from '../../access/caller';
import type { AddMessageBody } from '../threads.dto';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import type { RequestDigests } from '../repetitions';
import { STORE } from '../tokens';
import { metaOf } from '../unit-meta';

/** Adds a message to a thread. It starts no research. */
export class AddMessage extends Command<MessageAddedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly body: AddMessageBody,
    readonly request: RequestDigests | null,
  ) {
    super();
  }
}

@CommandHandler(AddMessage)
export class AddMessageHandler implements ICommandHandler<AddMessage> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ caller, threadId, body, request }: AddMessage): Promise<MessageAddedView> {
    const messageId = newId('msg');
    const command = { type: 'AddMessage' as const, tenantId: caller.tenantId, messageId, content: body.message };
    const createdAt = await this.store.threads.execute(threadId, command, metaOf(caller), {
      isWanted: caller.isWaiting,
      request: request ? { ...request, streamId: threadId } : undefined,
    });
    return { id: messageId, threadId, role: 'user', content: body.message, createdAt };
  }
}
