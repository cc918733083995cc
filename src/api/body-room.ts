import type { IncomingMessage } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { answerSlowBody } from './broken-request';
import { FairRoom, type RoomItem } from './fair-room';
import { BODY_LIMIT_BYTES } from './json-body';
import { Problem } from './problems';

/** Bytes of memory for each byte of a body, with the text and the object that are made from it. */
const BODY_SHARE = 4;
const MAX_BYTES = 64 * 1024 * 1024;
/** A body has this long to arrive, even if others wait for its room. */
const ARRIVES_WITHIN_MS = 5_000;

interface Body extends RoomItem {
  request: IncomingMessage;
}

/** Room for the bodies of requests that have no answer yet. A client sends them as slowly as it likes, and any number at a time. */
export class BodyRoom {
  private readonly room = new FairRoom<Body>({
    name: 'request bodies',
    maxBytes: MAX_BYTES,
    forMs: ARRIVES_WITHIN_MS,
    mayEnd: ({ request }) => !request.complete,
    end: ({ request }) => answerSlowBody(request.socket),
  });

  /** Takes room until the connection or the response has ended. @throws Problem if there is too little */
  take({ headers, caller, raw: request }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = BODY_SHARE * Math.min(declaredLength(headers), BODY_LIMIT_BYTES);
    // Of a client that hung up while its key was looked up, no end would be heard any more, so its room would be lost.
    if (bytes === 0 || raw.destroyed) return;
    const body = { request, tenantId: caller?.tenantId ?? '', bytes, since: performance.now() };
    if (!this.room.take(body))
      throw new Problem('unavailable', 'Too many request bodies arrive at the same time: repeat the request.', [], { 'retry-after': '1' });
    raw.once('close', () => this.room.release(body));
  }
}

/** A chunked body declares no length, so it counts with the most that is allowed. */
function declaredLength(headers: FastifyRequest['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_LIMIT_BYTES;
  return Number(headers['content-length'] ?? 0);
}
