import { applyDecorators, Injectable } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { DomainError } from '@lib/domain/errors';
import type { EventPage, EventPlace } from '@lib/store/views/event-pages';
import { EventListView } from '@lib/store/views/event.view';
import { Reader } from '@lib/store/views/reader';
import type { Caller } from '../access/caller';
import { invalidRequest, Problem } from '../api/problems';
import { quoted } from '../api/quoted';
import { EventStream, headersOf, messageOf, type Messages } from './event-stream';
import { JobChanges, type JobWatch } from './job-changes';
import type { SharedReads } from './shared-reads';

/** A batch of a job's events, as sent to the client. */
interface EventMessages extends Messages {
  /** The version of the last event. */
  version: number;
}

type FollowedJob = Omit<EventPlace, 'after'>;

/** Follows jobs event by event (server-sent events, WHATWG HTML 9.2). */
@Injectable()
export class EventStreams {
  constructor(
    private readonly reader: Reader,
    private readonly changes: JobChanges,
  ) {}

  /**
   * Answers with the events after `Last-Event-ID`, then with each new one until the final one; with 204 if no more events will come.
   * @throws DomainError job_not_found; Problem invalid_request, or unavailable if there is no room for one more
   */
  async open(reply: FastifyReply, { tenantId, keyId }: Caller, threadId: string, jobId: string): Promise<undefined> {
    const { request, raw: response } = reply;
    const place = { tenantId, threadId, jobId };
    const lastEventId = lastEventIdOf(request);
    let stream: EventStream | null = null;
    let isOver = false;
    const end = () => {
      isOver = true;
      stream?.end();
    };
    const look = async (reads: SharedReads) => {
      if (watch) await stream?.look(() => this.next(place, watch, reads));
    };
    const watch: JobWatch | null = this.changes.watch({ tenantId, jobId, keyId, kind: 'event stream', look, end });
    if (!watch)
      throw new Problem('unavailable', 'No more clients can wait here at the moment: repeat the request.', [], { 'retry-after': '5' });
    try {
      const first = await this.read(place, lastEventId);
      if (first === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
      const { version, isFinal } = first.page;
      if (lastEventId > version) throw unknownEvent(lastEventId, version);
      watch.version = first.messages.version;
      if (isFinal && lastEventId === version) {
        void reply.code(204).send();
        return undefined;
      }
      reply.hijack();
      stream = new EventStream({ response, watch });
      stream.begin(headersOf(reply), first.messages);
      if (request.method === 'HEAD' || isOver) stream.end();
      return undefined;
    } finally {
      if (!stream) watch.stop();
    }
  }

  private async read(place: FollowedJob, after: number): Promise<{ page: EventPage; messages: EventMessages } | null> {
    const page = await this.reader.readEventPage({ ...place, after });
    return page && { page, messages: messagesOf(page, after) };
  }

  /** The events after the client's version; clients at the same version share a read. */
  private async next(place: FollowedJob, watch: JobWatch, reads: SharedReads): Promise<EventMessages | null> {
    const after = watch.version;
    const { tenantId, threadId } = place;
    const messages = await reads.once(
      tenantId,
      `events of ${threadId} after ${after}`,
      async () => (await this.read(place, after))?.messages ?? null,
    );
    watch.version = messages?.version ?? after;
    return messages;
  }
}

/**
 * Documents a list that can be followed. The stream is described in prose only: a second content type would change the return type of the list
 * in generated clients, whether they follow it or not. With openapi-fetch, `data` becomes the list or a text, and programs no longer compile.
 */
export const ApiEventStream = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'Of a stream: the id of the last event that the client has, to go on after it.',
      schema: { type: 'string', pattern: '^\\d{1,9}$' },
      example: '7',
    }),
    ApiOkResponse({
      type: EventListView,
      description:
        'The events in order. In a stream (`text/event-stream`) each is a message whose `data` is one event and whose `id` is its version; ' +
        'comments keep the connection alive. The stream ends after the final event, when the key is revoked, and when the server stops: go on ' +
        'with `Last-Event-ID` until the answer is 204.',
    }),
    ApiNoContentResponse({ description: 'Of a stream: the job is final, and the client has all of its events.' }),
  );

/** @throws Problem invalid_request */
function lastEventIdOf({ headers }: FastifyRequest): number {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return 0;
  if (typeof id === 'string' && /^\d{1,9}$/.test(id)) return Number(id);
  const message = `Last-Event-ID ${quoted(String(id))} is no id of an event: send the last id that the stream gave, or none.`;
  throw invalidRequest([{ pointer: '/Last-Event-ID', code: 'invalid_event_id', message }]);
}

function unknownEvent(id: number, last: number): Problem {
  const message = `Last-Event-ID ${id} is beyond the last event of the job, ${last}: send the last id that the stream gave, or none.`;
  return invalidRequest([{ pointer: '/Last-Event-ID', code: 'unknown_event', message }]);
}

export function messagesOf({ events, version, isFinal }: EventPage, after: number): EventMessages {
  const text = events.map((event) => messageOf(event.version, event)).join('');
  const last = events.at(-1)?.version ?? after;
  return { text, hasMore: last < version, isLast: isFinal, version: last };
}
