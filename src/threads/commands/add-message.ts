import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { MessageAddedView } from '@lib/store/views/message.view';
import type { Caller } from '../../access/caller';
import type { AddMessageBody } from '../threads.dto';
import { newId } from '@lib/store/new-id';
import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import { requestedUnit } from '../requested-unit';
import { STORE } from '../../api/tokens';

/** Adds a message to a thread. It starts no research. */
export class AddMessage extends Command<MessageAddedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly body: AddMessageBody,
    readonly request: IdempotentRequest | null,
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
    const { meta, ...rest } = requestedUnit(caller, request, threadId);
    const createdAt = await this.store.threads.execute(threadId, command, meta, rest);
    return { id: messageId, threadId, role: 'user', content: body.message, createdAt };
  }
}
