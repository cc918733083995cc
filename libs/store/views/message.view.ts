import { ApiSchema } from '@nestjs/swagger';

import { MESSAGE_ROLES, type MessageRole } from '@lib/domain/vocabulary';

import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';

/** A message of a thread. */
@ApiSchema({ name: 'Message' })
export class MessageView {
  @Identifier('msg')
  id!: string;

  @Enumeration('MessageRole', MESSAGE_ROLES)
  role!: MessageRole;

  /** Exactly as it was sent. */
  @Text('How does Fastify handle an error thrown in a hook or a handler?')
  content!: string;

  /** Null for a user message. */
  @Integer(0, { nullable: true })
  costCents!: number | null;

  @Timestamp()
  createdAt!: string;
}

/** All messages of a thread in chronological order. */
@ApiSchema({ name: 'MessageList' })
export class MessageListView {
  @ListOf(MessageView)
  messages!: MessageView[];
}

/** A message that was added. */
@ApiSchema({ name: 'MessageAdded' })
export class MessageAddedView {
  @Identifier('msg')
  id!: string;

  @Identifier('thr')
  threadId!: string;

  @Enumeration('MessageRole', MESSAGE_ROLES)
  role!: MessageRole;

  /** Exactly as it was sent. */
  @Text('Only errors of asynchronous hooks matter to me.')
  content!: string;

  @Timestamp()
  createdAt!: string;
}
