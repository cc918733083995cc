import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';

import { bindTenants } from '@lib/batching/named-tenants';
import { cursorAt, LOG_CURSORS, type LogCursor } from '@lib/store/log/log-cursor';
import type { EventFilter, LoggedEvents } from '@lib/store/log/logged-events';
import { auditEventView } from '@lib/store/views/audit-event.view';
import type { Caller } from '../access/caller';
import { invalidRequest, Problem } from '../api/problems';
import { quoted } from '../api/quoted';
import { EventStream, headersOf, messageOf, type Messages } from '../live/event-stream';
import { LogFollowers } from './log-followers';
import { ListAuditEvents } from './queries/list-audit-events';

/** Events that are read at a time. They all stay in memory while the client does not read. */
const PAGE = 50;

/** Follows the events of a tenant in the order of the log (server-sent events, WHATWG HTML 9.2). */
@Injectable()
export class AuditEventStreams {
  constructor(
    private readonly queries: QueryBus,
    private readonly followers: LogFollowers,
  ) {}

  /**
   * Answers with the events after `Last-Event-ID`, or without one after the cursor, and with each one that the log gets.
   * @throws Problem invalid_request, log_off, log_restored, or unavailable if there is no room for one more
   */
  async open(reply: FastifyReply, { tenantId, keyId }: Caller, filter: EventFilter, cursor: LogCursor | null): Promise<undefined> {
    const { request, raw: response } = reply;
    let after = lastEventOf(request.headers['last-event-id']) ?? cursor;
    let stream: EventStream | null = null;
    const read = bindTenants(async (): Promise<Messages> => {
      const page = await this.queries.execute(new ListAuditEvents(tenantId, filter, { after, limit: PAGE }));
      const text = textOf(page, after);
      after = page.cursor;
      return { text, hasMore: page.hasMore, isLast: false };
    });
    const readOn = () => read().catch(nullIfOver);
    let isOver = false;
    const end = () => {
      isOver = true;
      stream?.end();
    };
    const watch = this.followers.follow({ tenantId, keyId, look: async () => stream?.look(readOn), end });
    if (!watch)
      throw new Problem('unavailable', 'No more clients can follow the log here at the moment: repeat the request.', [], {
        'retry-after': '5',
      });
    try {
      const first = await read();
      reply.hijack();
      stream = new EventStream({ response, watch });
      stream.begin(headersOf(reply), first);
      if (request.method === 'HEAD' || isOver) stream.end();
      return undefined;
    } finally {
      if (!stream) watch.stop();
    }
  }
}

/** Null for errors that end the stream normally: the client's next connection is told the reason. */
function nullIfOver(error: unknown): null {
  if (error instanceof Problem && (error.code === 'log_restored' || error.code === 'history_removed')) return null;
  throw error;
}

/** If filters excluded the last entries, an id without data moves the client's position forward. */
function textOf({ rows, cursor }: LoggedEvents, before: LogCursor | null): string {
  const ids = rows.map(({ index, leaf_hash: leafHash }) => LOG_CURSORS.textOf(cursorAt(index, leafHash)));
  const messages = rows.map((row, place) => messageOf(ids[place] ?? '', auditEventView(row)));
  const reached = cursor && LOG_CURSORS.textOf(cursor);
  const known = ids.at(-1) ?? (before && LOG_CURSORS.textOf(before));
  return messages.join('') + (reached === null || reached === known ? '' : `id: ${reached}\n\n`);
}

/** @throws Problem invalid_request */
function lastEventOf(id: string | string[] | undefined): LogCursor | undefined {
  if (id === undefined || id === '') return undefined;
  const cursor = LOG_CURSORS.placeIn(String(id));
  if (cursor) return cursor;
  const message = `Last-Event-ID ${quoted(String(id))} is no id of an event: send the last id that the stream gave, or none.`;
  throw invalidRequest([{ pointer: '/Last-Event-ID', code: 'invalid_event_id', message }]);
}
