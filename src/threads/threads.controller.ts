import type { Readable } from 'node:stream';

import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { THREAD_LIST_CURSORS } from '@lib/store/views/list-cursors';
import { MessageAddedView, MessageListView } from '@lib/store/views/message.view';
import { ThreadCreatedView, ThreadDeletedView, ThreadDetailView, ThreadListView } from '@lib/store/views/thread.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiChangeProblems, ApiRouteProblems } from '../api/api-problems';
import { BodyPipe } from '../api/body.pipe';
import { ApiIdempotencyKey } from '../api/idempotency-key';
import { setLocation } from '../api/location';
import { pageAfter } from '../api/page';
import type { Query as QueryParameters } from '../api/query-values';
import { Idempotency } from '../api/idempotency';
import { ANSWERED, CREATED, JOB_CREATED, LIMIT, OFFSET, PAGED, PAGED_BY_CURSOR, THREAD_ID } from '../api/route-documents';
import { AddMessage } from './commands/add-message';
import { CreateThread } from './commands/create-thread';
import { DeleteThread } from './commands/delete-thread';
import { FirstAnswers } from './first-answers';
import { StreamedAnswers } from './streamed-answers';
import { GetThread } from './queries/get-thread';
import { ListMessages } from './queries/list-messages';
import { ListThreads } from './queries/list-threads';
import { ADD_MESSAGE_EXAMPLES, CREATE_THREAD_EXAMPLES, THREAD_CURSOR, THREAD_LIMIT, THREAD_LIST_CURSOR } from './thread-documents';
import { threadAskedBy } from './thread-page';
import { AddMessageBody, CreateThreadBody } from './threads.dto';

/** Threads and their messages. The key, identifiers and parameter names have been checked before a handler runs. */
@ApiTags('threads')
@ApiBearerAuth('bearerAuth')
@Controller('v1/threads')
export class ThreadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly idempotency: Idempotency,
    private readonly firstAnswers: FirstAnswers,
    private readonly streamedAnswers: StreamedAnswers,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'createThread',
    summary: 'Create a thread and start research',
    description: 'Creates a thread, adds the message to it and starts a research job on it.',
  })
  @ApiBody({ type: CreateThreadBody, examples: CREATE_THREAD_EXAMPLES })
  @ApiCreatedResponse({ type: ThreadCreatedView, description: 'The thread was created and its job is pending.', ...JOB_CREATED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('thread_not_found', 'budget_too_small', 'insufficient_balance', 'too_many_open_jobs', 'daily_limit')
  async createThread(
    @AuthenticatedCaller() caller: Caller,
    @Body(BodyPipe) body: CreateThreadBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ThreadCreatedView> {
    const thread = await this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new CreateThread(caller, body, request)),
      again: ({ streamId }) => this.firstAnswers.threadCreated(streamId),
    });
    setLocation(reply, 'threads', thread.id);
    return thread;
  }

  @Get()
  @RouteConfig({ query: ['limit', 'offset', 'cursor'] })
  @ApiOperation({ operationId: 'listThreads', summary: 'List threads', description: `Lists the threads, newest first. ${PAGED_BY_CURSOR}` })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(THREAD_LIST_CURSOR)
  @ApiQuery(OFFSET)
  @ApiQuery(LIMIT)
  @ApiOkResponse({ type: ThreadListView, description: 'One page of threads.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems()
  listThreads(@AuthenticatedCaller() caller: Caller, @Query() query: QueryParameters): Promise<ThreadListView> {
    return this.queries.execute(new ListThreads(caller.tenantId, pageAfter(query, THREAD_LIST_CURSORS)));
  }

  @Get(':threadId')
  @RouteConfig({ query: ['limit', 'cursor'] })
  @ApiOperation({
    operationId: 'getThread',
    summary: 'Get a thread',
    description:
      'Returns the thread with its messages and job summaries, without syntheses, claims and steps: all of them, or with `limit` at most so ' +
      'many of each. Then the header `Link` has the address of the next page until there is none.',
  })
  @ApiParam(THREAD_ID)
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(THREAD_CURSOR)
  @ApiQuery(THREAD_LIMIT)
  @ApiOkResponse({ type: ThreadDetailView, description: 'The thread.', headers: PAGED })
  @ApiRouteProblems('thread_not_found')
  async getThread(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Query() query: QueryParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | null> {
    const asked = threadAskedBy(reply.request, query);
    return this.streamedAnswers.send(reply, caller, await this.queries.execute(new GetThread(caller.tenantId, threadId, asked)));
  }

  @Delete(':threadId')
  @RouteConfig({ takesNoBody: true })
  @ApiOperation({
    operationId: 'deleteThread',
    summary: 'Delete a thread',
    description: 'Cancels the open jobs of the thread and deletes it with all data associated with it.',
  })
  @ApiParam(THREAD_ID)
  @ApiOkResponse({ type: ThreadDeletedView, description: 'The thread is deleted.', ...ANSWERED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('thread_not_found', 'conflict')
  deleteThread(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ThreadDeletedView> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new DeleteThread(caller, threadId, request)),
      again: async () => ({ deleted: true }),
    });
  }

  @Get(':threadId/messages')
  @RouteConfig({ query: ['limit', 'cursor'] })
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'List messages',
    description:
      'Lists all messages in chronological order, or with `limit` at most so many. Then the header `Link` has the address of the next page ' +
      'until there is none.',
  })
  @ApiParam(THREAD_ID)
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(THREAD_CURSOR)
  @ApiQuery(THREAD_LIMIT)
  @ApiOkResponse({ type: MessageListView, description: 'The messages.', headers: PAGED })
  @ApiRouteProblems('thread_not_found')
  async listMessages(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Query() query: QueryParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | Readable | null> {
    const asked = threadAskedBy(reply.request, query);
    return this.streamedAnswers.send(reply, caller, await this.queries.execute(new ListMessages(caller.tenantId, threadId, asked)));
  }

  @Post(':threadId/messages')
  @ApiOperation({
    operationId: 'addMessage',
    summary: 'Add a message',
    description: 'Adds a message to the thread. It does not start research: create a thread or pursue a job for that.',
  })
  @ApiParam(THREAD_ID)
  @ApiBody({ type: AddMessageBody, examples: ADD_MESSAGE_EXAMPLES })
  @ApiCreatedResponse({ type: MessageAddedView, description: 'The message was added.', ...CREATED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('thread_not_found', 'conflict', 'thread_full')
  async addMessage(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Body(BodyPipe) body: AddMessageBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageAddedView> {
    const message = await this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new AddMessage(caller, threadId, body, request)),
      again: ({ version }) => this.firstAnswers.messageAdded(threadId, version),
    });
    setLocation(reply, 'threads', threadId, 'messages');
    return message;
  }
}
