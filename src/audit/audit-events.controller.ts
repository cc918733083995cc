import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { cursorAt, LOG_CURSORS } from '@lib/store/log/log-cursor';
import { AuditEventListView, auditEventView, EVENT_TYPES } from '@lib/store/views/audit-event.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiRouteProblems } from '../api/api-problems';
import { linkToNext } from '../api/next-page';
import { optionalId, optionalOpenChoice, optionalText, optionalTime } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { wantsEventStream } from '../live/accept';
import { readLimit } from '../api/page';
import { LIMIT, PAGED } from '../api/route-documents';
import { AuditEventStreams } from './audit-event-streams';
import { ListAuditEvents } from './queries/list-audit-events';

const EXAMPLE_CURSOR = LOG_CURSORS.textOf(cursorAt(17, Buffer.alloc(8, 42)));

/** Everything that happened to a tenant, for whoever keeps it elsewhere. */
@ApiTags('audit')
@ApiBearerAuth('bearerAuth')
@Controller('v1/audit/events')
export class AuditEventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: AuditEventStreams,
  ) {}

  @Get()
  @RouteConfig({ query: ['actor', 'type', 'from', 'to', 'threadId', 'limit', 'cursor'] })
  @ApiOperation({
    operationId: 'listAuditEvents',
    summary: 'List or follow the events of the tenant',
    description:
      'Lists the events of all threads, jobs, keys and limits of the tenant, also of deleted threads, in the order of the log, oldest first. An event comes ' +
      'once the log has it, some seconds after it happened. Whoever follows `Link`, and goes on with `cursor` later where there is none, gets each ' +
      'event exactly once. Filters are combined; a page looks at no more than 1,000 events, so that it may hold fewer than were asked for. With ' +
      '`Accept: text/event-stream` each event is sent as the log gets it, without an end.',
  })
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalText('cursor', '`cursor` of the page before.', EXAMPLE_CURSOR))
  @ApiQuery(LIMIT)
  @ApiQuery(optionalId('threadId', 'Events of this thread and of its jobs alone.', 'thr'))
  @ApiQuery(optionalTime('to', 'Events that happened before this time.'))
  @ApiQuery(optionalTime('from', 'Events that happened at this time or later.'))
  @ApiQuery(optionalOpenChoice('type', 'Events of this type alone.', EVENT_TYPES, 'JobCompleted'))
  @ApiQuery(optionalText('actor', 'Events of this actor alone, as `meta` has it.', 'role:saga'))
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Of a stream: the id of the last event that the client has, to go on after it. It counts before `cursor`.',
    schema: { type: 'string' },
    example: EXAMPLE_CURSOR,
  })
  @ApiOkResponse({
    type: AuditEventListView,
    description:
      'One page of events. In a stream (`text/event-stream`) each event is a message whose `data` is the event and whose `id` is the cursor after it; ' +
      'an `id` alone says how far filters have looked, and comments keep the connection alive. The stream ends when the key is revoked, when the server ' +
      'stops, and after a restore: go on with `Last-Event-ID`.',
    headers: { Link: PAGED.Link },
  })
  @ApiRouteProblems('log_off', 'log_restored', 'history_removed')
  async listAuditEvents(
    @AuthenticatedCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEventListView | undefined> {
    const values = new QueryValues(query);
    const filter = {
      actor: values.text('actor', 200),
      // A mistyped one would be an empty feed, which says that nothing of the kind ever happened.
      type: values.oneOf('type', EVENT_TYPES),
      from: values.instant('from'),
      to: values.instant('to'),
      threadId: values.id('threadId', 'thr'),
    };
    const limit = readLimit(values);
    const after = values.read('cursor', 'invalid_cursor', 'must be the cursor of a page', LOG_CURSORS.placeIn) ?? null;
    values.check();
    if (wantsEventStream(reply.request.headers.accept)) return this.streams.open(reply, caller, filter, after);
    const { rows, cursor, hasMore } = await this.queries.execute(new ListAuditEvents(caller.tenantId, filter, { after, limit }));
    const next = cursor && LOG_CURSORS.textOf(cursor);
    if (hasMore && next !== null) reply.header('link', linkToNext(reply, next));
    return { events: rows.map(auditEventView), cursor: next, limit };
  }
}
